/// @file
/// EXACTNESS T2 and T3: where a prompt is cut, and whether a token came as a prompt or was drawn, changes no bit of its
/// logits and none of its keys and values.
#include "tests/catch.h"
#include "tests/stages/computed_prompt.h"
#include "tests/stages/mixed_requests.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

void check_chunks(TestModel& on, int64_t length, const std::vector<int64_t>& chunks, NumberType type) {
  const std::vector<TokenId> prompt = simple_job(3, length, 1, on.config()).request.tokens;
  const ComputedPrompt whole = compute_prompt(on, prompt, kWholePrompt, type);
  for (const int64_t chunk : chunks) {
    INFO("length " << length << ", chunk " << chunk << ", K/V " << name_of(type));
    const ComputedPrompt pieces = compute_prompt(on, prompt, chunk, type);
    CHECK(same_logits(whole, pieces));
    CHECK(whole.kv == pieces.kv);
  }
}

}  // namespace

TEST_CASE("decoding token by token gives the logits of the whole prompt at every position", "[stages][T2]") {
  check_chunks(tales_400k(), 200, {1}, NumberType::bf16);
  check_chunks(tales_5m(), 70, {1}, NumberType::bf16);
}

TEST_CASE("every chunk size gives the same logits and the same K/V bytes", "[stages][T3]") {
  for (const NumberType type : {NumberType::bf16, NumberType::fp16, NumberType::fp32}) {
    check_chunks(tales_400k(), 150, {1, 2, 7, 16, 63, 64, 65, 149, 150, 151}, type);
  }
  check_chunks(tales_5m(), 130, {64, 65}, NumberType::bf16);
}

TEST_CASE("prompts around a tile of attention may be cut anywhere", "[stages][T3]") {
  for (const int64_t length : {1, 2, 63, 64, 65, 128, 129}) {
    check_chunks(tales_400k(), length, {1, 63, 64}, NumberType::bf16);
  }
}
