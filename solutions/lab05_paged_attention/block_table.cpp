/// @file
/// Lab 5, task 1: block tables that grow and are given back. The contract: labs/lab05_paged_attention/include/paging.h.
#include "labs/support/todo.h"
#include "paging.h"

namespace lab05 {

bool grow(BlockPool& pool, std::vector<BlockId>& table, int64_t block_size, int64_t upto) {
  // >>> LAB lab05.t1/grow  about 4 lines   (edit only between the arrows)
  // TODO(lab05.t1): how many blocks are missing? Take them only if the pool has them all.
  const int64_t missing = blocks_for(upto, block_size) - int64_t(table.size());
  if (missing > pool.free_blocks()) return false;
  for (int64_t i = 0; i < missing; ++i) table.push_back(*pool.take_free());
  return true;
  // <<< LAB lab05.t1/grow
}

void give_back(BlockPool& pool, std::vector<BlockId>& table, bool keep) {
  // >>> LAB lab05.t1/give_back  about 4 lines   (edit only between the arrows)
  // TODO(lab05.t1): release all blocks of the table. In which order, if `keep` puts them into a list?
  while (!table.empty()) {
    pool.release(table.back(), keep);
    table.pop_back();
  }
  // <<< LAB lab05.t1/give_back
}

}  // namespace lab05
