/// @file
/// A scatter chart of waits.
#include "stages/core/itl_chart.h"

#include <algorithm>

#include "stages/core/metrics.h"
#include "stages/core/svg_plot.h"

namespace stagecraft {
namespace {

struct Dot {
  double tokens_before;
  double ms;
};

std::vector<Dot> dots_of(const std::vector<RequestRecord>& requests) {
  std::vector<Dot> dots;
  for (const RequestRecord& request : requests) {
    const std::vector<double> gaps = request_metrics(request).itl_ms;
    int64_t tokens = 0;
    for (size_t i = 0; i < gaps.size(); ++i) {
      tokens += request.chunks[i].tokens;
      dots.push_back({double(tokens), gaps[i]});
    }
  }
  return dots;
}

}  // namespace

std::string itl_chart(const std::vector<RequestRecord>& requests) {
  const std::vector<Dot> dots = dots_of(requests);
  if (dots.empty()) return "";
  double most_tokens = 1, longest_ms = 0;
  for (const Dot& dot : dots) {
    most_tokens = std::max(most_tokens, dot.tokens_before);
    longest_ms = std::max(longest_ms, dot.ms);
  }
  SvgPlot plot(
      {"Waiting for the next token", "Inter-token latency in milliseconds, a dot a chunk, by tokens put out before",
       "tokens put out before", "ms"},
      most_tokens, longest_ms);
  for (const Dot& dot : dots) plot.dot(dot.tokens_before, dot.ms, "dot");
  return plot.svg();
}

}  // namespace stagecraft
