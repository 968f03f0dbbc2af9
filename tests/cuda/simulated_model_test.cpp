/// @file
/// T10 for a whole model: what the simulator computes with the CUDA kernels is what the cpu computes, logit by logit.
#include "kernels/cpu/cpu_device.h"
#include "kernels/sim_device.h"
#include "tests/catch.h"
#include "tests/cuda/decoded_model.h"
#include "tests/kernels/kernel_cases.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

const std::vector<TokenId> kPrompt{1, 40, 300, 17, 222, 9, 101};

void compare(const std::string& model, SimMode mode, int tokens) {
  cpu::CpuDevice cpu(1);
  SimDevice sim(mode, 0);
  const Decoded expected = decode(cpu, model, kPrompt, tokens), actual = decode(sim, model, kPrompt, tokens);
  CHECK(first_difference(expected.logits, actual.logits) == "");
  CHECK(expected.tokens == actual.tokens);
}

}  // namespace

TEST_CASE("models decode on the simulator with the logits of the cpu") {
  compare("tales-400k", SimMode::fast, 70);  // past the first tile of keys: attention is split from there on
  compare("tales-5m", SimMode::fast, 3);
}

#if STAGECRAFT_CHECKED_KERNELS
TEST_CASE("a whole model runs in the checked simulator without a finding, with the logits of the cpu") {
  compare("tales-400k", SimMode::checked, 4);
}
#endif
