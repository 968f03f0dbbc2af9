#include "tests/stages/mixed_requests.h"

#include "stages/core/random_stream.h"

namespace stagecraft::testing {
namespace {

std::vector<TokenId> random_ids(RandomStream& random, int64_t count, const ModelConfig& config) {
  std::vector<TokenId> ids;
  for (int64_t i = 0; i < count; ++i) ids.push_back(TokenId(random.below(uint32_t(config.vocabulary))));
  return ids;
}

}  // namespace

std::vector<Job> mixed_requests(const MixedRequests& how, const ModelConfig& config) {
  RandomStream random(how.seed, 0);
  std::vector<Job> jobs;
  int64_t now_ns = 0;
  for (int id = 0; id < how.count; ++id) {
    Job job;
    Request& request = job.request;
    request.id = id;
    // The first ones have the extreme lengths.
    request.prompt_tokens = id == 0 ? 1 : id == 1 ? how.longest_prompt : 1 + random.below(uint32_t(how.longest_prompt));
    request.max_tokens = id == 1 ? 1 : id == 2 ? how.longest_output : 1 + random.below(uint32_t(how.longest_output));
    request.tokens = random_ids(random, request.prompt_tokens, config);
    request.sampling.temperature = how.temperatures[size_t(id) % how.temperatures.size()];
    request.sampling.seed = random.word();
    if (id % 5 == 3) request.sampling.top_k = 20;
    if (id % 7 == 4) request.sampling.top_p = 0.8f;
    if (id % 4 == 1) request.stop = how.stop;
    if (how.mean_gap_ns > 0) now_ns += int64_t(double(random.gamma(1.0f)) * double(how.mean_gap_ns));
    job.arrival_ns = now_ns;
    jobs.push_back(std::move(job));
  }
  return jobs;
}

Job simple_job(int id, int64_t prompt_tokens, int64_t output_tokens, const ModelConfig& config) {
  RandomStream random(uint64_t(id) + 100, 1);
  Job job;
  job.request.id = id;
  job.request.tokens = random_ids(random, prompt_tokens, config);
  job.request.prompt_tokens = prompt_tokens;
  job.request.max_tokens = output_tokens;
  job.origin = "request " + std::to_string(id);
  return job;
}

}  // namespace stagecraft::testing
