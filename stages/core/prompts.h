#pragma once
/// @file
/// Where prompts come from, and how they become requests. Everything about a prompt that can be wrong is found here,
/// before a weight is read.
#include <iosfwd>
#include <string>
#include <vector>

#include "stages/core/command_line.h"
#include "stages/core/model_config.h"
#include "stages/core/request.h"
#include "stages/core/tokenizer/tokenizer.h"

namespace stagecraft {

/// A prompt before it meets the tokenizer.
struct Prompt {
  std::string origin;        // for messages: "--prompt 2", "tales.txt:7"
  std::string text;          // empty if it came as ids
  std::vector<TokenId> ids;  // empty if it came as text
};

/// The prompts of --prompt, --prompts or --ids; if none is given, all of `input` is one prompt (without its last line
/// break), unless `input_is_terminal`. A prompts file holds one prompt a line; empty lines are skipped; in a file
/// called .jsonl each line is a JSON string, so that a prompt may hold line breaks. Throws BadInput if there is no
/// prompt.
std::vector<Prompt> read_prompts(const Options& options, std::istream& input, bool input_is_terminal);
/// The same with the program's standard input.
std::vector<Prompt> read_prompts(const Options& options);

/// Throws BadInput if the tokenizer cannot belong to the model: it has more ids than the model has rows, or so few that
/// the rest cannot be padding (at most one row in kPaddedShare).
void check_vocabulary(const Tokenizer& tokenizer, const ModelConfig& config);
inline constexpr int64_t kPaddedShare = 20;

/// One request a prompt, ids counted from 0, max_tokens cut to what the model's context leaves. Throws BadInput, naming
/// the prompt, if it is empty, not UTF-8, longer than the context, or holds an id outside the model's vocabulary;
/// likewise if a stop text is not UTF-8.
std::vector<Request> make_requests(const std::vector<Prompt>& prompts, const Options& options,
                                   const Tokenizer& tokenizer, const ModelConfig& config);

}  // namespace stagecraft
