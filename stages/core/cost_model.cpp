/// @file
/// The roofline of one step, in integers.
#include "stages/core/cost_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr int64_t kPsPerNs = 1000;
constexpr double kNsPerUs = 1000;

// `value` is not negative.
int64_t divide_up(int64_t value, int64_t by) { return value / by + (value % by != 0 ? 1 : 0); }

void require(const char* field, int64_t value, int64_t least) {
  if (value >= least) return;
  throw BadInput(fmt::format("cost model: {} is {}", field, value),
                 fmt::format("{} is the smallest that works", least));
}

/// Rows and the keys that each of them sees: the last sees all `kv_length`, the one before it one less.
int64_t pairs_of(const StepPart& part) { return part.rows * part.kv_length - part.rows * (part.rows - 1) / 2; }

}  // namespace

int64_t ExpertWeights::expected_bytes(int64_t tokens) const {
  if (bytes == 0) return 0;
  const double spared_by_one = 1.0 - double(per_token) / double(count);
  double spared = 1.0;  // by multiplication: std::pow may differ from one C library to the next
  for (int64_t i = 0; i < tokens && spared > 0; ++i) spared *= spared_by_one;
  return bytes - int64_t(double(bytes) * spared);
}

void CostModel::validate() const {
  require("overhead_ns", overhead_ns, 0);
  require("weight_bytes", weight_bytes, 0);
  require("kv_bytes_per_token", kv_bytes_per_token, 0);
  require("bytes_per_ns", bytes_per_ns, 1);
  require("flop_per_token", flop_per_token, 0);
  require("flop_per_ns", flop_per_ns, 1);
  require("experts.bytes", experts.bytes, 0);
  require("experts.per_token", experts.per_token, 1);
  require("experts.count", experts.count, experts.per_token);
  require("flop_per_request", flop_per_request, 0);
  require("attention_ps", attention_ps, 0);
  require("key_ps", key_ps, 0);
  int64_t rows = 0;
  for (const RowRate& rate : rates) {
    require("rates.rows", rate.rows, rows + 1);
    require("rates.flop_per_us", rate.flop_per_us, 1);
    rows = rate.rows;
  }
}

/// Time rises in a straight line from one measured number of rows to the next, and on beyond the last.
double CostModel::measured_ns(int64_t flop_per_row, int64_t rows) const {
  const auto time_at = [&](const RowRate& rate) {
    return double(rate.rows) * double(flop_per_row) / double(rate.flop_per_us) * kNsPerUs;
  };
  if (rates.size() == 1) return time_at(rates.front()) * double(rows) / double(rates.front().rows);
  const auto above =
      std::find_if(rates.begin() + 1, rates.end() - 1, [&](const RowRate& rate) { return rate.rows >= rows; });
  const auto below = above - 1;
  const double share = double(rows - below->rows) / double(above->rows - below->rows);
  return time_at(*below) + share * (time_at(*above) - time_at(*below));
}

int64_t CostModel::arithmetic_ns(int64_t tokens, int64_t requests) const {
  if (rates.empty()) return divide_up(tokens * flop_per_token + requests * flop_per_request, flop_per_ns);
  return std::max<int64_t>(
      0, std::llround(std::ceil(measured_ns(flop_per_token, tokens) + measured_ns(flop_per_request, requests))));
}

int64_t CostModel::step_ns(const std::vector<StepPart>& parts) const {
  int64_t tokens = 0, held = 0, pairs = 0;
  for (const StepPart& part : parts) {
    tokens += part.rows;
    held += part.kv_length;
    pairs += pairs_of(part);
  }
  const int64_t read = weight_bytes + experts.expected_bytes(tokens) + held * kv_bytes_per_token;
  const int64_t memory_ns = divide_up(read, bytes_per_ns);
  const int64_t compute_ns =
      arithmetic_ns(tokens, int64_t(parts.size())) + divide_up(pairs * attention_ps + held * key_ps, kPsPerNs);
  return overhead_ns + std::max(memory_ns, compute_ns);
}

}  // namespace stagecraft
