/// @file
/// The order of operations of one decoder layer, as Llama, Mistral, Qwen2 and Qwen3 share it:
///
///     x += output(attention(rope(norm?(q(n))), rope(norm?(k(n))), v(n)))   n = rms_norm(x)
///     x += down(silu(gate(m)) * up(m))                                     m = rms_norm(x)
///
/// All of it runs on the device's stream in order; the host only prepares the small arrays that say which row is what.
#include "stages/core/model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "kernels/check.h"
#include "kernels/exact_math.h"
#include "stages/core/batch_check.h"
#include "stages/core/device_weights.h"
#include "stages/core/pass_memory.h"
#include "stages/core/rope_table.h"

namespace stagecraft {
namespace {

/// The next multiple of a tile of keys: passes of neighbouring lengths then have equal grids and scratch, and a device can
/// replay a recorded one.
int whole_tiles(int length) { return (length + kAttentionTile - 1) / kAttentionTile * kAttentionTile; }

/// Which sequence each row belongs to.
std::vector<int32_t> sequence_of_rows(const ForwardBatch& batch) {
  std::vector<int32_t> sequence(size_t(batch.rows()));
  for (int s = 0; s < batch.sequences(); ++s) {
    std::fill(sequence.begin() + batch.query_start[size_t(s)], sequence.begin() + batch.query_start[size_t(s) + 1], s);
  }
  return sequence;
}

/// The block table with as many columns as `positions` need: its width then depends on nothing else.
std::vector<int32_t> table_for(const ForwardBatch& batch, int64_t positions) {
  const int64_t columns = (positions + batch.block_size - 1) / batch.block_size, stride = batch.table_stride;
  std::vector<int32_t> table(size_t(batch.sequences() * columns), kNoBlock);
  for (int64_t s = 0; s < batch.sequences(); ++s) {
    std::copy_n(batch.block_table.begin() + s * stride, std::min(columns, stride), table.begin() + s * columns);
  }
  return table;
}

}  // namespace

struct Model::Parts {
  Device& device;
  ModelConfig config;
  DeviceWeights placed;
  int64_t max_positions;
  AttentionShape shape;
  DeviceArray<float> cosines, sines;  // (max_positions, head_dim / 2)

  Upload<TokenId> tokens;
  Upload<int32_t> positions, query_start, sequence, logit_rows, block_table, row_start;
  Upload<int64_t> slots, first_slot;
  Upload<SamplingRow> sampling;
  Upload<TokenId> draft;
  Result<TokenId> drawn;
  Result<int32_t> accepted;

  Activation residual, normed, q, k, v, attended, projected, gate, up, last, logits, scratch;
  int logit_count = 0, drawn_count = 0;

  Parts(Device& on, const ModelConfig& its_config, ModelWeights its_weights, int64_t positions_bound)
      : device(on),
        config(its_config),
        placed(place_weights(on, its_config, std::move(its_weights))),
        max_positions(positions_bound) {
    const float scale = float(1.0 / std::sqrt(double(config.head_dim)));
    shape = {config.heads, config.kv_heads, config.head_dim, config.window, scale};
    upload_rope_table();
  }

  void upload_rope_table() {
    const RopeTable table = make_rope_table(config.rope, config.head_dim, max_positions);
    cosines = DeviceArray<float>(device, table.cosines.size());
    sines = DeviceArray<float>(device, table.sines.size());
    cosines.copy_from(table.cosines.data(), table.cosines.size());
    sines.copy_from(table.sines.data(), table.sines.size());
  }

  /// What the layers share in one pass.
  struct Pass {
    int rows;
    const int32_t* positions;
    const int64_t* slots;
    RaggedRows who;
    KvAddress address;
    const TokenId* tokens;
    const int32_t* logit_rows;
  };

  /// Sends what says where keys and values lie. `longest` is a bound of all lengths.
  KvAddress send_address(const ForwardBatch& batch, int longest) {
    if (!batch.is_paged()) return ContiguousAddress{first_slot.send(device, batch.first_slot)};
    const std::vector<int32_t> table = table_for(batch, longest);
    const auto stride = int32_t(table.size() / size_t(batch.sequences()));
    return PagedAddress{block_table.send(device, table), stride, block_shift_of(batch.block_size)};
  }

