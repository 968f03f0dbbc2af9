#include "labs/program/exports/zip_file.h"

#include <array>

#include "kernels/check.h"

namespace stagecraft::labs {
namespace {

std::array<uint32_t, 256> make_table() {
  constexpr uint32_t kPolynomial = 0xEDB88320u;
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < table.size(); ++byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = value & 1 ? value >> 1 ^ kPolynomial : value >> 1;
    table[byte] = value;
  }
  return table;
}

/// Little endian, as the format has it.
void put(std::string& to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i) & 0xFF);
}

constexpr uint32_t kLocalHeader = 0x04034B50u, kCentralHeader = 0x02014B50u, kEnd = 0x06054B50u;
constexpr uint16_t kVersion = 20, kMadeOnUnix = 3 << 8 | kVersion;
constexpr uint16_t kFirstDay = 1 << 5 | 1;  // 1980-01-01: equal content gives equal archives
constexpr uint32_t kRegularFile = 0100000;

/// What both headers of a file share.
void put_common(std::string& to, uint32_t checksum, uint32_t bytes, size_t name) {
  constexpr uint16_t kNoFlags = 0, kStored = 0, kMidnight = 0;
  put(to, kNoFlags, 2);
  put(to, kStored, 2);
  put(to, kMidnight, 2);
  put(to, kFirstDay, 2);
  put(to, checksum, 4);
  put(to, bytes, 4);
  put(to, bytes, 4);
  put(to, name, 2);
  put(to, 0, 2);  // no extra field
}

}  // namespace

uint32_t crc32(const std::string& bytes) {
  static const std::array<uint32_t, 256> table = make_table();
  uint32_t value = 0xFFFFFFFFu;
  for (const char c : bytes) value = value >> 8 ^ table[(value ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~value;
}

void ZipFile::add(const std::string& name, const std::string& content, bool executable) {
  check(bytes_.size() + content.size() < uint64_t{0xFFFFFFFFu}, "an archive is below 4 GB");
  const Entry entry{name, crc32(content), uint32_t(content.size()), uint32_t(bytes_.size()),
                    executable ? 0755u : 0644u};
  put(bytes_, kLocalHeader, 4);
  put(bytes_, kVersion, 2);
  put_common(bytes_, entry.checksum, entry.bytes, name.size());
  bytes_ += name + content;
  entries_.push_back(entry);
}

void ZipFile::write(const Path& file) const {
  std::string directory;
  for (const Entry& entry : entries_) {
    put(directory, kCentralHeader, 4);
    put(directory, kMadeOnUnix, 2);
    put(directory, kVersion, 2);
    put_common(directory, entry.checksum, entry.bytes, entry.name.size());
    put(directory, 0, 2);  // no comment
    put(directory, 0, 2);  // first disk
    put(directory, 0, 2);  // no internal attributes
    put(directory, uint64_t(kRegularFile | entry.permissions) << 16, 4);
    put(directory, entry.offset, 4);
    directory += entry.name;
  }
  std::string end;
  put(end, kEnd, 4);
  put(end, 0, 4);  // one disk
  put(end, entries_.size(), 2);
  put(end, entries_.size(), 2);
  put(end, directory.size(), 4);
  put(end, bytes_.size(), 4);
  put(end, 0, 2);  // no comment
  write_file(file, bytes_ + directory + end);
}

}  // namespace stagecraft::labs
