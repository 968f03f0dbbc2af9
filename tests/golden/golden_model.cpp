#include "tests/golden/golden_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace stagecraft::golden {
namespace {

TokenId arg_max(const float* row, int64_t vocabulary) { return TokenId(std::max_element(row, row + vocabulary) - row); }

}  // namespace

std::filesystem::path folder() { return std::filesystem::path(STAGECRAFT_SOURCE_DIR) / "tests" / "golden"; }

GoldenModel::GoldenModel(const std::filesystem::path& model_folder, NumberType kv_type, int64_t max_positions)
    : config_(read_model_config(model_folder)),
      model_(device_, config_, load_weights(model_folder, config_), max_positions),
      pool_(device_, config_, kv_type, max_positions) {}

std::vector<float> GoldenModel::run(const std::vector<TokenId>& ids, int64_t computed,
                                    const std::vector<int32_t>& rows) {
  ForwardBatch batch;
  batch.tokens.assign(ids.begin() + computed, ids.end());
  batch.positions.resize(batch.tokens.size());
  std::iota(batch.positions.begin(), batch.positions.end(), int32_t(computed));
  batch.slots.assign(batch.positions.begin(), batch.positions.end());
  batch.query_start = {0, batch.rows()};
  batch.first_slot = {0};
  batch.logit_rows = rows;

  const float* logits = model_.forward(batch, pool_);
  device_.synchronize();
  std::vector<float> host(rows.size() * size_t(config_.vocabulary));
  device_.copy_to_host(host.data(), logits, host.size() * sizeof(float));
  return host;
}

std::vector<float> GoldenModel::all_logits(const std::vector<TokenId>& ids) {
  std::vector<int32_t> rows(ids.size());
  std::iota(rows.begin(), rows.end(), 0);
  return run(ids, 0, rows);
}

std::vector<float> GoldenModel::last_logits(const std::vector<TokenId>& ids) {
  return run(ids, 0, {int32_t(ids.size()) - 1});
}

std::vector<TokenId> GoldenModel::greedy_at_each(const std::vector<TokenId>& ids) {
  const std::vector<float> logits = all_logits(ids);
  std::vector<TokenId> best;
  for (size_t t = 0; t < ids.size(); ++t) {
    best.push_back(arg_max(logits.data() + t * size_t(config_.vocabulary), config_.vocabulary));
  }
  return best;
}

std::vector<TokenId> GoldenModel::continuation(std::vector<TokenId> ids, int count) {
  const size_t prompt = ids.size();
  int64_t computed = 0;
  for (int i = 0; i < count; ++i) {
    const std::vector<float> row = run(ids, computed, {int32_t(int64_t(ids.size()) - computed) - 1});
    computed = int64_t(ids.size());
    ids.push_back(arg_max(row.data(), config_.vocabulary));
  }
  return {ids.begin() + int64_t(prompt), ids.end()};
}

double relative_error(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double difference = 0, norm = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(double(a[i]) - double(b[i]), 2);
    norm += std::pow(double(b[i]), 2);
  }
  const double error = std::sqrt(difference) / std::sqrt(norm);
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

}  // namespace stagecraft::golden
