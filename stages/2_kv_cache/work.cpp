/// @file
/// Count and law side by side; then the cache's size, and what other head sharings would make of it.
#include "stages/2_kv_cache/work.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/counting_laws.h"

namespace stagecraft {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

struct Laws {
  int64_t cached = 0, naive = 0, drawn = 0;
};

Laws laws_of(const RunReport& report) {
  Laws laws;
  for (const RequestRecord& request : report.log.requests) {
    const int64_t output = int64_t(request.output_ids.size());
    laws.cached += cached_tokens_forwarded(request.prompt_tokens, output);
    laws.naive += naive_tokens_forwarded(request.prompt_tokens, output);
    laws.drawn += output;
  }
  return laws;
}

WorkLine sharing_line(const HeadSharing& sharing, const HeadSharing& of_model, const ModelConfig& config) {
  const double ratio = double(sharing.kv_bytes_per_token) / double(of_model.kv_bytes_per_token);
  return {
      fmt::format("K/V a token, {}", sharing.name), with_commas(sharing.kv_bytes_per_token),
      fmt::format("{} K/V head{} for {} query heads: x{:.2f}; {} tokens in 1 GiB{}", sharing.kv_heads,
                  sharing.kv_heads == 1 ? "" : "s", config.heads, ratio, with_commas(kGiB / sharing.kv_bytes_per_token),
                  sharing.kv_heads == of_model.kv_heads ? "; this model" : "")};
}

}  // namespace

std::vector<HeadSharing> head_sharings(const ModelConfig& config, NumberType type) {
  const int64_t one_head = config.kv_bytes_per_token(type) / config.kv_heads;
  std::vector<HeadSharing> sharings{{"MHA", config.heads, one_head * config.heads}};
  if (config.kv_heads != config.heads && config.kv_heads != 1) {
    sharings.push_back({"GQA", config.kv_heads, one_head * config.kv_heads});
  }
  if (config.heads != 1) sharings.push_back({"MQA", 1, one_head});
  return sharings;
}

std::vector<WorkLine> kv_cache_work(const RunReport& report, const ModelConfig& config, NumberType type) {
  const Laws laws = laws_of(report);
  const Counts& counts = report.counts;
  const int64_t per_token = config.kv_bytes_per_token(type);
  check(counts.forward_passes == laws.drawn, "one pass a token");
  check(counts.tokens_forwarded == laws.cached, "a KV cache forwards p + n - 1 tokens");
  check(counts.tokens_recomputed == 0, "with a KV cache nothing is computed twice");
  check(counts.kv_bytes_used_peak % per_token == 0, "K and V are held for whole tokens");

  const ForwardTime time = forward_time(report.log);
  const double bytes_read = double(counts.weight_bytes_read) + double(counts.kv_bytes_read);
  const int64_t weight_bytes_a_pass = counts.weight_bytes_read / std::max<int64_t>(counts.forward_passes, 1);
  std::vector<WorkLine> lines{
      {"forward passes", with_commas(counts.forward_passes), "one a token"},
      {"tokens forwarded", with_commas(counts.tokens_forwarded), "law: p + n - 1 = " + with_commas(laws.cached)},
      {"stage 1 would forward", with_commas(laws.naive),
       fmt::format("x{:.1f}; the two part at the 2nd output token: for one token nothing is gained",
                   double(laws.naive) / double(std::max<int64_t>(laws.cached, 1)))},
      {"time in passes, ms", fmt::format("{:.1f}", time.total_ms()),
       fmt::format("prompt {}, new tokens {}", percent(time.prompt_ms, time.total_ms()),
                   percent(time.new_ms, time.total_ms()))},
      {"weight bytes read", with_commas(counts.weight_bytes_read), "all weights, once a pass, for one row"},
      {"K/V bytes read", with_commas(counts.kv_bytes_read),
       fmt::format("{} of all bytes; as many as the weights at a length of {} tokens",
                   percent(double(counts.kv_bytes_read), bytes_read), with_commas(weight_bytes_a_pass / per_token))},
      {"K/V bytes a token", with_commas(per_token),
       fmt::format("law: 2 x {} layers x {} heads x {} x {} bytes; it grows by this with every token", config.layers,
                   config.kv_heads, config.head_dim, bytes_of(type))},
      {"K/V bytes held, peak", with_commas(counts.kv_bytes_used_peak),
       fmt::format("{} tokens, of {} reserved; a full context of {} tokens holds {}",
                   with_commas(counts.kv_bytes_used_peak / per_token), with_commas(counts.kv_bytes_reserved_peak),
                   with_commas(config.context), with_commas(config.context * per_token))},
  };
  const HeadSharing of_model{"", config.kv_heads, per_token};
  for (const HeadSharing& sharing : head_sharings(config, type)) {
    lines.push_back(sharing_line(sharing, of_model, config));
  }
  return lines;
}

}  // namespace stagecraft
