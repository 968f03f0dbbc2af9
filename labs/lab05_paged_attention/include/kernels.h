#pragma once
/// @file
/// The contract of lab 5, tasks 2 and 5: paged keys and values on the device. Pointers are device memory unless said
/// otherwise; kernels are launched with simt::launch.
#include <cstdint>
#include <map>
#include <vector>

#include "device_blocks.h"
#include "kernels/number_types.h"

namespace lab05 {

using stagecraft::bf16;

inline constexpr int kMostHeadDim = 128;

/// One layer's keys and values in blocks. Position p of sequence s lies in slot
///
///     block_tables[s][p / block_size] * block_size + p % block_size            block_size = 1 << block_shift
///
/// Behind a sequence's last block its row of block_tables holds a number that is no block.
struct PagedKv {
  bf16* keys;                   // (slots, kv_heads, head_dim)
  bf16* values;                 // (slots, kv_heads, head_dim)
  const int32_t* block_tables;  // (sequences, table_stride)
  int table_stride;
  int block_shift;
  int kv_heads;
  int head_dim;  // at most kMostHeadDim
};

/// lab05.t2: row r is the token at positions[r] of sequence[r]; its key and value are stored, rounded to bf16
/// (stagecraft::round_to_bf16).
///
/// - lab05.t2.c1: each row lies where its block table says, and no other slot has changed.
void paged_write(const float* keys,         // (rows, kv_heads, head_dim)
                 const float* values,       // (rows, kv_heads, head_dim)
                 const int32_t* sequence,   // (rows)
                 const int32_t* positions,  // (rows), no two rows have the same place
                 const PagedKv& kv, int rows);

/// lab05.t2: row r attends to positions 0 ... positions[r] of sequence[r]. Query head h reads key/value head
/// h / (heads / kv_heads).
///
/// - lab05.t2.c2: the bits of the engine's attention (docs/exactness.md), for any block size and any order of blocks.
/// - lab05.t2.c3: the simulator finds nothing, in paged_write and paged_attention: no slot is read that the sequence does
///   not own, and no table entry behind its last block.
/// - lab05.t2.c4: for each row and head loads move at most these sectors: the keys and values that it sees, the query once
///   for each key, two looks into the table for each block, and 8 for the rest.
void paged_attention(const float* q,            // (rows, heads, head_dim)
                     const PagedKv& kv,         //
                     const int32_t* sequence,   // (rows)
                     const int32_t* positions,  // (rows)
                     float* out,                // (rows, heads, head_dim)
                     int rows, int heads, float scale);

/// lab05.t5: samples of one prompt share blocks, and copy on write. The device works later than the books: append() only
/// notes what is to be written and copied, step() does it, all copies before all writes. Between them samples may be
/// forked, and may end. The file holds a class that looks right and is not: find why with the simulator's help, and repair
/// it.
///
/// - lab05.t5.c1: read() gives what was appended to a sample and, before it was forked, to those it comes from.
/// - lab05.t5.c2: the simulator finds nothing when a sample ends between append() and step() from whose block another one
///   is to be copied.
/// - lab05.t5.c3: nor when a sample ends for which a copy was to be made.
/// - lab05.t5.c4: nothing is kept in vain: after a step the blocks alive are those that samples hold, each counted once.
class Samples {
 public:
  explicit Samples(int block_size) : block_size_(block_size), blocks_(block_size) {}

  int begin();           // an empty sample's number
  int fork(int sample);  // one that shares all blocks of `sample`, for which nothing is noted
  void end(int sample);  // gives back what it holds; what was noted for it is not needed
  void append(int sample, float value);
  void step();
  std::vector<float> read(int sample) const;  // after a step
  int64_t blocks_alive() const { return blocks_.alive(); }

 private:
  struct Sample {
    std::vector<float*> table;
    int64_t length = 0;
  };
  struct Copy {
    float *from, *to;
    int64_t count;  // numbers that are stored in it
  };
  struct Write {
    int sample;
    float* to;
    float value;
  };

  int block_size_;
  DeviceBlocks blocks_;
  std::map<int, Sample> samples_;
  std::vector<Copy> copies_;   // noted, not done yet
  std::vector<Write> writes_;  // noted, not done yet
  int next_ = 0;
};

}  // namespace lab05
