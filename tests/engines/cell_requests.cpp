/// @file
/// Prompts that share beginnings, are equal, or loop; lengths at the edges of blocks, 1, and the longest; samples;
/// arrivals; stop texts.
#include "tests/engines/cell_requests.h"

#include <algorithm>

namespace stagecraft::testing {
namespace {

constexpr int64_t kStepNs = 1'000'000;  // of RunOptions::cost

/// How much a cell may ask for.
struct Limits {
  int64_t requests, prompt, output;
};

Limits limits_of(const Cell& cell) {
  if (cell.device == "sim") return {4, 20, 6};
  if (cell.model == "models/tales-5m") return {4, 24, 8};
  if (cell.stage <= 2) return {5, 40, 8};  // stage 1 is in it, which computes everything again for each token
  return {12, 70, 24};
}

class JobWriter {
 public:
  JobWriter(const Cell& cell, RandomStream& random, const ModelConfig& config)
      : random_(random), config_(config), limits_(limits_of(cell)), edge_(std::min(cell.block_size, limits_.prompt)) {
    shared_ = fresh_tokens(limits_.prompt);
    samples_ = one_in(4) ? 2 + random_.below(2) : 1;
    stops_ = one_in(2);
    one_seed_ = one_in(3);
    mean_gap_ns_ = one_in(2) ? 0 : kStepNs * (1 + random_.below(6));
    longest_there_is_ = cell.stage > 2 && cell.device == "cpu" && cell.model != "models/tales-5m" && one_in(40);
  }

  std::vector<Job> write() {
    const int64_t count = 1 + random_.below(uint32_t(limits_.requests));
    while (int64_t(jobs_.size()) < count) add();
    if (longest_there_is_ && samples_ == 1) {
      Request& request = one_in(2) ? jobs_.front().request : jobs_.back().request;
      set_prompt(request, fresh_tokens(config_.context - request.max_tokens));
    }
    return std::move(jobs_);
  }

 private:
  bool one_in(uint32_t n) { return random_.below(n) == 0; }

  std::vector<TokenId> fresh_tokens(int64_t count) {
    std::vector<TokenId> tokens;
    for (int64_t i = 0; i < count; ++i) tokens.push_back(TokenId(random_.below(uint32_t(config_.vocabulary))));
    return tokens;
  }

  int64_t prompt_length() {
    const int64_t at_an_edge = edge_ * (1 + random_.below(uint32_t(std::max<int64_t>(limits_.prompt / edge_, 1))));
    switch (random_.below(6)) {
      case 0:
        return 1;
      case 1:
        return limits_.prompt;
      case 2:
        return std::clamp<int64_t>(at_an_edge - 1 + random_.below(3), 1, limits_.prompt);
      case 3:
        return std::clamp<int64_t>(at_an_edge, 1, limits_.prompt);
      default:
        return 1 + random_.below(uint32_t(limits_.prompt));
    }
  }

  int64_t output_length(int64_t prompt) {
    const int64_t to_the_edge = edge_ - prompt % edge_;
    switch (random_.below(5)) {
      case 0:
        return 1;
      case 1:
        return std::min(limits_.output, to_the_edge + random_.below(2));  // the last token is not stored
      default:
        return 1 + random_.below(uint32_t(limits_.output));
    }
  }

  std::vector<TokenId> prompt() {
    const int64_t length = prompt_length();
    std::vector<TokenId> tokens = fresh_tokens(length);
    switch (random_.below(6)) {
      case 0:
      case 1:  // begins like others
        std::copy(shared_.begin(), shared_.begin() + random_.below(uint32_t(length) + 1), tokens.begin());
        return tokens;
      case 2:  // what another one asked
        if (!jobs_.empty()) return jobs_[size_t(random_.below(uint32_t(jobs_.size())))].request.tokens;
        return tokens;
      case 3: {  // goes round and round
        const size_t period = size_t(1 + random_.below(5));
        for (size_t i = period; i < tokens.size(); ++i) tokens[i] = tokens[i - period];
        return tokens;
      }
      default:
        return tokens;
    }
  }

  static void set_prompt(Request& request, std::vector<TokenId> tokens) {
    request.prompt_tokens = int64_t(tokens.size());
    request.tokens = std::move(tokens);
  }

  void add() {
    Job job;
    Request& request = job.request;
    set_prompt(request, prompt());
    request.max_tokens = output_length(request.prompt_tokens);
    constexpr float kTemperatures[] = {0.0f, 0.7f, 1.5f};
    request.sampling.temperature = kTemperatures[random_.below(3)];
    request.sampling.seed = one_seed_ ? 7 : random_.word();
    if (one_in(4)) request.sampling.top_k = 20;
    if (one_in(5)) request.sampling.top_p = 0.8f;
    if (stops_ && one_in(2)) request.stop = {one_in(2) ? "e" : "he ", " "};
    if (mean_gap_ns_ > 0) now_ns_ += int64_t(double(random_.gamma(1.0f)) * double(mean_gap_ns_));
    job.arrival_ns = now_ns_;
    job.priority = int(random_.below(3));
    const int first = int(jobs_.size());
    for (int64_t sample = 0; sample < samples_; ++sample) {
      request.id = first + int(sample);
      job.origin = "request " + std::to_string(request.id);
      if (sample > 0) {
        request.sample_of = first;
        ++request.sampling.seed;
      }
      jobs_.push_back(job);
    }
  }

  RandomStream& random_;
  const ModelConfig& config_;
  Limits limits_;
  int64_t edge_;
  std::vector<TokenId> shared_;
  int64_t samples_ = 1;
  bool stops_ = false, one_seed_ = false;
  bool longest_there_is_ = false;  // one that fills the context
  int64_t mean_gap_ns_ = 0;
  int64_t now_ns_ = 0;
  std::vector<Job> jobs_;
};

}  // namespace

std::vector<Job> draw_jobs(const Cell& cell, RandomStream& random, const ModelConfig& config) {
  return JobWriter(cell, random, config).write();
}

std::vector<Job> without_job(std::vector<Job> jobs, size_t place) {
  jobs.erase(jobs.begin() + std::ptrdiff_t(place));
  for (size_t i = 0; i < jobs.size(); ++i) {
    Request& request = jobs[i].request;
    request.id = int(i);
    if (!request.sample_of || *request.sample_of < int(place)) continue;
    if (*request.sample_of == int(place)) {
      request.sample_of.reset();
    } else {
      --*request.sample_of;
    }
  }
  return jobs;
}

}  // namespace stagecraft::testing
