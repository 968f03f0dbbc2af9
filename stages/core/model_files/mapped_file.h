#pragma once
/// @file
/// A file seen as memory, read-only. The kernel brings pages in when they are touched and may drop them again: a
/// model's weights then occupy memory once, in the page cache, however many programs use them, and loading copies
/// nothing.
///
/// The price: if somebody shortens the file while it is mapped, reading the lost part ends the program (SIGBUS).
#include <cstddef>
#include <filesystem>
#include <span>

namespace stagecraft {

class MappedFile {
 public:
  /// Maps all of `path`. Throws BadInput if it does not exist, is no ordinary file or cannot be read, and Failure if
  /// the machine refuses the mapping.
  explicit MappedFile(std::filesystem::path path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// Page-aligned; empty for an empty file.
  std::span<const std::byte> bytes() const { return bytes_; }
  const std::filesystem::path& path() const { return path_; }

  /// Asks the kernel to begin reading the file now, in the background.
  void prefetch() const noexcept;

 private:
  std::filesystem::path path_;
  std::span<const std::byte> bytes_;
};

}  // namespace stagecraft
