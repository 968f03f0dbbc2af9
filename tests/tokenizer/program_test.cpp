/// @file
/// The program `tokenize`: what it prints, and its exit codes.
#include <cstdio>
#include <string>
#include <tuple>

#include <sys/wait.h>

#include "tests/catch.h"

namespace {

struct Outcome {
  int exit_code;
  std::string output;  // standard output, and standard error where the command says so
};

/// Runs `tokenize ARGUMENTS` in a shell with `input` (of printf) as its standard input.
Outcome tokenize(const std::string& input, const std::string& arguments) {
  const std::string command =
      "printf '" + input + "' | " STAGECRAFT_BINARY_DIR "/bin/tokenize --model " STAGECRAFT_SOURCE_DIR "/" + arguments;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += char(c);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

constexpr const char* kLlama = "tests/golden/tokenizers/llama2 ";

}  // namespace

TEST_CASE("tokenize prints ids, and with --decode the text again") {
  const Outcome ids = tokenize("a b", kLlama);
  CHECK(ids.exit_code == 0);
  REQUIRE(ids.output.substr(0, 3) == "[1,");  // BOS
  CHECK(tokenize(ids.output.substr(0, ids.output.size() - 1), std::string(kLlama) + "--decode").output ==
        "\"<s> a b\"\n");
  CHECK(tokenize(ids.output, std::string(kLlama) + "--decode --no-special").output == "\"a b\"\n");
  CHECK(tokenize("a b", std::string(kLlama) + "--no-special").output == "[" + ids.output.substr(3));
}

TEST_CASE("tokenize --jsonl takes a JSON string a line and prints a line for each") {
  const Outcome outcome = tokenize("\"\"\\n\"<s>\"\\n", std::string(kLlama) + "--jsonl");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output == "[1]\n[1,1]\n");
}

TEST_CASE("tokenize ends with 2 and a line that says what is wrong") {
  for (const auto& [input, arguments, part] : {
           std::tuple{"a\\377", std::string(kLlama), "offset 1"},
           std::tuple{"nonsense", std::string(kLlama) + "--jsonl", "line 1"},
           std::tuple{"[1]\\n[1,-5]", std::string(kLlama) + "--decode", "line 2"},
           std::tuple{"[1000000]", std::string(kLlama) + "--decode", "line 1: token id 1000000"},
           std::tuple{"", std::string("no/such/folder"), "no/such/folder/tokenizer.json"},
           std::tuple{"", std::string(kLlama) + "--bogus", "--bogus"},
       }) {
    const Outcome outcome = tokenize(input, arguments + " 2>&1");
    INFO(outcome.output);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.output.find(part) != std::string::npos);
  }
}

TEST_CASE("tokenize --help shows examples") {
  const Outcome outcome = tokenize("", std::string(kLlama) + "--help");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output.find("examples:") != std::string::npos);
}
