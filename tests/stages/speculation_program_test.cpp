/// @file
/// stage6_speculative_decoding as a user meets it: each way to draft, from the first option to the exit code.
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/stage1/child_process.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

ProgramResult run(const std::string& program, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--model", STAGECRAFT_SOURCE_DIR "/models/tales-400k", "--prompt",
                                     "Once upon a time", "--prompt", "The old king", "--temperature", "0.7", "--seed",
                                     "5", "--max-tokens", "24", "--device", "cpu", "--threads", "1"});
  return ChildProcess(STAGECRAFT_BINARY_DIR "/bin/" + program, arguments).wait();
}

const std::vector<std::string> kItself = {"--draft-model", STAGECRAFT_SOURCE_DIR "/models/tales-400k"};

}  // namespace

TEST_CASE("stage 6 prints the text that stage 1 prints, whoever drafts", "[stages][program][speculation]") {
  const std::string expected = run("stage1_naive", {}).output;
  const std::vector<std::vector<std::string>> drafters = {
      {}, kItself, {"--drafter", "accept-2"}, {"--drafter", "wrong"}, {"--drafter", "none"}};
  for (const std::vector<std::string>& drafter : drafters) {
    const ProgramResult result = run("stage6_speculative_decoding", drafter);
    INFO((drafter.empty() ? "n-grams" : drafter.back()) << "\n" << result.errors);
    CHECK(result.exit_code == 0);
    CHECK(result.output == expected);
  }
}

TEST_CASE("stage 6 ends well with a draft model that serves two runs, and with the other verifier",
          "[stages][program][speculation]") {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--baseline"}, std::vector<std::string>{"--verifier", "rejection"}}) {
    std::vector<std::string> arguments = kItself;
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run("stage6_speculative_decoding", arguments);
    INFO(result.errors);
    CHECK(result.exit_code == 0);
    CHECK(result.errors.find("tokens a target call") != std::string::npos);
  }
}
