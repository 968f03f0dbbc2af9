/// @file
/// Mapping ordinary files, and what is none.
#include "stages/core/model_files/mapped_file.h"

#include <string_view>

#include <sys/stat.h>

#include "tests/loader/refusal.h"
#include "tests/model_folder.h"

using namespace stagecraft;
using namespace stagecraft::testing;

TEST_CASE("a mapped file shows the file's bytes") {
  const TemporaryFolder folder;
  const std::string content = std::string(5000, 'a') + "end";  // more than a page
  write_file(folder.path() / "file", content);
  const MappedFile file(folder.path() / "file");
  CHECK(std::string_view(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()) == content);
}

TEST_CASE("an empty file maps to no bytes") {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "");
  const MappedFile file(folder.path() / "file");
  CHECK(file.bytes().empty());
  file.prefetch();
}

TEST_CASE("what is no ordinary file is refused") {
  const TemporaryFolder folder;
  require_refusal([&] { MappedFile(folder.path() / "absent"); }, {"absent", "no such file"});
  require_refusal([&] { MappedFile{folder.path()}; }, {folder.path().string(), "folder"});
  // Opening a pipe would wait for a writer for ever.
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  require_refusal([&] { MappedFile(folder.path() / "pipe"); }, {"pipe", "not a file"});
}
