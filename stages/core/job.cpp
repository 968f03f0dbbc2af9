/// @file
/// From prompts and workloads to jobs.
#include "stages/core/job.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

/// `job` once for each sample. Their seeds count up from its own, so the first is what it would be alone.
void add_samples(Job job, int samples, std::vector<Job>& jobs) {
  const int first = int(jobs.size());
  const std::string origin = job.origin;
  for (int sample = 0; sample < samples; ++sample) {
    job.request.id = first + sample;
    if (sample > 0) {
      job.request.sample_of = first;
      job.origin = fmt::format("{}, sample {}", origin, sample + 1);
      ++job.request.sampling.seed;
    }
    jobs.push_back(job);
  }
}

}  // namespace

std::vector<Job> jobs_from(const Asked& asked, const Options& options, const Tokenizer& tokenizer,
                           const ModelConfig& config) {
  return asked.workload ? jobs_from(*asked.workload, options, config)
                        : jobs_from(asked.prompts, asked.samples, options, tokenizer, config);
}

std::vector<Job> jobs_from(const std::vector<Prompt>& prompts, int samples, const Options& options,
                           const Tokenizer& tokenizer, const ModelConfig& config) {
  std::vector<Job> jobs;
  for (const Prompt& prompt : prompts) {
    Job job;
    job.origin = prompt.origin;
    try {
      job.request = make_requests({prompt}, options, tokenizer, config).front();
    } catch (const BadInput& error) {
      if (prompts.size() == 1) throw;
      job.refusal = fmt::format("{} ({})", error.what(), error.hint());
    }
    add_samples(job, samples, jobs);
  }
  return jobs;
}

std::vector<Job> jobs_from(const Workload& workload, const Options& options, const ModelConfig& config) {
  validate(workload);
  std::vector<Job> jobs;
  for (const WorkloadRequest& asked : workload.requests) {
    Job job;
    job.origin = fmt::format("{}: request {}", workload.name, jobs.size());
    job.arrival_ns = asked.arrival_ns;
    job.priority = asked.priority;
    job.request.id = int(jobs.size());
    job.request.prompt_tokens = asked.prompt_tokens;
    job.request.max_tokens = asked.output_tokens;
    job.request.sampling = options.sampling;
    if (asked.prompt_tokens + asked.output_tokens > config.context) {
      job.request.prompt_tokens = 0;
      job.refusal = fmt::format("{}: {} prompt and {} output tokens are longer than the model's context of {}",
                                job.origin, asked.prompt_tokens, asked.output_tokens, config.context);
    } else {
      job.request.tokens = prompt_ids(workload, jobs.size(), TokenId(config.vocabulary));
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

int64_t most_stored(const Request& request) {
  return request.prompt_tokens + std::max<int64_t>(request.max_tokens - 1, 0);
}

int64_t most_stored(const std::vector<Job>& jobs) {
  int64_t most = 1;
  for (const Job& job : jobs) {
    if (!job.refusal) most = std::max(most, most_stored(job.request));
  }
  return most;
}

}  // namespace stagecraft
