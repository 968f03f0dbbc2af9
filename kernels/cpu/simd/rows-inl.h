/// @file
/// Loops over independent elements or rows, shared among threads only where there is enough to do.
#if defined(STAGECRAFT_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STAGECRAFT_ROWS_INL_H
#undef STAGECRAFT_ROWS_INL_H
#else
#define STAGECRAFT_ROWS_INL_H
#endif

#include <algorithm>

#include "kernels/cpu/simd/lanes-inl.h"
#include "kernels/cpu/thread_pool.h"
#include "kernels/kernels.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {

/// Elements below which sharing costs more than it saves: some microseconds of work.
inline constexpr int64_t kElementsPerItem = 16 * 1024;

/// Calls work(first, last) for consecutive ranges of [0, rows), each of about kElementsPerItem elements.
template <class Work>
void for_rows(Stream stream, int64_t rows, int64_t elements_per_row, const Work& work) {
  const int64_t rows_per_item = std::max<int64_t>(1, kElementsPerItem / std::max<int64_t>(1, elements_per_row));
  ThreadPool& pool = *static_cast<ThreadPool*>(stream.handle);
  pool.run((rows + rows_per_item - 1) / rows_per_item,
           [&](int64_t item, int) { work(item * rows_per_item, std::min(rows, (item + 1) * rows_per_item)); });
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
#endif  // STAGECRAFT_ROWS_INL_H
