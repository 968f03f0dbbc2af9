/// @file
/// The kernels that stage 5 adds: attention behind a block table and the copy of blocks. Paged attention is stage 4's
/// kernel with another address, so it is compared with that on the same keys, values and queries, bit for bit (T4).
#include <algorithm>
#include <numeric>

#include <sys/mman.h>

#include "kernels/cpu/plain_attention.h"
#include "tests/kernels/kernel_cases.h"
#include "tests/stages/test_devices.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr float kScale = 0.17677669529663687f;  // 1 / sqrt(32)
constexpr AttentionShape kGrouped{6, 2, 32, kNoWindow, kScale};
constexpr AttentionShape kWindowed{4, 2, 32, 40, kScale};

/// The case by stage 4's kernel, and in blocks of each size by stage 5's.
void check_block_sizes(Device& device, const AttentionInput& contiguous) {
  const std::vector<float> stage4 = run(device, contiguous);
  for (const int32_t block_size : kBlockSizes) {
    INFO("blocks of " << block_size);
    CHECK(first_difference(stage4, run(device, paged(contiguous, block_size))) == "");
  }
}

/// A wrong address that has a sequence's first two blocks in the wrong order.
struct SwappedBlocks {
  PagedAddress right;

  int64_t slot(int64_t sequence, int64_t position) const {
    const int64_t size = right.block_size(), block = position / size;
    return right.slot(sequence, (block < 2 ? 1 - block : block) * size + position % size);
  }
};

/// A wrong address that forgets where in its block a position is.
struct FirstOfBlock {
  PagedAddress right;

  int64_t slot(int64_t sequence, int64_t position) const {
    return right.slot(sequence, position / right.block_size() * right.block_size());
  }
};

/// A wrong address for which all sequences are the first one.
struct FirstTable {
  PagedAddress right;

  int64_t slot(int64_t, int64_t position) const { return right.slot(0, position); }
};

/// The plain contract's attention of a paged fp32 input, on host memory, with whatever address.
template <class MakeAddress>
std::vector<float> attend_on_host(const AttentionInput& input, const MakeAddress& make_address) {
  const PagedAddress right{input.paged->blocks.data(), input.paged->stride, block_shift_of(input.paged->block_size)};
  const auto address = make_address(right);
  const StoredKv<float, std::decay_t<decltype(address)>> kv{reinterpret_cast<const float*>(input.keys.bytes.data()),
                                                            reinterpret_cast<const float*>(input.values.bytes.data()),
                                                            address};
  const int longest = 1 + *std::max_element(input.positions.begin(), input.positions.end());
  const RaggedRows who{input.query_start.data(),          input.sequence.data(), input.positions.data(),
                       int(input.query_start.size()) - 1, input.rows(),          longest};
  std::vector<float> out(input.q.size(), kPoison);
  cpu::plain_attention(input.q.data(), kv, who, out.data(), input.shape);
  return out;
}

}  // namespace

TEST_CASE("stage 5 paged attention: the bits of stage 4's kernel, for every block size and type, blocks shuffled",
          "[stages][kernels]") {
  on_each_target([](Device& device) {
    for (const NumberType type : kNumberTypes) {
      INFO(name_of(type));
      check_block_sizes(device,
                        attention_case(type, kGrouped, {{70, 1}, {64, 7}, {130, 63}, {1, 1}, {17, 16}, {300, 2}}));
    }
  });
}

TEST_CASE("stage 5 paged attention: lengths around the edges of blocks and tiles", "[stages][kernels]") {
  on_each_target([](Device& device) {
    for (const int length : {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257}) {
      INFO("length " << length);
      check_block_sizes(device,
                        attention_case(NumberType::bf16, kGrouped, {{length, 1}, {length, std::min(length, 5)}}));
    }
  });
}

TEST_CASE("stage 5 paged attention: windows that begin inside a block", "[stages][kernels]") {
  on_each_target([](Device& device) {
    for (const int window : {1, 15, 16, 17, 40, 64, 100}) {
      AttentionShape shape = kWindowed;
      shape.window = window;
      INFO("window " << window);
      check_block_sizes(device, attention_case(NumberType::bf16, shape, {{150, 20}, {33, 1}, {3, 2}}));
    }
  });
}