  Pass begin(const ForwardBatch& batch) {
    const int rows = batch.rows();
    const int32_t* device_positions = positions.send(device, batch.positions);
    const int longest = whole_tiles(1 + *std::max_element(batch.positions.begin(), batch.positions.end()));
    const RaggedRows who{query_start.send(device, batch.query_start),
                         sequence.send(device, sequence_of_rows(batch)),
                         device_positions,
                         batch.sequences(),
                         rows,
                         longest};
    const int64_t q_width = int64_t(config.heads) * config.head_dim,
                  kv_width = int64_t(config.kv_heads) * config.head_dim;
    residual.at_least(device, rows * config.hidden_size);
    normed.at_least(device, rows * config.hidden_size);
    projected.at_least(device, rows * config.hidden_size);
    q.at_least(device, rows * q_width);
    k.at_least(device, rows * kv_width);
    v.at_least(device, rows * kv_width);
    attended.at_least(device, rows * q_width);
    gate.at_least(device, rows * config.intermediate_size);
    up.at_least(device, rows * config.intermediate_size);
    logit_count = int(batch.logit_rows.size());
    drawn_count = 0;
    last.at_least(device, logit_count * config.hidden_size);
    logits.at_least(device, logit_count * config.vocabulary);
    scratch.at_least(device, device.kernels().attention_scratch(shape, rows, longest));
    return {rows,
            device_positions,
            slots.send(device, batch.slots),
            who,
            send_address(batch, longest),
            tokens.send(device, batch.tokens),
            logit_rows.send(device, batch.logit_rows)};
  }

  /// The part of a layer that mixes tokens.
  void attention_block(const LayerWeights& w, const Pass& pass, const KvView& kv) {
    const Kernels& op = device.kernels();
    const Stream stream = device.stream();
    const int rows = pass.rows, hidden = int(config.hidden_size), dim = config.head_dim;
    const int q_width = config.heads * dim, kv_width = config.kv_heads * dim;

    op.rms_norm(residual.data(), w.attention_norm, normed.data(), rows, hidden, config.rms_norm_epsilon, stream);
    op.linear(normed.data(), w.q, w.q_bias, q.data(), rows, hidden, q_width, stream);
    op.linear(normed.data(), w.k, w.k_bias, k.data(), rows, hidden, kv_width, stream);
    op.linear(normed.data(), w.v, w.v_bias, v.data(), rows, hidden, kv_width, stream);
    if (config.qk_norm) {
      op.rms_norm(q.data(), w.q_norm, q.data(), rows * config.heads, dim, config.rms_norm_epsilon, stream);
      op.rms_norm(k.data(), w.k_norm, k.data(), rows * config.kv_heads, dim, config.rms_norm_epsilon, stream);
    }
    op.rope(q.data(), pass.positions, cosines.data(), sines.data(), rows, config.heads, dim, stream);
    op.rope(k.data(), pass.positions, cosines.data(), sines.data(), rows, config.kv_heads, dim, stream);
    op.kv_write(k.data(), v.data(), pass.slots, kv, rows, config.kv_heads, dim, stream);
    op.attention(q.data(), kv, pass.who, attended.data(), shape, scratch.data(), stream);
    op.linear(attended.data(), w.output, w.output_bias, projected.data(), rows, q_width, hidden, stream);
    op.add(residual.data(), projected.data(), int64_t(rows) * hidden, stream);
  }

  /// The part of a layer that works on each token alone.
  void mlp_block(const LayerWeights& w, const Pass& pass) {
    const Kernels& op = device.kernels();
    const Stream stream = device.stream();
    const int rows = pass.rows, hidden = int(config.hidden_size), inner = int(config.intermediate_size);

    op.rms_norm(residual.data(), w.mlp_norm, normed.data(), rows, hidden, config.rms_norm_epsilon, stream);
    op.linear(normed.data(), w.gate, w.gate_bias, gate.data(), rows, hidden, inner, stream);
    op.linear(normed.data(), w.up, w.up_bias, up.data(), rows, hidden, inner, stream);
    op.swiglu(gate.data(), up.data(), int64_t(rows) * inner, stream);
    op.linear(gate.data(), w.down, w.down_bias, projected.data(), rows, inner, hidden, stream);
    op.add(residual.data(), projected.data(), int64_t(rows) * hidden, stream);
  }

