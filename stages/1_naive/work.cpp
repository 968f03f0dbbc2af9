/// @file
/// Count and law, side by side.
#include "stages/1_naive/work.h"

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/counting_laws.h"

namespace stagecraft {
std::vector<WorkLine> naive_work(const RunReport& report) {
  int64_t law = 0, with_cache = 0, drawn = 0;
  for (const RequestRecord& request : report.log.requests) {
    const int64_t output = int64_t(request.output_ids.size());
    law += naive_tokens_forwarded(request.prompt_tokens, output);
    with_cache += cached_tokens_forwarded(request.prompt_tokens, output);
    drawn += output;
  }
  const Counts& counts = report.counts;
  check(counts.forward_passes == drawn, "naive decoding makes one pass a token");
  check(counts.tokens_forwarded == law, "naive decoding forwards p + (p + 1) + ... tokens");
  check(counts.tokens_recomputed == law - with_cache, "naive decoding recomputes all but what a cache would forward");

  const ForwardTime time = forward_time(report.log);
  const auto share = [&](double ms) { return percent(ms, time.total_ms()); };
  return {
      {"forward passes", with_commas(counts.forward_passes), "one a token"},
      {"tokens forwarded", with_commas(counts.tokens_forwarded),
       "law: p + (p+1) + ... + (p+n-1) = " + with_commas(law)},
      {"tokens recomputed", with_commas(counts.tokens_recomputed),
       fmt::format("{} of them; a KV cache would forward {} in all",
                   percent(double(counts.tokens_recomputed), double(counts.tokens_forwarded)),
                   with_commas(with_cache))},
      {"time in passes, ms", fmt::format("{:.1f}", time.total_ms()),
       fmt::format("prompt {}, new tokens {}, recomputing {}", share(time.prompt_ms), share(time.new_ms),
                   share(time.recomputed_ms))},
      {"weight bytes read", with_commas(counts.weight_bytes_read), "all weights, once a pass"},
      {"K/V bytes held, peak", with_commas(counts.kv_bytes_used_peak),
       fmt::format("of {} reserved", with_commas(counts.kv_bytes_reserved_peak))},
  };
}

}  // namespace stagecraft