TEST_CASE("stage 5 paged attention: prompts and many rows take the other way through a kernel", "[stages][kernels]") {
  on_each_target([](Device& device) {
    check_block_sizes(device, attention_case(NumberType::bf16, kGrouped, {{130, 130}, {90, 33}}));
  });
}

TEST_CASE("stage 5 paged attention: the checked simulator sees no read outside a sequence's own blocks",
          "[stages][kernels]") {
  on_device_called("sim-checked", [](Device& device) {
    for (const NumberType type : kNumberTypes) {
      check_block_sizes(device, attention_case(type, kGrouped, {{70, 1}, {64, 7}, {1, 1}, {17, 16}}));
    }
    check_block_sizes(device, attention_case(NumberType::bf16, kWindowed, {{150, 20}, {33, 1}}));
  });
}

TEST_CASE("stage 5 control: wrong addresses are seen in the bits", "[stages][kernels][control]") {
  const AttentionInput contiguous = attention_case(NumberType::fp32, kGrouped, {{70, 3}, {64, 1}, {66, 2}});
  const std::unique_ptr<Device> device = make_device("cpu", 1);
  const std::vector<float> stage4 = run(*device, contiguous);
  for (const int32_t block_size : {2, 16, 32}) {
    INFO("blocks of " << block_size);
    const AttentionInput input = paged(contiguous, block_size);
    const auto difference = [&](const auto& make_address) {
      return first_difference(stage4, attend_on_host(input, make_address));
    };
    CHECK(difference([](PagedAddress right) { return right; }) == "");
    CHECK(difference([](PagedAddress right) { return SwappedBlocks{right}; }) != "");
    CHECK(difference([](PagedAddress right) { return FirstOfBlock{right}; }) != "");
    CHECK(difference([](PagedAddress right) { return FirstTable{right}; }) != "");
  }
}

TEST_CASE("stage 5 paged attention: block ids above 65535", "[stages][kernels]") {
  on_each_target([](Device& device) {
    const AttentionShape shape{2, 1, 2, kNoWindow, 1.0f};
    const AttentionInput contiguous = attention_case(NumberType::bf16, shape, {{20, 1}, {9, 2}});
    AttentionInput far = paged(contiguous, 1);
    constexpr int32_t kFirstBlock = 70000;
    const size_t shift = size_t(kFirstBlock * shape.head_dim * bytes_of(NumberType::bf16));
    for (StoredNumbers* numbers : {&far.keys, &far.values}) {
      numbers->bytes.insert(numbers->bytes.begin(), shift, std::byte{0xFF});
    }
    for (int32_t& block : far.paged->blocks) block = block == kNoBlock ? kNoBlock : block + kFirstBlock;
    CHECK(first_difference(run(device, contiguous), run(device, far)) == "");
  });
}

