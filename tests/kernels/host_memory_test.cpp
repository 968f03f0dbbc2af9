/// @file
/// Free memory, as two small files tell it.
#include "kernels/host_memory.h"

#include <limits>

#include "tests/catch.h"
#include "tests/temporary_folder.h"

using namespace stagecraft;
using stagecraft::testing::TemporaryFolder;
using stagecraft::testing::write_file;

TEST_CASE("free memory is what is available, or what the control group leaves if that is less", "[memory]") {
  const TemporaryFolder folder;
  const std::filesystem::path meminfo = folder.path() / "meminfo";
  write_file(meminfo, "MemTotal:  1000 kB\nMemFree:  10 kB\nMemAvailable:  700 kB\nBuffers:  1 kB\n");
  CHECK(free_host_memory(meminfo, folder.path()) == 700 * 1024);
  write_file(folder.path() / "memory.max", "max\n");
  write_file(folder.path() / "memory.current", "4096\n");
  CHECK(free_host_memory(meminfo, folder.path()) == 700 * 1024);
  write_file(folder.path() / "memory.max", "10000\n");
  CHECK(free_host_memory(meminfo, folder.path()) == 10000 - 4096);
  write_file(folder.path() / "memory.current", "20000\n");
  CHECK(free_host_memory(meminfo, folder.path()) == 0);
}

TEST_CASE("where nobody says how much memory is free, nothing limits it", "[memory]") {
  CHECK(free_host_memory("/there/is/no/such/file", "/nor/such/a/folder") == std::numeric_limits<int64_t>::max());
}

TEST_CASE("this machine has some memory left", "[memory]") { CHECK(free_host_memory() > 0); }
