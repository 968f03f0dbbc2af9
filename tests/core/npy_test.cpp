/// @file
/// .npy files: what is written can be read, and what is something else is refused by name.
#include "stages/core/npy.h"

#include <fstream>
#include <sstream>

#include "kernels/check.h"
#include "tests/catch.h"
#include "tests/model_folder.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

std::string npy_text(const std::vector<float>& values, const std::vector<int64_t>& shape) {
  std::ostringstream out;
  write_npy(out, "test", values, shape);
  return out.str();
}

NpyArray read_text(const std::string& bytes) {
  const TemporaryFolder folder;
  write_file(folder.path() / "array.npy", bytes);
  return read_npy(folder.path() / "array.npy");
}

/// A file with this header, padded as NumPy does, and room for `floats` values.
std::string file_with_header(std::string header, size_t floats) {
  header.resize(117, ' ');
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += char(header.size());
  file += '\0';
  return file + header + std::string(floats * sizeof(float), '\0');
}

void check_refused(const std::string& bytes, const std::string& reason) {
  INFO(reason);
  try {
    read_text(bytes);
    FAIL("it was read");
  } catch (const BadInput& error) {
    CHECK(std::string(error.what()).find(reason) != std::string::npos);
    CHECK(std::string(error.what()).find("array.npy") != std::string::npos);
    CHECK_FALSE(error.hint().empty());
  }
}

}  // namespace

TEST_CASE("an array comes back bit for bit, with its shape", "[npy]") {
  const std::vector<float> values{1.5f, -0.0f, 3e38f, 1e-45f, 5.0f, 6.0f};
  for (const std::vector<int64_t>& shape : {std::vector<int64_t>{2, 3}, {6}, {1, 6, 1}}) {
    const NpyArray array = read_text(npy_text(values, shape));
    CHECK(array.shape == shape);
    CHECK(std::memcmp(array.values.data(), values.data(), values.size() * sizeof(float)) == 0);
  }
}

TEST_CASE("empty arrays and single numbers have a shape too", "[npy]") {
  CHECK(read_text(npy_text({}, {0, 5})).shape == std::vector<int64_t>{0, 5});
  CHECK(read_text(npy_text({7.0f}, {})).values == std::vector<float>{7.0f});
}

TEST_CASE("the data begin at a multiple of 64 bytes and the header ends with a line break", "[npy]") {
  for (int64_t rows = 1; rows < 200'000; rows *= 7) {
    const std::string bytes = npy_text({}, {0, rows});
    CHECK(bytes.size() % 64 == 0);
    CHECK(bytes.back() == '\n');
    CHECK(bytes.size() == 10 + size_t(static_cast<unsigned char>(bytes[8])));
  }
}

TEST_CASE("a file that NumPy wrote is read", "[npy]") {
  const NpyArray array = read_text(file_with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 6));
  CHECK(array.shape == std::vector<int64_t>{2, 3});
}

TEST_CASE("what is no float32 array in C order is refused by name", "[npy][bad input]") {
  check_refused("", "version 1.0");
  check_refused("\x93NUMPY", "version 1.0");
  check_refused(std::string("\x93NUMPY\x02\x00", 8) + std::string(60, ' '), "version 1.0");
  check_refused(npy_text({1, 2}, {2}).substr(0, 40), "cut off");
  check_refused(npy_text({1, 2}, {2}).substr(0, 132), "length");
  check_refused(npy_text({1, 2}, {2}) + "x", "length");
  check_refused(file_with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", 2), "float32");
  check_refused(file_with_header("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", 2), "C order");
  check_refused(file_with_header("{'descr': '<f4', 'fortran_order': False, }", 2), "shape");
  check_refused(file_with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (two,), }", 2), "shape");
  check_refused(file_with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", 2), "shape");
}

TEST_CASE("a shape whose product overflows is refused, not allocated", "[npy][bad input]") {
  check_refused(
      file_with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (2147483647, 2147483647, 2147483647), }", 4),
      "shorter");
}

TEST_CASE("a missing file is refused", "[npy][bad input]") {
  CHECK_THROWS_AS(read_npy("/nonexistent/array.npy"), BadInput);
}

TEST_CASE("a stream that takes no bytes is a failure", "[npy]") {
  std::ofstream full("/dev/full");
  const std::vector<float> values(100'000, 1.0f);
  CHECK_THROWS_AS(write_npy(full, "/dev/full", values, {100'000}), Failure);
}
