/// @file
/// mmap with an owner. The descriptor is closed at once: a mapping outlives it.
#include "stages/core/model_files/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/check.h"
#include "kernels/huge_pages.h"

namespace stagecraft {
namespace {

/// A file descriptor that is closed when its scope ends.
class OpenFile {
 public:
  /// O_NONBLOCK so that opening a pipe by mistake returns instead of waiting for a writer.
  explicit OpenFile(const std::filesystem::path& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ >= 0) return;
    if (errno == ENOENT || errno == ENOTDIR) {
      throw BadInput(fmt::format("{}: no such file", path.string()), "check the path for a typing error");
    }
    throw BadInput(fmt::format("{}: cannot be opened: {}", path.string(), std::strerror(errno)),
                   "check who may read the file (ls -l)");
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { ::close(descriptor_); }

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Bytes in an ordinary file.
size_t size_of(const OpenFile& file, const std::filesystem::path& path) {
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) {
    throw Failure(fmt::format("{}: its size is unknown: {}", path.string(), std::strerror(errno)));
  }
  if (!S_ISREG(status.st_mode)) {
    throw BadInput(
        fmt::format("{}: is {}, not a file", path.string(), S_ISDIR(status.st_mode) ? "a folder" : "a device or pipe"),
        "give the path of an ordinary file");
  }
  return size_t(status.st_size);
}

}  // namespace

MappedFile::MappedFile(std::filesystem::path path) : path_(std::move(path)) {
  const OpenFile file(path_);
  const size_t size = size_of(file, path_);
  if (size == 0) return;  // mmap refuses a length of 0
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (memory == MAP_FAILED) {
    throw Failure(fmt::format("{}: {} bytes cannot be mapped: {}", path_.string(), size, std::strerror(errno)),
                  "check the limit on address space (ulimit -v)");
  }
  bytes_ = {static_cast<const std::byte*>(memory), size};
  prefer_huge_pages(memory, size);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void MappedFile::prefetch() const noexcept {
  // Advice only: the data arrive when they are touched in any case, so a refusal costs nothing but speed.
  if (!bytes_.empty()) ::madvise(const_cast<std::byte*>(bytes_.data()), bytes_.size(), MADV_WILLNEED);
}

}  // namespace stagecraft
