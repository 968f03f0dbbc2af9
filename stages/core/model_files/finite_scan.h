#pragma once
/// @file
/// Counts weights that are NaN or infinite. One such weight turns every logit into NaN, which looks like a bug of the
/// engine; so it is looked for while loading. The scan reads each byte once, at the speed of memory, and thereby brings
/// the file into the page cache before the first token needs it.
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kernels/kernels.h"

namespace stagecraft {

/// A tensor to be scanned.
struct ScanItem {
  WeightView weight;
  int64_t elements;
};

/// How many elements of each item are NaN or infinite. Several threads read; `progress`, if there is one, is called on
/// the calling thread with the share of all bytes that is done, and what it throws ends the scan.
std::vector<int64_t> count_nonfinite(std::span<const ScanItem> items,
                                     const std::function<void(double share)>& progress);

}  // namespace stagecraft
