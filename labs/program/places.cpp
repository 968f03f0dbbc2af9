#include "labs/program/places.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "kernels/check.h"

namespace stagecraft::labs {

Places find_places() {
  Places places{LAB_SOURCE_DIR, LAB_BINARY_DIR, ""};
  const char* work = std::getenv("LAB_WORK");
  places.work = work ? std::filesystem::absolute(work) : places.source / "work";
  return places;
}

std::string shown(const Places& places, const Path& path) {
  const Path relative = path.lexically_relative(places.source);
  return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

std::string read_file(const Path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw BadInput(fmt::format("cannot read {}", path.string()), "is the checkout complete?");
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const Path& path, const std::string& content) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  const Path draft = path.string() + ".new";
  std::ofstream file(draft, std::ios::binary);
  file << content;
  file.close();
  if (file) std::filesystem::rename(draft, path, error);
  if (!file || error)
    throw Failure(fmt::format("cannot write {}", path.string()), "is there space, and may you write there?");
}

}  // namespace stagecraft::labs
