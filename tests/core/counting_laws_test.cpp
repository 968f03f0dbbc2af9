/// @file
/// The closed forms against counting one by one.
#include "stages/core/counting_laws.h"

#include <vector>

#include "stages/core/model_config.h"
#include "tests/catch.h"

using namespace stagecraft;

TEST_CASE("naive decoding forwards the sum of (p + i); with a cache every token goes through once", "[counting]") {
  for (const int64_t prompt : {1, 2, 12, 1000}) {
    int64_t naive = 0;
    for (int64_t output = 0; output < 50; ++output) {
      INFO("p=" << prompt << " n=" << output);
      CHECK(naive_tokens_forwarded(prompt, output) == naive);
      CHECK(cached_tokens_forwarded(prompt, output) == (output == 0 ? 0 : prompt + output - 1));
      naive += prompt + output;  // the pass that draws token `output`, counted from 0
    }
  }
}

TEST_CASE("the chapters' example: 12 prompt tokens and 48 more cost 1,704 tokens, or 59 with a cache", "[counting]") {
  STATIC_REQUIRE(naive_tokens_forwarded(12, 48) == 1704);
  STATIC_REQUIRE(cached_tokens_forwarded(12, 48) == 59);
}

TEST_CASE("long texts do not overflow 32 bits", "[counting]") {
  STATIC_REQUIRE(naive_tokens_forwarded(100'000, 100'000) == 14'999'950'000);
}

TEST_CASE("K/V bytes of a token: SmolLM2-135M 23,040 in bf16, twice that in fp32", "[counting]") {
  ModelConfig smollm2;
  smollm2.layers = 30;
  smollm2.heads = 9;
  smollm2.kv_heads = 3;
  smollm2.head_dim = 64;
  CHECK(smollm2.kv_bytes_per_token(NumberType::bf16) == 23'040);
  CHECK(smollm2.kv_bytes_per_token(NumberType::fp16) == 23'040);
  CHECK(smollm2.kv_bytes_per_token(NumberType::fp32) == 46'080);
}

TEST_CASE("a static batch pads to its longest sequence; equal lengths pad nothing", "[counting]") {
  CHECK(static_padding_share(std::vector<int64_t>{10, 10, 20}) == Approx(1.0 - 40.0 / 60.0));
  CHECK(static_padding_share(std::vector<int64_t>{7, 7, 7}) == 0.0);
  CHECK(static_padding_share(std::vector<int64_t>{5}) == 0.0);
}

TEST_CASE("padding of no batch is a bug of the caller", "[counting]") {
  CHECK_THROWS_AS(static_padding_share({}), std::logic_error);
  CHECK_THROWS_AS(static_padding_share(std::vector<int64_t>{0, 0}), std::logic_error);
}