  /// Final norm and head, for the rows whose logits are wanted.
  void head_block(const Pass& pass) {
    const Kernels& op = device.kernels();
    const Stream stream = device.stream();
    const int hidden = int(config.hidden_size), vocabulary = int(config.vocabulary);
    if (logit_count == 0) return;

    op.gather_rows(residual.data(), pass.logit_rows, last.data(), logit_count, hidden, stream);
    op.rms_norm(last.data(), placed.weights.final_norm, last.data(), logit_count, hidden, config.rms_norm_epsilon,
                stream);
    op.linear(last.data(), placed.weights.head, WeightView{}, logits.data(), logit_count, hidden, vocabulary, stream);
  }

  /// All operations of a pass. Their arguments depend on what recording_key names, and on nothing else.
  void queue(const Pass& pass, const KvPool& pool) {
    device.kernels().embedding(placed.weights.embedding, pass.tokens, residual.data(), pass.rows,
                               int(config.hidden_size), device.stream());
    for (int layer = 0; layer < config.layers; ++layer) {
      const LayerWeights& weights = placed.weights.layers[size_t(layer)];
      attention_block(weights, pass, pool.layer(layer, pass.address));
      mlp_block(weights, pass);
    }
    head_block(pass);
  }

  /// The width of a block table follows from the block size and the number of keys.
  std::string recording_key(const Pass& pass, const KvPool& pool) const {
    const auto* paged = std::get_if<PagedAddress>(&pass.address);
    return fmt::format("{} rows, {} sequences, {} keys, {} logits, blocks of {}, pool {}, model {}", pass.rows,
                       pass.who.sequences, pass.who.longest_kv, logit_count, paged ? paged->block_size() : 0,
                       pool.layer(0, pass.address).keys, static_cast<const void*>(this));
  }
};

Model::Model(Device& device, const ModelConfig& config, ModelWeights weights, int64_t max_positions)
    : parts_(std::make_unique<Parts>(device, config, std::move(weights), max_positions)) {}

Model::~Model() = default;

const float* Model::forward(const ForwardBatch& batch, KvPool& pool) {
  Parts& p = *parts_;
  check_batch(batch, p.config, p.max_positions, pool);
  const Parts::Pass pass = p.begin(batch);
  p.device.repeat(p.recording_key(pass, pool), [&] { p.queue(pass, pool); });
  return p.logits.data();
}

std::vector<TokenId> Model::sample(const std::vector<SamplingRow>& how) {
  Parts& p = *parts_;
  check(int(how.size()) == p.logit_count, "one way of sampling for each row of logits");
  TokenId* drawn = p.drawn.at_least(p.device, int64_t(how.size()));
  p.device.kernels().sample(p.logits.data(), p.sampling.send(p.device, how), drawn, int(how.size()),
                            int(p.config.vocabulary), p.device.stream());
  p.device.synchronize();
  p.drawn_count = int(how.size());
  return p.drawn.first(how.size());
}

std::vector<int32_t> Model::verify(const std::vector<TokenId>& draft, const std::vector<int32_t>& row_start) {
  Parts& p = *parts_;
  check(int(draft.size()) == p.drawn_count, "one drafted token for each token that was drawn");
  check(!row_start.empty() && row_start.front() == 0 && row_start.back() == p.drawn_count, "row_start spans all rows");
  for (size_t i = 1; i < row_start.size(); ++i) check(row_start[i - 1] < row_start[i], "each request has a row");
  const size_t requests = row_start.size() - 1;
  int32_t* accepted = p.accepted.at_least(p.device, int64_t(requests));
  p.device.kernels().verify(p.drawn.data(), p.draft.send(p.device, draft), p.row_start.send(p.device, row_start),
                            accepted, int(requests), p.device.stream());
  p.device.synchronize();
  return p.accepted.first(requests);
}

std::vector<float> Model::copy_logits() const {
  parts_->device.synchronize();
  return parts_->logits.first(size_t(parts_->logit_count * parts_->config.vocabulary));
}

const ModelConfig& Model::config() const { return parts_->config; }
const ModelWeights& Model::weights() const { return parts_->placed.weights; }
Device& Model::device() const { return parts_->device; }

}  // namespace stagecraft
