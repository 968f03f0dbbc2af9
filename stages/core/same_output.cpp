#include "stages/core/same_output.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

std::optional<TokenId> token_at(const RequestRecord& request, size_t index) {
  if (index >= request.output_ids.size()) return std::nullopt;
  return request.output_ids[index];
}

std::string words(const std::optional<TokenId>& token) {
  return token ? fmt::format("token {}", *token) : std::string("no token any more");
}

}  // namespace

std::optional<OutputDifference> first_difference(const RunLog& expected, const RunLog& actual) {
  check(expected.requests.size() == actual.requests.size(), "both runs are of the same requests");
  for (size_t i = 0; i < expected.requests.size(); ++i) {
    const RequestRecord &one = expected.requests[i], &other = actual.requests[i];
    const size_t longest = std::max(one.output_ids.size(), other.output_ids.size());
    for (size_t token = 0; token < longest; ++token) {
      const std::optional<TokenId> wanted = token_at(one, token), found = token_at(other, token);
      if (wanted != found) return OutputDifference{one.id, int64_t(token), wanted, found};
    }
  }
  return std::nullopt;
}

void check_same_output(const RunLog& expected, std::string_view name_of_expected, const RunLog& actual,
                       std::string_view name_of_actual) {
  const std::optional<OutputDifference> difference = first_difference(expected, actual);
  if (!difference) return;
  throw Failure(fmt::format("request {}, output token {}: {} has {}, {} has {}", difference->request, difference->token,
                            name_of_expected, words(difference->expected), name_of_actual, words(difference->actual)),
                "a stage that prints other tokens has a bug, and its times mean nothing: run both programs on this "
                "request alone and compare their --logits");
}

}  // namespace stagecraft
