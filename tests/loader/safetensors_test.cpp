/// @file
/// A safetensors header is believed in nothing: each false claim is refused, and what comes close to one is read.
#include "stages/core/model_files/safetensors.h"

#include <cstring>
#include <vector>

#include "tests/loader/refusal.h"
#include "tests/model_folder.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

/// A file in memory, aligned as a mapping is.
class Image {
 public:
  explicit Image(std::string_view content) : memory_(content.size() / 8 + 1), size_(content.size()) {
    std::memcpy(memory_.data(), content.data(), content.size());
  }
  TensorMap parse() const {
    return parse_safetensors({reinterpret_cast<const std::byte*>(memory_.data()), size_}, "x.safetensors");
  }

 private:
  std::vector<uint64_t> memory_;
  size_t size_;
};

/// A file whose header is `header`, as written, with `data_bytes` bytes of data.
TensorMap parse(const std::string& header, size_t data_bytes) {
  return Image(safetensors_file(header, std::string(data_bytes, 'x'))).parse();
}

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

/// A file of one tensor "w".
TensorMap parse_one(const std::string& dtype, const std::string& shape, const std::string& offsets, size_t data_bytes) {
  return parse(R"({"w":)" + entry(dtype, shape, offsets) + "}", data_bytes);
}

}  // namespace

TEST_CASE("a tensor is handed out in place with its type and shape") {
  const std::string values = stored_bytes({1.5f, -2.0f, 3.0f, 0.25f, 5.0f, 6.0f}, NumberType::bf16);
  const Image image(safetensors_file(Tensors{{"w", {"BF16", {2, 3}, values}}}));
  const TensorMap tensors = image.parse();
  REQUIRE(tensors.size() == 1);  // __metadata__ is none
  const StoredTensor& w = tensors.at("w");
  CHECK(w.type == NumberType::bf16);
  CHECK(w.shape == std::vector<int64_t>{2, 3});
  REQUIRE(w.bytes.size() == values.size());
  CHECK(std::memcmp(w.bytes.data(), values.data(), values.size()) == 0);
}

TEST_CASE("near misses that are right are read") {
  SECTION("a single number has an empty shape") { CHECK(parse_one("F32", "[]", "[0,4]", 4).at("w").shape.empty()); }
  SECTION("a tensor without elements takes no bytes") {
    const TensorMap tensors =
        parse(R"({"a":)" + entry("F32", "[0,7]", "[4,4]") + R"(,"b":)" + entry("F32", "[1]", "[0,4]") + "}", 4);
    CHECK(tensors.at("a").bytes.empty());
  }
  SECTION("a file may hold no tensor at all") { CHECK(parse("{}", 0).empty()); }
  SECTION("types that weights cannot have are read, without a number type") {
    for (const char* dtype : {"I64", "U64", "F64"}) CHECK_FALSE(parse_one(dtype, "[2]", "[0,16]", 16).at("w").type);
    for (const char* dtype : {"F8_E4M3", "F8_E5M2", "BOOL", "I8", "U8"})
      CHECK_FALSE(parse_one(dtype, "[3]", "[0,3]", 3).at("w").type);
  }
  SECTION("tensors may be listed in any order") {
    CHECK(parse(R"({"b":)" + entry("BF16", "[2]", "[4,8]") + R"(,"a":)" + entry("BF16", "[2]", "[0,4]") + "}", 8)
              .size() == 2);
  }
  SECTION("one byte of U8 puts the next at an odd place, which matters to wider types only") {
    CHECK(parse(R"({"a":)" + entry("U8", "[1]", "[0,1]") + R"(,"b":)" + entry("U8", "[2]", "[1,3]") + "}", 3).size() ==
          2);
  }
}

TEST_CASE("a file too short for its length field is refused") {
  for (const size_t size : {0, 1, 7}) {
    require_refusal([&] { Image(std::string(size, '\0')).parse(); },
                    {"x.safetensors", std::to_string(size), "too short"});
  }
}

TEST_CASE("a header length beyond the file is refused, one that fits exactly is not") {
  const std::string whole = safetensors_file("{}", "");
  CHECK(Image(whole).parse().empty());
  std::string longer = whole;
  longer[0] = char(longer[0] + 1);
  require_refusal([&] { Image(longer).parse(); }, {"x.safetensors", "header length 9", "16 bytes"});
  std::string absurd = whole;
  absurd.replace(0, 8, 8, '\xff');
  require_refusal([&] { Image(absurd).parse(); }, {"header length 18446744073709551615"});
}

TEST_CASE("a Git LFS pointer is recognised") {
  const std::string hint = require_refusal(
      [] { Image("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n").parse(); }, {"Git LFS pointer"});
  CHECK(hint.find("git lfs pull") != std::string::npos);
}

TEST_CASE("a header that is no JSON object is refused") {
  require_refusal([] { parse(R"({"w":{"dtype")", 0); }, {"x.safetensors", "broken JSON"});
  require_refusal([] { parse("[1,2]", 0); }, {"must be an object"});
  require_refusal([] { parse(R"({"w":3})", 0); }, {"\"w\"", "must be an object", "3"});
  require_refusal([] { parse(std::string("\0\0\0", 3), 0); }, {"broken JSON"});
  require_refusal([] { parse(R"({"w":)" + std::string(5000, '['), 0); }, {"nested"});
}

TEST_CASE("an unknown element type is refused") {
  require_refusal([] { parse_one("Q4_K", "[2]", "[0,4]", 4); }, {"w.dtype", "Q4_K"});
  require_refusal([] { parse_one("bf16", "[2]", "[0,4]", 4); }, {"w.dtype", "bf16"});
  require_refusal([] { parse(R"({"w":{"shape":[2],"data_offsets":[0,4]}})", 4); }, {"w.dtype", "missing"});
  require_refusal([] { parse(R"({"w":{"dtype":7,"shape":[2],"data_offsets":[0,4]}})", 4); }, {"w.dtype", "7"});
}

