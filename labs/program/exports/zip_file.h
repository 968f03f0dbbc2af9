#pragma once
/// @file
/// Writes a zip archive: files stored as they are, no compression, so that no library is needed. (PKWARE APPNOTE 6.3;
/// archives below 4 GB.)
#include <cstdint>
#include <string>
#include <vector>

#include "labs/program/places.h"

namespace stagecraft::labs {

class ZipFile {
 public:
  /// A file of the archive; `executable` sets its permissions for Unix.
  void add(const std::string& name, const std::string& content, bool executable);
  void write(const Path& file) const;

 private:
  struct Entry {
    std::string name;
    uint32_t checksum, bytes, offset, permissions;
  };

  std::string bytes_;
  std::vector<Entry> entries_;
};

/// CRC-32 as zip and Ethernet have it.
uint32_t crc32(const std::string& bytes);

}  // namespace stagecraft::labs
