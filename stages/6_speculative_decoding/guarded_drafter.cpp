/// @file
/// Catches, cuts, counts.
#include "stages/6_speculative_decoding/guarded_drafter.h"

#include <exception>
#include <functional>

#include <fmt/format.h>

namespace stagecraft {
namespace {

/// What `call` threw, in words; nothing if it threw nothing. A lab's drafter may throw anything.
std::optional<std::string> failure_of(const std::function<void()>& call) {
  try {
    call();
    return std::nullopt;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "it threw something that is no std::exception";
  }
}

}  // namespace

std::vector<Draft> GuardedDrafter::propose(std::span<const Request* const> requests, std::span<const int> lengths) {
  const std::vector<Draft> none(requests.size());
  if (gave_up()) return none;
  std::vector<Draft> drafts;
  std::optional<std::string> failure = failure_of([&] { drafts = drafter_.propose(requests, lengths); });
  if (!failure && drafts.size() != requests.size()) {
    failure = fmt::format("it made {} drafts for {} requests", drafts.size(), requests.size());
  }
  if (failure) {
    failed(std::move(*failure));
    ++failures_in_a_row_;
    for (const Request* request : requests) forget(*request);  // who knows what it has half done for them
    return none;
  }
  failures_in_a_row_ = 0;
  for (size_t i = 0; i < drafts.size(); ++i) {
    const size_t proposed = drafts[i].size();
    drafts[i].cut(size_t(lengths[i]));
    drafts[i].cut(usable_prefix(drafts[i], vocabulary_));
    faults_.tokens_cut += int64_t(proposed - drafts[i].size());
  }
  return drafts;
}

void GuardedDrafter::forget(const Request& request) {
  if (auto failure = failure_of([&] { drafter_.forget(request); })) failed(std::move(*failure));
}

void GuardedDrafter::failed(std::string reason) {
  if (faults_.first_failure.empty()) faults_.first_failure = std::move(reason);
  ++faults_.failures;
}

std::optional<std::string> GuardedDrafter::complaint() const {
  std::string text;
  if (faults_.failures > 0) {
    text = fmt::format("the drafter failed {} times{}: {}", faults_.failures,
                       gave_up() ? " and was not asked again" : "", faults_.first_failure);
  }
  if (faults_.tokens_cut > 0) {
    text += fmt::format("{}{} drafted tokens were cut off: outside the target's vocabulary, or more than wanted",
                        text.empty() ? "" : "; ", faults_.tokens_cut);
  }
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace stagecraft
