/// @file
/// Texts become the shape of a pool.
#include "stages/5_paged_attention/paging_options.h"

#include <limits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/parse_number.h"

namespace stagecraft {
namespace {

constexpr int64_t kLongestBlock = int64_t{1} << 30;
constexpr int kMostSamples = 1 << 12;

}  // namespace

PagingOptions::PagingOptions(CommandLine& command_line) {
  const auto add = [&](const char* name, std::string& value, const char* type, const char* help) {
    command_line.app().add_option(name, value, help)->type_name(type)->capture_default_str()->group("Paging");
  };
  add("--block-size", block_size_, "N", "tokens of a block, a power of two");
  add("--kv-memory", kv_memory_, "BYTES", "size of the KV pool, such as 64M or 2G; else by need and free memory");
  add("--watermark", watermark_, "SHARE", "of the blocks, which newcomers leave to those that run");
  add("--samples", samples_, "N", "continuations of each prompt, of seeds that count up from --seed");
  command_line.app()
      .add_flag("--no-prefix-cache", no_prefix_cache_, "blocks of equal prompts are not shared")
      ->group("Paging");
}

PagedPoolOptions PagingOptions::read() const {
  PagedPoolOptions options;
  options.block_size = parse_number<int64_t>("--block-size", block_size_, 1, kLongestBlock);
  if (!kv_memory_.empty()) options.kv_bytes = parse_bytes("--kv-memory", kv_memory_);
  options.watermark = parse_number<double>("--watermark", watermark_, 0, 1);
  options.prefix_cache = !no_prefix_cache_;
  return options;
}

int PagingOptions::samples(bool serves_workload) const {
  const int samples = parse_number("--samples", samples_, 1, kMostSamples);
  if (serves_workload && samples > 1) {
    throw BadInput("--samples has no meaning with a workload, whose requests are given", "leave it out");
  }
  return samples;
}

int64_t parse_bytes(std::string_view option, const std::string& text) {
  constexpr bool kThousands = false;
  std::string bytes = text;
  try {
    bytes = CLI::AsSizeValue(kThousands)(bytes).empty() ? bytes : "";
  } catch (const CLI::Error&) {
    bytes = "";
  }
  if (bytes.empty()) {
    throw BadInput(fmt::format("{}: '{}' is no size", option, text),
                   "give bytes, or a number with K, M or G behind it");
  }
  return parse_number<int64_t>(option, bytes, 1, std::numeric_limits<int64_t>::max());
}

}  // namespace stagecraft
