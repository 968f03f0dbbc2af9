/// @file
/// Two up, one down.
#include "stages/6_speculative_decoding/draft_length.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr int kGrowth = 2;
constexpr int kShrinkage = 1;

}  // namespace

DraftLength::DraftLength(const DraftLengthOptions& options) : options_(options) {
  if (options.length < 1 || options.length > DraftLengthOptions::kLongest) {
    throw BadInput(fmt::format("drafts of {} tokens cannot be made", options.length),
                   fmt::format("1 is the smallest that works, {} the largest", DraftLengthOptions::kLongest));
  }
  if (!options.adaptive) return;
  if (options.most < options.length || options.most > DraftLengthOptions::kLongest) {
    throw BadInput(
        fmt::format("drafts that begin with {} tokens cannot grow to {}", options.length, options.most),
        fmt::format("{} is the smallest that works, {} the largest", options.length, DraftLengthOptions::kLongest));
  }
}

int DraftLength::length_of(const Request& request) const {
  const auto known = lengths_.find(request.id);
  return known == lengths_.end() ? options_.length : known->second;
}

int DraftLength::next(const Request& request) const {
  const int64_t useful = std::max<int64_t>(request.max_tokens - request.generated() - 1, 0);
  return int(std::min<int64_t>(length_of(request), useful));
}

void DraftLength::observe(const Request& request, int drafted, int accepted) {
  if (!options_.adaptive || drafted == 0) return;
  const int length = length_of(request);
  if (accepted < drafted) {
    lengths_[request.id] = std::max(length - kShrinkage, 1);
  } else if (drafted >= length) {
    lengths_[request.id] = std::min(length + kGrowth, options_.most);
  }
}

}  // namespace stagecraft
