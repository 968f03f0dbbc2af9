#pragma once
/// @file
/// A draft is made of token ids, so draft model and target must mean the same by them. Ids that mean something else would
/// not be wrong, for the target checks them, but never right either: all drafting would be for nothing. So it is refused.
#include <filesystem>
#include <string>
#include <string_view>

namespace stagecraft {

/// Compares the tokenizer.json of two model folders: the text of every id, added tokens, merges, and what happens to a
/// text before it is cut (normalizer, pre_tokenizer). How ids become text again is the target's business alone. Throws
/// BadInput that names the first difference, or a file that cannot be read.
void check_same_tokenizer(const std::filesystem::path& target, const std::filesystem::path& draft);

/// The same from the files' texts; the names stand for them in messages.
void check_same_tokenizer(std::string_view target_json, const std::string& target_name, std::string_view draft_json,
                          const std::string& draft_name);

}  // namespace stagecraft
