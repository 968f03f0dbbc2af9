/// @file
/// Lines, and what must be escaped in them.
#include "stages/core/metrics_text.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

std::string escaped_label(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return escaped;
}

/// As the format writes numbers: whole ones without a point, and infinity as +Inf.
std::string number(double value) {
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{:.15g}", value);
}

}  // namespace

MetricsText::MetricsText(Labels labels) : labels_(std::move(labels)) {}

void MetricsText::head(std::string_view name, std::string_view help, std::string_view type) {
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

void MetricsText::line(std::string_view name, const Labels& more, double value) {
  std::string labels;
  for (const Labels* part : std::initializer_list<const Labels*>{&labels_, &more}) {
    for (const auto& [key, text] : *part) {
      labels += fmt::format("{}{}=\"{}\"", labels.empty() ? "" : ",", key, escaped_label(text));
    }
  }
  text_ += labels.empty() ? fmt::format("{} {}\n", name, number(value))
                          : fmt::format("{}{{{}}} {}\n", name, labels, number(value));
}

void MetricsText::gauge(std::string_view name, std::string_view help, double value) {
  head(name, help, "gauge");
  line(name, {}, value);
}

void MetricsText::counter(std::string_view name, std::string_view help, double value) {
  const std::string total = std::string(name) + "_total";
  head(total, help, "counter");
  line(total, {}, value);
}

void MetricsText::counter(std::string_view name, std::string_view help, std::string_view label,
                          const std::vector<std::pair<std::string, double>>& values) {
  const std::string total = std::string(name) + "_total";
  head(total, help, "counter");
  for (const auto& [key, value] : values) line(total, {{std::string(label), key}}, value);
}

void MetricsText::histogram(std::string_view name, std::string_view help, std::span<const double> bounds,
                            const std::vector<double>& values) {
  check(std::is_sorted(bounds.begin(), bounds.end()), "the bounds of a histogram rise");
  head(name, help, "histogram");
  const std::string bucket = std::string(name) + "_bucket";
  for (const double bound : bounds) {
    const auto within = std::count_if(values.begin(), values.end(), [&](double value) { return value <= bound; });
    line(bucket, {{"le", number(bound)}}, double(within));
  }
  line(bucket, {{"le", "+Inf"}}, double(values.size()));
  line(std::string(name) + "_sum", {}, std::accumulate(values.begin(), values.end(), 0.0));
  line(std::string(name) + "_count", {}, double(values.size()));
}

}  // namespace stagecraft
