/// @file
/// One run a batch size.
#include "stages/3_batching/sweep.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/3_batching/engine.h"

namespace stagecraft {
namespace {

std::vector<int> sizes_up_to(int largest) {
  std::vector<int> sizes;
  for (int size = 1; size < largest; size *= 2) sizes.push_back(size);
  sizes.push_back(largest);
  return sizes;
}

std::vector<Job> all_at_once(std::vector<Job> jobs) {
  for (Job& job : jobs) job.arrival_ns = 0;
  return jobs;
}

/// A run that was cut short has fewer tokens, and those it has are the same.
void check_same_tokens(const RunLog& log, const RunLog& reference) {
  for (size_t i = 0; i < log.requests.size(); ++i) {
    const std::vector<TokenId>&ours = log.requests[i].output_ids, &theirs = reference.requests[i].output_ids;
    check(theirs.size() <= ours.size() && std::equal(theirs.begin(), theirs.end(), ours.begin()),
          "the batch size does not change a token");
  }
}

}  // namespace

std::vector<WorkLine> sweep_batch_sizes(const Session& session, const RunReport& reference, NumberType kv_type,
                                        int largest) {
  const StepBytes bytes{session.model->weights().bytes_per_forward, session.config.kv_bytes_per_token(kv_type)};
  const auto roofline =
      roofline_of(bytes.weights, bytes.kv_per_token, session.model->weights().parameters, reference.limits);
  const std::vector<Job> jobs = all_at_once(session.jobs);
  std::vector<WorkLine> lines;
  for (const int size : sizes_up_to(largest)) {
    StaticBatchEngine engine(size);
    const RunLog log = session.run(engine, jobs, {.kv_type = kv_type, .end_of_text = session.end_of_text});
    check_same_tokens(log, reference.log);
    const std::optional<DecodeRate> rate = decode_rate(log, bytes);
    if (rate) lines.push_back(rate_line(fmt::format("batch {}", size), *rate, roofline));
  }
  return lines;
}

}  // namespace stagecraft
