/// @file
/// Reading, encoding and checking prompts.
#include "stages/core/prompts.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "kernels/check.h"
#include "stages/core/tokenizer/utf8.h"

namespace stagecraft {
namespace {

std::string json_string(const std::string& line, const std::string& origin) {
  const nlohmann::json value = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (value.is_string()) return value.get<std::string>();
  throw BadInput(fmt::format("{}: not a JSON string", origin), "each line of a .jsonl file is one, in double quotes");
}

std::vector<Prompt> read_prompts_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) {
    throw BadInput(fmt::format("--prompts: cannot read '{}'", path.string()), "name a file with one prompt a line");
  }
  const bool as_json = path.extension() == ".jsonl";
  std::vector<Prompt> prompts;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    const std::string origin = fmt::format("{}:{}", path.string(), number);
    prompts.push_back({origin, as_json ? json_string(line, origin) : line, {}});
  }
  if (prompts.empty())
    throw BadInput(fmt::format("--prompts: '{}' holds no prompt", path.string()), "one prompt a line");
  return prompts;
}

Prompt read_standard_input(std::istream& input) {
  std::string text{std::istreambuf_iterator<char>(input), {}};
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return {"standard input", std::move(text), {}};
}

std::vector<TokenId> encode(const Prompt& prompt, const Tokenizer& tokenizer) {
  if (prompt.text.empty())
    throw BadInput(fmt::format("{}: the prompt is empty", prompt.origin), "give at least one character");
  try {
    return tokenizer.encode(prompt.text);
  } catch (const BadInput& error) {
    throw BadInput(fmt::format("{}: {}", prompt.origin, error.what()), error.hint());
  }
}

/// A stop text that is not UTF-8 would never be found in the output.
void check_stop_texts(const std::vector<std::string>& stops) {
  for (const std::string& stop : stops) {
    const size_t at = tokenizer::first_broken_byte(stop);
    if (at == std::string::npos) continue;
    throw BadInput(fmt::format("--stop: the text is not UTF-8 at byte {}", at),
                   "the terminal's or file's encoding must be UTF-8");
  }
}

void check_ids(const std::vector<TokenId>& ids, const std::string& origin, const ModelConfig& config) {
  if (ids.empty()) throw BadInput(fmt::format("{}: the prompt has no tokens", origin), "give at least one");
  for (const TokenId id : ids) {
    if (id >= 0 && id < config.vocabulary) continue;
    throw BadInput(fmt::format("{}: token id {} is outside the model's vocabulary", origin, id),
                   fmt::format("ids go from 0 to {}", config.vocabulary - 1));
  }
  if (int64_t(ids.size()) <= config.context) return;
  throw BadInput(
      fmt::format("{}: {} tokens are longer than the model's context of {}", origin, ids.size(), config.context),
      "shorten the prompt, or use a model with a longer context");
}

}  // namespace

std::vector<Prompt> read_prompts(const Options& options, std::istream& input, bool input_is_terminal) {
  if (!options.prompts_file.empty()) return read_prompts_file(options.prompts_file);
  if (options.ids) return {{"--ids", "", *options.ids}};

  std::vector<Prompt> prompts;
  for (const std::string& text : options.prompts) {
    prompts.push_back({fmt::format("--prompt {}", prompts.size() + 1), text, {}});
  }
  if (!prompts.empty()) return prompts;
  if (input_is_terminal) {
    throw BadInput("no prompt", "give --prompt \"Once upon a time\", --prompts FILE, or text on standard input");
  }
  return {read_standard_input(input)};
}

std::vector<Prompt> read_prompts(const Options& options) {
  return read_prompts(options, std::cin, isatty(STDIN_FILENO) == 1);
}

void check_vocabulary(const Tokenizer& tokenizer, const ModelConfig& config) {
  const int64_t ids = tokenizer.vocabulary(), rows = config.vocabulary;
  if (ids <= rows && rows - ids <= rows / kPaddedShare) return;
  throw BadInput(fmt::format("tokenizer.json has {} ids but config.json says vocab_size {}", ids, rows),
                 "take tokenizer.json and config.json from the same model");
}

std::vector<Request> make_requests(const std::vector<Prompt>& prompts, const Options& options,
                                   const Tokenizer& tokenizer, const ModelConfig& config) {
  check_stop_texts(options.stop);
  std::vector<Request> requests;
  for (const Prompt& prompt : prompts) {
    Request request;
    request.id = int(requests.size());
    request.tokens = prompt.ids.empty() ? encode(prompt, tokenizer) : prompt.ids;
    check_ids(request.tokens, prompt.origin, config);
    request.prompt_tokens = int64_t(request.tokens.size());
    request.max_tokens = std::min(options.max_tokens, config.context - request.prompt_tokens);
    request.stop = options.stop;
    request.sampling = options.sampling;
    requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace stagecraft
