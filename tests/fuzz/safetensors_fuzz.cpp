/// @file
/// Any bytes as a safetensors file, as the header of one, and as the index of shards. They may be refused by BadInput;
/// they may not crash, and what is handed out must keep what safetensors.h promises.
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "kernels/check.h"
#include "stages/core/model_files/safetensors.h"
#include "stages/core/model_files/shard_index.h"

namespace stagecraft {
namespace {

/// A tensor lies in the file, is aligned, and holds as many elements as its shape says; every byte of it may be read.
void check_tensor(const StoredTensor& tensor, std::span<const std::byte> file) {
  check(tensor.bytes.data() >= file.data(), "a tensor begins inside the file");
  check(tensor.bytes.data() + tensor.bytes.size() <= file.data() + file.size(), "a tensor ends inside the file");
  if (!tensor.type) return;
  const auto address = reinterpret_cast<uintptr_t>(tensor.bytes.data());
  check(address % uintptr_t(bytes_of(*tensor.type)) == 0, "a weight is aligned to its element");
  int64_t elements = 1;
  for (const int64_t length : tensor.shape) elements *= length;
  check(elements * bytes_of(*tensor.type) == int64_t(tensor.bytes.size()), "a weight has the elements of its shape");
}

void try_file(std::span<const std::byte> bytes) {
  std::vector<uint64_t> aligned((bytes.size() + 7) / 8);  // as a mapping would be
  if (!bytes.empty()) std::memcpy(aligned.data(), bytes.data(), bytes.size());
  const std::span<const std::byte> file{reinterpret_cast<const std::byte*>(aligned.data()), bytes.size()};
  try {
    for (const auto& [name, tensor] : parse_safetensors(file, "fuzz")) check_tensor(tensor, file);
  } catch (const BadInput&) {
  }
}

/// The bytes as a header of the right length, before some data: the mutations then reach what stands behind that check.
void try_header(std::span<const std::byte> header) {
  constexpr size_t kDataBytes = 64;
  const uint64_t length = header.size();
  std::vector<std::byte> file(sizeof length + header.size() + kDataBytes);
  std::memcpy(file.data(), &length, sizeof length);
  if (!header.empty()) std::memcpy(file.data() + sizeof length, header.data(), header.size());
  try_file(file);
}

void try_index(std::span<const std::byte> text) {
  try {
    const std::string_view view(reinterpret_cast<const char*>(text.data()), text.size());
    for (const auto& [tensor, shard] : parse_shard_index(view, "fuzz")) {
      check(std::filesystem::path(shard).filename() == shard, "a shard is a file of the folder itself");
      check(shard != "..", "a shard is a file of the folder itself");
    }
  } catch (const BadInput&) {
  }
}

}  // namespace
}  // namespace stagecraft

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const std::byte> bytes{reinterpret_cast<const std::byte*>(data), size};
  stagecraft::try_file(bytes);
  stagecraft::try_header(bytes);
  stagecraft::try_index(bytes);
  return 0;
}