TEST_CASE("stage 5 paged address: slots and offsets past 2^31", "[stages][kernels]") {
  const std::vector<int32_t> table = {3, 1 << 27, 7, (1 << 27) + 5};
  const PagedAddress address{table.data(), 2, 8};
  CHECK(address.slot(0, 256 + 17) == (int64_t{1} << 35) + 17);
  CHECK(address.slot(1, 511) == ((int64_t{1} << 27) + 5) * 256 + 255);
  CHECK(address.slots_in_a_row(256) == 256);
  CHECK(address.slots_in_a_row(511) == 1);

  // The same through every cpu kernel: addresses are reserved for a cache of 5 GB, and memory for its last page only.
  constexpr int64_t kHeadDim = 64, kBlock = 16, kBlocks = int64_t{5} << 30 >> 11;  // 2 KiB a block
  constexpr int64_t kBlockBytes = kBlock * kHeadDim * int64_t(sizeof(bf16));
  static_assert(kBlocks * kBlock * kHeadDim > int64_t{1} << 31);
  const size_t reserved = size_t(kBlocks * kBlockBytes);
  void* memory = mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  auto* last_blocks = static_cast<std::byte*>(memory) + (kBlocks - 2) * kBlockBytes;
  REQUIRE(mprotect(last_blocks, size_t(2 * kBlockBytes), PROT_READ | PROT_WRITE) == 0);

  const AttentionShape shape{1, 1, kHeadDim, kNoWindow, 0.125f};
  const AttentionInput near = paged(attention_case(NumberType::bf16, shape, {{30, 1}}), kBlock);
  for (int i = 0; i < 2; ++i) {
    std::copy_n(near.keys.bytes.begin() + near.paged->blocks[size_t(i)] * kBlockBytes, kBlockBytes,
                last_blocks + i * kBlockBytes);
  }
  const std::vector<int32_t> far_table = {int32_t(kBlocks - 2), int32_t(kBlocks - 1)};
  AttentionInput keys_as_values = near;
  keys_as_values.values = near.keys;
  for (const std::string& target : cpu_targets()) {
    INFO(target);
    cpu::CpuDevice device(1, target);
    std::vector<float> out(kHeadDim, kPoison);
    std::vector<float> scratch(size_t(device.kernels().attention_scratch(shape, 1, 30)));
    const RaggedRows who{near.query_start.data(), near.sequence.data(), near.positions.data(), 1, 1, 30};
    device.kernels().attention(near.q.data(), {memory, memory, NumberType::bf16, PagedAddress{far_table.data(), 2, 4}},
                               who, out.data(), shape, scratch.data(), device.stream());
    CHECK(first_difference(run(device, keys_as_values), out) == "");
  }
  munmap(memory, reserved);
}

TEST_CASE("stage 5 block sizes: powers of two and nothing else", "[stages][kernels]") {
  for (const int64_t size : {1, 2, 4, 16, 256}) {
    CHECK(is_block_size(size));
    CHECK(int64_t{1} << block_shift_of(size) == size);
  }
  for (const int64_t size : {-16, -1, 0, 3, 12, 255}) CHECK_FALSE(is_block_size(size));
}

TEST_CASE("stage 5 copy of blocks: the blocks named, whole, and no other byte", "[stages][kernels]") {
  on_each_target([](Device& device) {
    for (const int64_t block_bytes : {4, 20, 16, 2048, 6148}) {
      INFO("blocks of " << block_bytes << " bytes");
      const CopyBlocksInput input = copy_blocks_case(7, block_bytes);
      std::vector<std::byte> expected = input.plane;
      for (const BlockCopy& copy : input.copies) {
        std::copy_n(input.plane.begin() + copy.from * block_bytes, block_bytes,
                    expected.begin() + copy.to * block_bytes);
      }
      const auto plane = on_device(device, input.plane);
      const auto copies = on_device(device, input.copies);
      device.kernels().copy_blocks(plane.data(), copies.data(), int(input.copies.size()), block_bytes, device.stream());
      device.synchronize();
      CHECK(first_difference(expected, on_host(plane, int64_t(expected.size()))) == "");
    }
  });
}

TEST_CASE("stage 5 copy of blocks: a request that goes on in its copy computes what it would have in the original",
          "[stages][kernels]") {
  on_each_target([](Device& device) {
    const AttentionInput contiguous = attention_case(NumberType::bf16, kGrouped, {{40, 2}});
    AttentionInput input = paged(contiguous, 16);
    const std::vector<int32_t>& blocks = input.paged->blocks;
    const int32_t last = blocks[2];
    int32_t spare = 0;
    while (std::find(blocks.begin(), blocks.end(), spare) != blocks.end()) ++spare;

    const int64_t block_bytes = 16 * int64_t(kGrouped.kv_heads) * kGrouped.head_dim * bytes_of(NumberType::bf16);
    for (StoredNumbers* numbers : {&input.keys, &input.values}) {
      const std::vector<std::byte> copied = run(device, CopyBlocksInput{block_bytes, numbers->bytes, {{last, spare}}});
      std::copy(copied.begin(), copied.end(), numbers->bytes.begin() + spare * block_bytes);
      std::fill_n(numbers->bytes.begin() + last * block_bytes, block_bytes, std::byte{0xFF});  // no longer its own
    }
    input.paged->blocks[2] = spare;
    CHECK(first_difference(run(device, contiguous), run(device, input)) == "");
  });
}
