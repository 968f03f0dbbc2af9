#pragma once
/// @file
/// A model of this repository, decoded greedily on any device: every pass's logits, to be compared bit for bit.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "stages/core/model.h"

namespace stagecraft::testing {

struct Decoded {
  std::vector<TokenId> tokens;
  std::vector<float> logits;   // (tokens, vocabulary)
  double seconds_a_token = 0;  // of the passes after the prompt's
  double bytes_a_token = 0;    // of weights, that one pass reads
};

/// Says in `batch` where the positions of its only sequence lie: in one run of slots, or in blocks from the pool's last to
/// its first.
inline void place(ForwardBatch& batch, int64_t pool_slots, int32_t block_size) {
  if (block_size == 0) {
    batch.first_slot = {0};
    batch.slots.assign(batch.positions.begin(), batch.positions.end());
    return;
  }
  batch.block_size = block_size;
  batch.table_stride = batch.positions.back() / block_size + 1;
  const auto blocks = int32_t(pool_slots / block_size);
  for (int32_t block = 0; block < batch.table_stride; ++block) batch.block_table.push_back(blocks - 1 - block);
  const PagedAddress address{batch.block_table.data(), batch.table_stride, block_shift_of(block_size)};
  for (const int32_t position : batch.positions) batch.slots.push_back(address.slot(0, position));
}

/// `count` tokens after `prompt` at temperature 0, with the KV cache kept; in blocks unless `block_size` is 0.
inline Decoded decode(Device& device, const std::string& model_name, const std::vector<TokenId>& prompt, int count,
                      int32_t block_size = 0) {
  const std::string folder = std::string(STAGECRAFT_SOURCE_DIR) + "/models/" + model_name;
  const ModelConfig config = read_model_config(folder);
  const int64_t positions = int64_t(prompt.size()) + count;
  Model model(device, config, load_weights(folder, config), positions);
  const int64_t slots = positions + block_size;
  KvPool pool(device, config, NumberType::bf16, slots);

  Decoded result;
  result.bytes_a_token = double(model.weights().bytes_per_forward);
  std::vector<TokenId> pending = prompt;
  int32_t position = 0;
  std::chrono::steady_clock::time_point start;
  for (int i = 0; i < count; ++i) {
    if (i == 1) start = std::chrono::steady_clock::now();
    ForwardBatch batch;
    batch.tokens = pending;
    for (size_t r = 0; r < pending.size(); ++r, ++position) batch.positions.push_back(position);
    place(batch, slots, block_size);
    batch.query_start = {0, int32_t(pending.size())};
    batch.logit_rows = {int32_t(pending.size()) - 1};

    std::vector<float> logits(size_t(config.vocabulary));
    device.copy_to_host(logits.data(), model.forward(batch, pool), logits.size() * sizeof(float));
    pending = {TokenId(std::max_element(logits.begin(), logits.end()) - logits.begin())};
    result.tokens.push_back(pending.front());
    result.logits.insert(result.logits.end(), logits.begin(), logits.end());
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  result.seconds_a_token = count > 1 ? elapsed.count() / (count - 1) : 0;
  return result;
}

}  // namespace stagecraft::testing
