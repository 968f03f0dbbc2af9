#pragma once
/// @file
/// A chapter held against its recipe: which sentences it lacks, and rewriting it when results have changed.
#include <string>
#include <string_view>
#include <vector>

#include "docs/figures/results.h"

namespace stagecraft::figures {

/// The recipe's sentences, filled in, that `chapter` does not hold.
std::vector<std::string> missing_sentences(const Recipe& recipe, const Results& results, std::string_view chapter);

struct Rewritten {
  std::string chapter;
  std::vector<std::string> not_found;  // sentences that were not there with the old results either
};

/// `chapter` with each sentence of the old results replaced by that of the new ones; so is a sentence that stands there
/// as the recipe has it, with its placeholders: that is how a new one is written. Lines break where they did.
Rewritten rewritten(const Recipe& recipe, const Results& old_results, const Results& new_results, std::string chapter);

}  // namespace stagecraft::figures
