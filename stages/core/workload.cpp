/// @file
/// Workloads from a seed. Every quantity has its own random stream, so that changing one leaves the others alone.
#include "stages/core/workload.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/random_stream.h"

namespace stagecraft {
namespace {

constexpr double kNsPerSecond = 1e9;

enum class Quantity : uint64_t { arrivals, prompt, output, prefix, shared_ids, own_ids };

// The last two have a stream for each content.
RandomStream stream_of(uint64_t seed, Quantity which, uint64_t content = 0) {
  constexpr uint64_t kStreams = 8;
  return {seed, content * kStreams + uint64_t(which)};
}

void require(bool condition, const char* field, double value, const char* hint) {
  if (!condition) throw BadInput(fmt::format("workload: {} is {}", field, value), hint);
}

void validate(const ArrivalSpec& arrivals) {
  // Below one a year, a gap overflows the clock.
  constexpr double kSlowest = 1e-7;
  require(arrivals.per_second == ArrivalSpec::kAllAtOnce || arrivals.per_second >= kSlowest, "arrivals per second",
          arrivals.per_second, "give a positive rate, or 0 for all at once");
  require(arrivals.burstiness > 0 && std::isfinite(arrivals.burstiness), "burstiness", arrivals.burstiness,
          "1 is a Poisson process, smaller is burstier");
}

void validate(const LengthSpec& lengths, const char* mean, const char* cv, const char* longest) {
  require(lengths.mean >= 1 && lengths.mean <= double(LengthSpec::kNoLimit), mean, lengths.mean, "1 is the shortest");
  require(lengths.cv >= 0 && std::isfinite(lengths.cv), cv, lengths.cv, "0 makes all lengths equal");
  require(lengths.longest >= 1, longest, double(lengths.longest), "1 is the shortest");
}

int64_t draw_length(RandomStream& random, const LengthSpec& lengths) {
  // A float does not hold every length exactly; without spread none is drawn.
  const double length =
      lengths.cv == 0 ? lengths.mean : double(random.lognormal(float(lengths.mean), float(lengths.cv)));
  return int64_t(std::clamp(std::round(length), 1.0, double(lengths.longest)));
}

}  // namespace

Workload generate_workload(const WorkloadSpec& spec) {
  require(spec.requests >= 1, "requests", double(spec.requests), "1 is the smallest that works");
  validate(spec.prompt, "prompt mean", "prompt cv", "longest prompt");
  validate(spec.output, "output mean", "output cv", "longest output");
  require(spec.prefixes >= 0 && spec.prefixes <= INT32_MAX, "prefixes", double(spec.prefixes), "0 shares nothing");
  require(spec.prefix_tokens >= 0, "prefix tokens", double(spec.prefix_tokens), "0 shares nothing");

  Workload workload{fmt::format("generated, seed {}", spec.seed), {}};
  workload.requests.resize(size_t(spec.requests));
  RandomStream prompt = stream_of(spec.seed, Quantity::prompt);
  RandomStream output = stream_of(spec.seed, Quantity::output);
  RandomStream prefix = stream_of(spec.seed, Quantity::prefix);
  for (WorkloadRequest& request : workload.requests) {
    request.prompt_tokens = draw_length(prompt, spec.prompt);
    request.output_tokens = draw_length(output, spec.output);
    if (spec.prefixes > 0 && spec.prefix_tokens > 0) {
      request.prefix.push_back({uint64_t(prefix.below(uint32_t(spec.prefixes))), spec.prefix_tokens});
      request.prompt_tokens += spec.prefix_tokens;
    }
  }
  set_arrivals(workload, spec.arrivals, spec.seed);
  return workload;
}

void set_arrivals(Workload& workload, const ArrivalSpec& arrivals, uint64_t seed) {
  validate(arrivals);
  RandomStream random = stream_of(seed, Quantity::arrivals);
  int64_t now_ns = 0;
  for (WorkloadRequest& request : workload.requests) {
    if (arrivals.per_second != ArrivalSpec::kAllAtOnce) {
      const double mean_gap_ns = kNsPerSecond / arrivals.per_second;
      now_ns += std::llround(double(random.gamma(float(arrivals.burstiness))) * mean_gap_ns / arrivals.burstiness);
    }
    request.arrival_ns = now_ns;
  }
}

void validate(const Workload& workload) {
  int64_t previous_ns = 0;
  for (size_t i = 0; i < workload.requests.size(); ++i) {
    const WorkloadRequest& request = workload.requests[i];
    const auto refuse = [&](std::string what) {
      throw BadInput(fmt::format("{}, request {}: {}", workload.name, i, what));
    };
    if (request.arrival_ns < 0) refuse(fmt::format("it arrives {} ns before the start", -request.arrival_ns));
    if (request.arrival_ns < previous_ns) {
      refuse(
          fmt::format("it arrives at {} ns, before the one in front of it at {} ns", request.arrival_ns, previous_ns));
    }
    if (request.prompt_tokens < 1) refuse(fmt::format("its prompt has {} tokens", request.prompt_tokens));
    if (request.output_tokens < 1) refuse(fmt::format("it asks for {} tokens", request.output_tokens));
    int64_t shared = 0;
    for (const SharedPiece& piece : request.prefix) shared += piece.tokens;
    if (shared > request.prompt_tokens) {
      refuse(
          fmt::format("its shared prefix of {} tokens is longer than its prompt of {}", shared, request.prompt_tokens));
    }
    previous_ns = request.arrival_ns;
  }
}

std::vector<TokenId> prompt_ids(const Workload& workload, size_t index, TokenId vocabulary) {
  check(vocabulary > 0, "a vocabulary has a token");
  const WorkloadRequest& request = workload.requests.at(index);
  std::vector<TokenId> ids;
  ids.reserve(size_t(request.prompt_tokens));
  const auto append = [&](RandomStream random, int64_t tokens) {
    for (int64_t i = 0; i < tokens; ++i) ids.push_back(TokenId(random.below(uint32_t(vocabulary))));
  };
  constexpr uint64_t kSeed = 0;  // the same prompts for the same workload, always
  for (const SharedPiece& piece : request.prefix)
    append(stream_of(kSeed, Quantity::shared_ids, piece.content), piece.tokens);
  append(stream_of(kSeed, Quantity::own_ids, index), request.prompt_tokens - int64_t(ids.size()));
  return ids;
}

}  // namespace stagecraft
