#pragma once
/// @file
/// What accelerators are said to reach: figures of data sheets, not of measurements. Dense bf16 rates; the larger number
/// that is often printed beside them is for matrices of which half is zero. The price is the reader's business.
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

struct Gpu {
  std::string name;
  double memory_gb = 0;        // 10^9 bytes
  double bandwidth_gbs = 0;    // 10^9 bytes/s
  double dense_tflops = 0;     // 10^12 FLOP/s, bf16, without sparsity
  std::string source;          // the page that was read for this row
  std::string unchecked = "";  // figures that the page does not have, in words; empty: it has all
};

/// All that are known by name.
const std::vector<Gpu>& all_gpus();

/// The one of that name. Throws BadInput that lists the names.
const Gpu& gpu_named(std::string_view name);

}  // namespace stagecraft
