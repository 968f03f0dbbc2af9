#pragma once
/// @file
/// Where the engine's counts go, to be compared with those of the interactive pages (docs/interactive).
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/catch.h"

namespace stagecraft::testing {

using nlohmann::json;

/// Leaves `cases` in page_cases/`page`.json of the build folder, for tests/pages/compare_counts.
inline void write_cases(const std::string& page, const json& cases) {
  const std::filesystem::path folder = std::filesystem::path(STAGECRAFT_BINARY_DIR) / "page_cases";
  std::filesystem::create_directories(folder);
  std::ofstream file(folder / (page + ".json"));
  file << cases.dump(1) << '\n';
  file.close();
  REQUIRE(file);
}

/// Whole numbers drawn from a seed, the same with every C++ library.
class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}

  /// From `least` to `most`, both included.
  int64_t between(int64_t least, int64_t most) { return least + int64_t(engine_() % (uint64_t(most - least) + 1)); }
  bool one_in(int64_t n) { return between(1, n) == 1; }
  /// In [0, 1).
  double share() { return double(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace stagecraft::testing