TEST_CASE("a shape that is no list of sizes is refused") {
  require_refusal([] { parse_one("BF16", "[-1]", "[0,4]", 4); }, {"w.shape[0]", "-1"});
  require_refusal([] { parse_one("BF16", "[2.0]", "[0,4]", 4); }, {"w.shape[0]", "2.0"});
  require_refusal([] { parse_one("BF16", "2", "[0,4]", 4); }, {"w.shape", "must be an array"});
  require_refusal([] { parse_one("BF16", "[18446744073709551615]", "[0,4]", 4); },
                  {"w.shape[0]", "18446744073709551615"});
}

TEST_CASE("a shape whose product overflows is refused") {
  require_refusal([] { parse_one("BF16", "[4294967296,4294967296]", "[0,4]", 4); },
                  {"w.shape", "4294967296, 4294967296"});
  // 2^62 elements fit 64 bits, their bytes do not: wrapped around they would be 0, and so would the offsets.
  require_refusal([] { parse_one("F32", "[4611686018427387904]", "[0,0]", 0); }, {"w.shape", "4611686018427387904"});
}

TEST_CASE("offsets that do not lie in the data are refused") {
  require_refusal([] { parse_one("BF16", "[2]", "[-4,0]", 4); }, {"w.data_offsets[0]", "-4"});
  require_refusal([] { parse_one("BF16", "[2]", "[4,0]", 4); }, {"\"w\"", "[4, 0]"});
  require_refusal([] { parse_one("BF16", "[2]", "[4,8]", 4); }, {"\"w\"", "[4, 8]", "4 bytes"});
  require_refusal([] { parse_one("BF16", "[2]", "[0,18446744073709551615]", 4); }, {"w.data_offsets[1]"});
  require_refusal([] { parse_one("BF16", "[2]", "[9223372036854775804,9223372036854775807]", 4); }, {"\"w\""});
  require_refusal([] { parse_one("BF16", "[2]", "[0]", 4); }, {"w.data_offsets", "two numbers"});
  require_refusal([] { parse_one("BF16", "[2]", "[0,4,8]", 8); }, {"w.data_offsets", "two numbers"});
}

TEST_CASE("a file cut off behind its header is refused") {
  std::string file = safetensors_file(Tensors{{"w", {"BF16", {8}, std::string(16, 'x')}}});
  CHECK(Image(file).parse().size() == 1);
  file.pop_back();
  require_refusal([&] { Image(file).parse(); }, {"\"w\"", "[0, 16]", "15 bytes"});
}

TEST_CASE("offsets that do not match type and shape are refused") {
  require_refusal([] { parse_one("BF16", "[3]", "[0,4]", 4); }, {"\"w\"", "BF16 (3)", "6 bytes", "[0, 4]"});
  require_refusal([] { parse_one("F32", "[1]", "[0,2]", 2); }, {"\"w\"", "4 bytes", "[0, 2]"});
}

TEST_CASE("tensors that overlap are refused") {
  require_refusal(
      [] { parse(R"({"a":)" + entry("BF16", "[4]", "[0,8]") + R"(,"b":)" + entry("BF16", "[4]", "[6,14]") + "}", 14); },
      {"\"b\"", "[6, 14]", "overlap", "8"});
  require_refusal(
      [] { parse(R"({"a":)" + entry("BF16", "[4]", "[0,8]") + R"(,"b":)" + entry("BF16", "[4]", "[0,8]") + "}", 8); },
      {"overlap"});
}

TEST_CASE("bytes that belong to no tensor are refused") {
  require_refusal(
      [] { parse(R"({"a":)" + entry("BF16", "[2]", "[0,4]") + R"(,"b":)" + entry("BF16", "[2]", "[6,10]") + "}", 10); },
      {"4 to 6", "no tensor"});
  require_refusal([] { parse_one("BF16", "[2]", "[0,4]", 6); }, {"4 to 6", "no tensor"});
}

TEST_CASE("a weight that is not aligned to its element is refused, never read") {
  require_refusal(
      [] { parse(R"({"a":)" + entry("U8", "[1]", "[0,1]") + R"(,"b":)" + entry("BF16", "[2]", "[1,5]") + "}", 5); },
      {"\"b\"", "no multiple of 2"});
  require_refusal(
      [] { parse(R"({"a":)" + entry("BF16", "[1]", "[0,2]") + R"(,"b":)" + entry("F32", "[1]", "[2,6]") + "}", 6); },
      {"\"b\"", "no multiple of 4"});
}

TEST_CASE("a name that occurs twice is refused") {
  require_refusal(
      [] { parse(R"({"w":)" + entry("BF16", "[2]", "[0,4]") + R"(,"w":)" + entry("BF16", "[2]", "[4,8]") + "}", 8); },
      {"x.safetensors", "\"w\"", "twice"});
  require_refusal([] { parse(R"({"w":{"dtype":"BF16","dtype":"F16","shape":[2],"data_offsets":[0,4]}})", 4); },
                  {"\"dtype\"", "twice"});
}

TEST_CASE("a name with control characters stays on one line of a message") {
  require_refusal([] { parse(R"({"a\nb":)" + entry("BF16", "[3]", "[0,4]") + "}", 4); }, {"a\\nb"});
  require_refusal([] { parse(R"({"a\nb":)" + entry("what", "[3]", "[0,4]") + "}", 4); }, {"a?b"});
}
