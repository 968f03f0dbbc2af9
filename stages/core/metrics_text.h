#pragma once
/// @file
/// Metrics in the text format that Prometheus reads (text exposition format 0.0.4): for each metric its help, its type,
/// and a line a value.
///
///     # HELP vllm:num_requests_running Requests that are in the batch.
///     # TYPE vllm:num_requests_running gauge
///     vllm:num_requests_running{model_name="tales-5m",engine="0"} 3
///
/// A histogram is a line a bucket, each with all values up to its bound, then sum and count. Nothing here knows what is
/// measured; see live_metrics.h.
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stagecraft {

class MetricsText {
 public:
  using Labels = std::vector<std::pair<std::string, std::string>>;

  /// `labels` are on every line.
  explicit MetricsText(Labels labels);

  /// Something that rises and falls.
  void gauge(std::string_view name, std::string_view help, double value);
  /// Something that only rises. `name` has no "_total": that is appended, as the format asks for.
  void counter(std::string_view name, std::string_view help, double value);
  /// The same split by one more label.
  void counter(std::string_view name, std::string_view help, std::string_view label,
               const std::vector<std::pair<std::string, double>>& values);
  /// `bounds` rise; a last bucket without bound is added.
  void histogram(std::string_view name, std::string_view help, std::span<const double> bounds,
                 const std::vector<double>& values);

  const std::string& text() const { return text_; }

 private:
  void head(std::string_view name, std::string_view help, std::string_view type);
  void line(std::string_view name, const Labels& more, double value);

  Labels labels_;
  std::string text_;
};

}  // namespace stagecraft
