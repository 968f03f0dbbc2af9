#pragma once
/// @file
/// The cases that every device's operations are tested with, and the two comparisons: with the plain contract (T10),
/// and of a row alone with the same row among others (T1). To test a device:
///
///     for_all_cases(CaseSize::full, [&](const std::string& name, const auto& input) {
///       CHECK(difference_to(plain, device, input) == "");
///       CHECK(row_difference(device, input) == "");
///     });
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <random>
#include <string>

#include <fmt/format.h>

#include "tests/kernels/kernel_inputs.h"

namespace stagecraft::testing {

/// `full` for fast devices; `small` has every kind of case but fewer and smaller ones (simulator).
enum class CaseSize { small, full };

inline bool same_bits(float a, float b) {
  if (std::isnan(a) && std::isnan(b)) return true;  // which NaN it is depends on the processor
  return bits_of(a) == bits_of(b);
}
inline bool same_bits(std::byte a, std::byte b) { return a == b; }
inline bool same_bits(TokenId a, TokenId b) { return a == b; }

inline std::string shown(float x) { return fmt::format("{:a} ({:.9g})", x, x); }
inline std::string shown(std::byte x) { return fmt::format("{:#04x}", int(x)); }
inline std::string shown(TokenId x) { return fmt::format("{}", x); }

/// Empty, or where two results first differ. `actual` is `row` of several if rows > 1.
template <class T>
std::string first_difference(const std::vector<T>& expected, const std::vector<T>& actual) {
  if (expected.size() != actual.size()) return fmt::format("{} elements, not {}", actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    if (same_bits(expected[i], actual[i])) continue;
    return fmt::format("element {} of {} is {}, expected {}", i, expected.size(), shown(actual[i]), shown(expected[i]));
  }
  return "";
}

/// T10: the same input on two devices.
template <class Input>
std::string difference_to(Device& reference, Device& device, const Input& input) {
  return first_difference(run(reference, input), run(device, input));
}

/// T1: each row alone and among the others.
template <class Input>
std::string row_difference(Device& device, const Input& input) {
  const auto together = run(device, input);
  const auto width = int64_t(together.size()) / input.rows();
  for (int r = 0; r < input.rows(); ++r) {
    const std::string difference = first_difference(run(device, input.row(r)), row_of(together, r, width));
    if (!difference.empty())
      return fmt::format("row {} of {} is not what it is alone: {}", r, input.rows(), difference);
  }
  return "";
}

inline constexpr NumberType kNumberTypes[] = {NumberType::bf16, NumberType::fp16, NumberType::fp32};

/// The row counts of T1.
inline constexpr int kRowCounts[] = {1, 2, 3, 4, 6, 8, 9, 16, 33};

inline LinearInput linear_case(NumberType type, int rows, int in, int out, bool bias) {
  RandomNumbers random{uint32_t(rows * 7919 + in * 31 + out)};
  return {rows,
          in,
          out,
          {type, random.numbers(int64_t(in) * out)},
          {type, random.numbers(bias ? out : 0)},
          random.numbers(int64_t(rows) * in)};
}

template <class Visit>
void for_linear_cases(CaseSize size, const Visit& visit) {
  const auto visit_one = [&](NumberType type, int rows, int in, int out, bool bias) {
    visit(fmt::format("linear {} rows {} in {} out {}{}", name_of(type), rows, in, out, bias ? " bias" : ""),
          linear_case(type, rows, in, out, bias));
  };
  for (const NumberType type : kNumberTypes) {
    for (const int rows : kRowCounts) visit_one(type, rows, 128, 33, rows % 2 == 0);
    for (const int in : {1, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129}) {
      for (const int rows : {1, 5}) visit_one(type, rows, in, 25, in % 2 == 0);
    }
    for (const int out : {1, 2, 7, 8, 9, 23, 24, 47, 48, 49}) visit_one(type, 3, 64, out, true);
    if (size == CaseSize::small) continue;
    for (const int rows : kRowCounts) {
      visit_one(type, rows, 576, 100, false);
      visit_one(type, rows, 1536, 49, true);
    }
    visit_one(type, 150, 96, 200, true);
    visit_one(type, 70, 130, 31, false);
  }
  if (size == CaseSize::full) visit_one(NumberType::bf16, 700, 1536, 24, false);  // two passes over the weights
}

template <class Visit>
void for_row_cases(CaseSize size, const Visit& visit) {
  const std::vector<int> widths = size == CaseSize::small
                                      ? std::vector{1, 33, 96}
                                      : std::vector{1, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 576, 1536};
  for (const NumberType type : kNumberTypes) {
    for (const int rows : kRowCounts) {
      RandomNumbers random{uint32_t(rows)};
      for (const int width : widths) {
        const std::string shape = fmt::format("{} rows {} width {}", name_of(type), rows, width);
        visit("rms_norm " + shape,
              RmsNormInput{
                  rows, width, {type, random.numbers(width)}, random.numbers(int64_t(rows) * width), rows % 2 == 0});
        std::vector<TokenId> ids;
        for (int r = 0; r < rows; ++r) ids.push_back(TokenId(random.below(50)));
        visit("embedding " + shape, EmbeddingInput{width, {type, random.numbers(50 * width)}, ids});
      }
    }
  }
  for (const int rows : kRowCounts) {
    RandomNumbers random{uint32_t(100 + rows)};
    for (const int width : widths) {
      const std::string shape = fmt::format(" rows {} width {}", rows, width);
      const int64_t n = int64_t(rows) * width;
      using Operation = PairwiseInput::Operation;
      visit("swiglu" + shape, PairwiseInput{Operation::swiglu, rows, width, random.numbers(n), random.numbers(n)});
      visit("add" + shape, PairwiseInput{Operation::add, rows, width, random.numbers(n), random.numbers(n)});
      std::vector<int32_t> wanted;
      for (int r = 0; r < rows; ++r) wanted.push_back(int32_t(random.below(40)));
      visit("gather_rows" + shape, GatherInput{width, random.numbers(40 * width), wanted});
    }
  }
}

/// Operations on heads that know positions or slots.
template <class Visit>
void for_head_cases(CaseSize, const Visit& visit) {
  struct Heads {
    int heads, head_dim;
  };
  for (const int rows : kRowCounts) {
    for (const auto [heads, head_dim] : {Heads{1, 2}, {3, 64}, {2, 80}, {4, 32}, {2, 20}, {2, 128}}) {
      RandomNumbers random{uint32_t(rows * 1000 + head_dim)};
      const int64_t n = int64_t(rows) * heads * head_dim;
      const std::string shape = fmt::format(" rows {} heads {} head_dim {}", rows, heads, head_dim);
      std::vector<int32_t> positions;
      std::vector<int64_t> slots;
      for (int r = 0; r < rows; ++r) {
        positions.push_back(int32_t(random.below(20)));
        slots.push_back((r * 7 + 3) % 40);  // 7 and 40 have no common factor: all different
      }
      visit("rope" + shape, RopeInput{heads, head_dim, random.normals(20 * head_dim / 2),
                                      random.normals(20 * head_dim / 2), positions, random.numbers(n)});
      for (const NumberType type : kNumberTypes) {
        visit(fmt::format("kv_write {}{}", name_of(type), shape),
              KvWriteInput{type, heads, head_dim, random.numbers(n), random.numbers(n), slots});
      }
    }
  }
}

/// One sequence of an attention case: so many stored positions, of which the last `rows` are asked.
struct SequenceCase {
  int length, rows;
};

inline AttentionInput attention_case(NumberType type, AttentionShape shape,
                                     const std::vector<SequenceCase>& sequences) {
  RandomNumbers random{uint32_t(shape.head_dim + shape.heads * 100 + sequences.front().length * 10000)};
  AttentionInput input{shape, {}, {}, {}, {0}, {}, {}, {}};
  int64_t slots = 3;
  for (const SequenceCase& sequence : sequences) {
    input.first_slot.push_back(slots);
    slots += sequence.length + 5;  // the gap stays NaN
  }
  const int64_t width = int64_t(shape.kv_heads) * shape.head_dim;
  std::vector<float> keys(size_t(slots * width), kPoison), values = keys;
  for (size_t s = 0; s < sequences.size(); ++s) {
    const SequenceCase& sequence = sequences[s];
    for (int64_t i = input.first_slot[s] * width; i < (input.first_slot[s] + sequence.length) * width; ++i) {
      keys[size_t(i)] = random.normal();
      values[size_t(i)] = random.normal();
    }
    for (int r = 0; r < sequence.rows; ++r) {
      input.sequence.push_back(int32_t(s));
      input.positions.push_back(sequence.length - sequence.rows + r);
    }
    input.query_start.push_back(int32_t(input.positions.size()));
  }
  input.keys = {type, keys};
  input.values = {type, values};
  input.q = random.normals(int64_t(input.rows()) * shape.heads * shape.head_dim);
  return input;
}

/// The same keys, values and queries behind a block table. Blocks lie in random order among spare ones; the rest of a
/// sequence's last block, and all of the spare ones, are NaN; the table's tails name no block.
inline AttentionInput paged(const AttentionInput& input, int32_t block_size) {
  std::vector<int32_t> lengths(input.first_slot.size(), 0);
  for (int r = 0; r < input.rows(); ++r) {
    int32_t& length = lengths[size_t(input.sequence[size_t(r)])];
    length = std::max(length, input.positions[size_t(r)] + 1);
  }
  constexpr int32_t kSpareBlocks = 3, kTail = 2;
  int32_t blocks = kSpareBlocks, most = 0;
  const auto blocks_of = [&](int32_t length) { return (length + block_size - 1) / block_size; };
  for (const int32_t length : lengths) {
    blocks += blocks_of(length);
    most = std::max(most, blocks_of(length));
  }
  std::vector<int32_t> ids(static_cast<size_t>(blocks));
  std::iota(ids.begin(), ids.end(), 0);
  std::shuffle(ids.begin(), ids.end(), std::mt19937(uint32_t(block_size)));

  AttentionInput result = input;
  result.first_slot.clear();
  result.paged = {block_size, most + kTail, std::vector<int32_t>(lengths.size() * size_t(most + kTail), kNoBlock)};
  const auto slot_bytes = size_t(int64_t(input.shape.kv_heads) * input.shape.head_dim * bytes_of(input.keys.type));
  result.keys.bytes.assign(size_t(blocks) * size_t(block_size) * slot_bytes, std::byte{0xFF});  // NaN in each type
  result.values.bytes = result.keys.bytes;
  auto next = ids.begin();
  for (size_t s = 0; s < lengths.size(); ++s) {
    for (int32_t p = 0; p < lengths[s]; ++p) {
      int32_t& block = result.paged->blocks[s * size_t(most + kTail) + size_t(p / block_size)];
      if (p % block_size == 0) block = *next++;
      const auto from = std::ptrdiff_t(size_t(input.first_slot[s] + p) * slot_bytes),
                 to = std::ptrdiff_t((size_t(block) * size_t(block_size) + size_t(p % block_size)) * slot_bytes);
      std::copy_n(input.keys.bytes.begin() + from, slot_bytes, result.keys.bytes.begin() + to);
      std::copy_n(input.values.bytes.begin() + from, slot_bytes, result.values.bytes.begin() + to);
    }
  }
  return result;
}

/// The block sizes of T4.
inline constexpr int32_t kBlockSizes[] = {1, 2, 16, 32, 256};

/// Every case contiguous, and paged by one of the block sizes in turn; of the small ones, every third is paged.
template <class Visit>
void for_attention_cases(CaseSize size, const Visit& visit) {
  size_t cases = 0;
  const auto visit_one = [&](NumberType type, int heads, int kv_heads, int head_dim, int window,
                             const std::vector<SequenceCase>& sequences) {
    const AttentionShape shape{heads, kv_heads, head_dim, window, 1.0f / std::sqrt(float(head_dim))};
    std::string name =
        fmt::format("attention {} heads {}/{} x {} window {}", name_of(type), heads, kv_heads, head_dim, window);
    for (const SequenceCase& s : sequences) name += fmt::format(" {}of{}", s.rows, s.length);
    const AttentionInput contiguous = attention_case(type, shape, sequences);
    visit(name, contiguous);
    const size_t index = cases++;
    if (size == CaseSize::small && index % 3 != 0) return;
    const int32_t block_size = kBlockSizes[index % std::size(kBlockSizes)];
    visit(fmt::format("{} in blocks of {}", name, block_size), paged(contiguous, block_size));
  };
  for (const int rows : kRowCounts) visit_one(NumberType::bf16, 9, 3, 64, kNoWindow, {{100, rows}});
  for (const int length : {1, 63, 64, 65, 128, 129, 200}) {
    visit_one(NumberType::bf16, 4, 4, 32, kNoWindow, {{length, 1}});
    visit_one(NumberType::fp16, 4, 2, 64, kNoWindow, {{length, length}});
  }
  for (const int window : {1, 5, 63, 64, 65, 100}) visit_one(NumberType::fp32, 2, 1, 32, window, {{150, 20}, {3, 2}});
  for (const NumberType type : kNumberTypes) {
    for (const int head_dim : {2, 20, 80, 96, 128}) visit_one(type, 2, 1, head_dim, kNoWindow, {{70, 5}});
    visit_one(type, 6, 2, 64, kNoWindow, {{5, 5}, {64, 1}, {1, 1}, {130, 1}, {90, 17}, {65, 3}});
  }
  if (size == CaseSize::small) return;
  visit_one(NumberType::bf16, 9, 3, 64, kNoWindow, {{190, 190}});
  visit_one(NumberType::bf16, 8, 4, 32, 50, {{190, 100}, {300, 30}});
  visit_one(NumberType::bf16, 1, 1, 64, kNoWindow, {{3000, 2}});
  visit_one(NumberType::fp16, 32, 2, 128, kNoWindow, {{2500, 9}});  // more states than one round of scratch holds
}

inline SampleInput sample_case(int rows, int vocabulary, bool ties) {
  RandomNumbers random{uint32_t(rows * 100 + vocabulary)};
  SampleInput input{vocabulary, random.normals(int64_t(rows) * vocabulary), {}};
  for (float& logit : input.logits) logit = ties ? std::round(logit * 2) : logit * 5;
  const float temperatures[] = {0.0f, 0.7f, 1.5f, 1e-6f, 100.0f};
  const int32_t top_ks[] = {kNoTopK, 1, 5, vocabulary, vocabulary + 7};
  const float top_ps[] = {1.0f, 0.9f, 0.5f, 1e-6f};
  for (int r = 0; r < rows; ++r) {
    input.how.push_back({temperatures[random.below(5)], top_ks[random.below(5)], top_ps[random.below(4)],
                         uint64_t(random.below(1 << 30)) << 20, random.below(int64_t(1) << 40)});
  }
  return input;
}

template <class Visit>
void for_sample_cases(CaseSize size, const Visit& visit) {
  for (const int vocabulary : {1, 2, 7, 64, 259, size == CaseSize::full ? 49152 : 500}) {
    for (const int rows : kRowCounts) {
      for (const bool ties : {false, true}) {
        visit(fmt::format("sample rows {} vocabulary {}{}", rows, vocabulary, ties ? " ties" : ""),
              sample_case(rows, vocabulary, ties));
      }
    }
  }
  SampleInput unusable = sample_case(4, 100, false);
  unusable.logits[17] = kPoison;
  std::fill_n(unusable.logits.begin() + 100, 100, -INFINITY);
  unusable.logits[250] = INFINITY;
  std::fill_n(unusable.logits.begin() + 300, 60, -INFINITY);
  visit("sample with a NaN, no finite logit, an infinite logit, and masked logits", unusable);
}

/// Copies between random blocks: a block that is written is neither written again nor read.
inline CopyBlocksInput copy_blocks_case(int copies, int64_t block_bytes) {
  RandomNumbers random{uint32_t(copies * 1000 + block_bytes)};
  const int blocks = 2 * copies + 1;
  CopyBlocksInput input{block_bytes, std::vector<std::byte>(size_t(blocks * block_bytes)), {}};
  for (std::byte& byte : input.plane) byte = std::byte(random.below(256));
  std::vector<int32_t> ids(static_cast<size_t>(blocks));
  std::iota(ids.begin(), ids.end(), 0);
  std::shuffle(ids.begin(), ids.end(), std::mt19937(uint32_t(copies)));
  for (int i = 0; i < copies; ++i) {
    const auto from = size_t(copies + random.below(copies + 1));  // one block may be copied several times
    input.copies.push_back({ids[from], ids[size_t(i)]});
  }
  return input;
}

template <class Visit>
void for_copy_blocks_cases(CaseSize, const Visit& visit) {
  for (const int copies : kRowCounts) {
    for (const int64_t block_bytes : {4, 12, 16, 2048, 2052, 6160}) {
      visit(fmt::format("copy_blocks {} of {} bytes", copies, block_bytes), copy_blocks_case(copies, block_bytes));
    }
  }
}

/// Requests with 0 to `most` drafted tokens, of which about half a draft is right. A vocabulary of three, so that a token
/// is right by chance after one that is wrong.
inline VerifyInput verify_case(int requests, int most) {
  RandomNumbers random{uint32_t(requests * 100 + most)};
  VerifyInput input{{}, {}, {0}};
  for (int i = 0; i < requests; ++i) {
    const int64_t drafted = random.below(most + 1), right = random.below(drafted + 1);
    for (int64_t j = 0; j <= drafted; ++j) {
      input.drawn.push_back(TokenId(random.below(3)));
      input.draft.push_back(j < right ? input.drawn.back() : TokenId(random.below(3)));
    }
    input.draft.back() = kNoToken;
    input.row_start.push_back(int32_t(input.drawn.size()));
  }
  return input;
}

template <class Visit>
void for_verify_cases(CaseSize, const Visit& visit) {
  for (const int requests : {1, 2, 3, 4, 6, 8, 9, 16, 33, 150}) {
    for (const int most : {0, 1, 2, 8, 70}) {
      visit(fmt::format("verify {} requests, up to {} drafted", requests, most), verify_case(requests, most));
    }
  }
}

/// Calls visit(name, input) for every case of every operation.
template <class Visit>
void for_all_cases(CaseSize size, const Visit& visit) {
  for_linear_cases(size, visit);
  for_row_cases(size, visit);
  for_head_cases(size, visit);
  for_attention_cases(size, visit);
  for_sample_cases(size, visit);
  for_copy_blocks_cases(size, visit);
  for_verify_cases(size, visit);
}

}  // namespace stagecraft::testing
