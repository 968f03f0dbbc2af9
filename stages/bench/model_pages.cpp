#include "stages/bench/model_pages.h"

#include <algorithm>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "stages/core/model_files/safetensors.h"

namespace stagecraft::bench {
namespace {

/// "Rss:     123 kB" of `line` in bytes, if it begins with `key`.
std::optional<int64_t> bytes_after(const std::string& line, const std::string& key) {
  constexpr int64_t kBytesPerUnit = 1024;
  if (line.rfind(key, 0) != 0) return std::nullopt;
  return std::stoll(line.substr(key.size())) * kBytesPerUnit;
}

bool is_mapping(const std::string& line) {
  const size_t dash = line.find('-');
  return dash != std::string::npos && dash > 0 && line.find_first_not_of("0123456789abcdef") == dash;
}

}  // namespace

void drop_from_page_cache(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".safetensors") continue;
    const int file = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;  // the loader says why
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    ::close(file);
  }
}

std::optional<ModelPages> model_pages(const ModelWeights& weights) {
  std::ifstream smaps("/proc/self/smaps");
  if (!smaps) return std::nullopt;
  ModelPages pages{0, 0};
  bool is_model = false;
  for (std::string line; std::getline(smaps, line);) {
    if (is_mapping(line)) {
      is_model = std::any_of(weights.files.begin(), weights.files.end(), [&](const auto& file) {
        const std::string name = std::filesystem::canonical(file->file().path()).string();
        return line.size() > name.size() && line.compare(line.size() - name.size(), name.size(), name) == 0;
      });
    } else if (is_model) {
      pages.resident_bytes += bytes_after(line, "Rss:").value_or(0);
      pages.huge_bytes += bytes_after(line, "FilePmdMapped:").value_or(0);
    }
  }
  return pages;
}

}  // namespace stagecraft::bench
