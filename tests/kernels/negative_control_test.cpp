/// @file
/// T11: kernels that break the contract on purpose must be caught by the very checks that ours pass. Both mistakes are
/// what fast engines really do: a split of the dot product that depends on the number of rows, and attention tiles that
/// start where the chunk starts.
#include "kernels/cpu/cpu_device.h"
#include "kernels/exact_math.h"
#include "tests/catch.h"
#include "tests/kernels/kernel_cases.h"

using namespace stagecraft;
using namespace stagecraft::testing;
using cpu::CpuDevice;
using cpu::kPlainTarget;

namespace {

/// Splits each dot product in two halves as soon as there are several rows (breaks R1).
void linear_split_by_rows(const float* x, WeightView weight, WeightView, float* out, int rows, int in, int out_width,
                          Stream) {
  with_elements(weight.type, weight.data, [&](const auto* w) {
    const int first = rows > 1 ? in / 2 : in;
    for (int r = 0; r < rows; ++r) {
      for (int o = 0; o < out_width; ++o) {
        const float* xr = x + r * in;
        const auto* wo = w + o * in;
        out[r * out_width + o] =
            exact_dot(xr, wo, first) + (first < in ? exact_dot(xr + first, wo + first, in - first) : 0.0f);
      }
    }
  });
}

/// One softmax state per 64 keys, counted from the first row of the chunk instead of from position 0 (breaks R3).
void attention_tiled_by_chunk(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape& shape,
                              float*, Stream) {
  const auto* keys = static_cast<const float*>(kv.keys);
  const auto* values = static_cast<const float*>(kv.values);
  const auto address = std::get<ContiguousAddress>(kv.address);
  const int dim = shape.head_dim, offset = who.positions[0] % kAttentionTile;
  for (int r = 0; r < who.rows; ++r) {
    SoftmaxState state;
    float* row = out + r * dim;
    std::fill_n(row, dim, 0.0f);
    for (int start = offset - kAttentionTile; start <= who.positions[r]; start += kAttentionTile) {
      SoftmaxState tile;
      std::vector<float> tile_values(size_t(dim), 0.0f), scores;
      const int first = std::max(0, start), last = std::min(start + kAttentionTile, who.positions[r] + 1);
      for (int p = first; p < last; ++p) {
        const float* key = keys + address.slot(who.sequence[r], p) * dim;
        scores.push_back(exact_dot(q + r * dim, key, dim) * shape.scale);
        tile.max = std::max(tile.max, scores.back());
      }
      if (scores.empty()) continue;
      for (int p = first; p < last; ++p) {
        const float weight = exact_exp(scores[size_t(p - first)] - tile.max);
        tile.sum += weight;
        const float* value = values + address.slot(who.sequence[r], p) * dim;
        for (int d = 0; d < dim; ++d) tile_values[size_t(d)] = fmaf(weight, value[d], tile_values[size_t(d)]);
      }
      const bool empty = state.sum == 0.0f;
      const MergeWeights weights = empty ? MergeWeights{0.0f, 1.0f} : merge(state, tile);
      if (empty) state = tile;
      for (int d = 0; d < dim; ++d) {
        row[d] = fmaf(row[d], weights.earlier, tile_values[size_t(d)] * weights.later);
      }
    }
    for (int d = 0; d < dim; ++d) row[d] /= state.sum;
  }
}

AttentionInput chunk_of_attention(int rows) {
  const AttentionShape shape{1, 1, 64, kNoWindow, 0.125f};
  return attention_case(NumberType::fp32, shape, {{200, rows}});
}

}  // namespace

TEST_CASE("a linear that splits by rows is caught by T1 and by T10") {
  CpuDevice plain(1, kPlainTarget), broken(1, kPlainTarget);
  broken.kernels().linear = linear_split_by_rows;
  const LinearInput batch = linear_case(NumberType::bf16, 3, 576, 50, false);
  CHECK(row_difference(plain, batch) == "");
  CHECK(row_difference(broken, batch) != "");
  CHECK(difference_to(plain, broken, batch.row(0)) == "");  // alone it is right, so only a batch shows it
  CHECK(difference_to(plain, broken, batch) != "");
}

TEST_CASE("attention whose tiles start with the chunk is caught by T1 and by T10") {
  CpuDevice plain(1, kPlainTarget), broken(1, kPlainTarget);
  broken.kernels().attention = attention_tiled_by_chunk;
  const AttentionInput chunk = chunk_of_attention(7);
  CHECK(row_difference(plain, chunk) == "");
  CHECK(row_difference(broken, chunk) != "");
  CHECK(difference_to(plain, broken, chunk) != "");
}

TEST_CASE("an operation that adds instead of skipping a masked key is caught by the NaN around it") {
  CpuDevice plain(1, kPlainTarget), broken(1, kPlainTarget);
  broken.kernels().add = [](float* x, const float* y, int64_t n, Stream) {
    for (int64_t i = 0; i < n; ++i) x[i] += y[i] + 0.0f * y[i + 1];  // reads one too far; NaN behind the end
  };
  RandomNumbers random{5};
  const PairwiseInput input{PairwiseInput::Operation::add, 2, 8, random.normals(16), random.normals(16)};
  CHECK(difference_to(plain, broken, input) != "");
}

TEST_CASE("the comparison names the first element that differs and tells zeros apart") {
  CHECK(first_difference<float>({1, 2}, {1, 2}) == "");
  CHECK(first_difference<float>({1, 2, 3}, {1, 4, 5}).find("element 1 of 3") == 0);
  CHECK(first_difference<float>({0.0f}, {-0.0f}) != "");
  CHECK(first_difference<float>({1}, {1, 2}) != "");
  CHECK(first_difference<float>({kPoison}, {1}) != "");
}
