#pragma once
/// @file
/// Options of the paged KV store on the command line.
#include <string>

#include "stages/5_paged_attention/paged_pool.h"
#include "stages/core/command_line.h"

namespace stagecraft {

class PagingOptions {
 public:
  /// Adds --block-size, --kv-memory, --watermark, --no-prefix-cache and --samples to `command_line`, which must outlive
  /// this; before parse.
  explicit PagingOptions(CommandLine& command_line);
  PagingOptions(const PagingOptions&) = delete;
  PagingOptions& operator=(const PagingOptions&) = delete;

  // After parse. Both throw BadInput for what is out of range.
  PagedPoolOptions read() const;
  /// How many samples of each prompt are asked for. `serves_workload`: one alone has a meaning then.
  int samples(bool serves_workload) const;

 private:
  std::string block_size_ = "16", kv_memory_, watermark_ = "0.01", samples_ = "1";
  bool no_prefix_cache_ = false;
};

/// "65536", "64k", "2 GiB": bytes, in powers of 1,024. Throws BadInput naming `option` for anything else, and for 0.
int64_t parse_bytes(std::string_view option, const std::string& text);

}  // namespace stagecraft
