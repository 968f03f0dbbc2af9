/// @file
/// Options: defaults, values, and every way to get one wrong.
#include "stages/core/command_line.h"

#include <cmath>
#include <string>
#include <vector>

#include "kernels/check.h"
#include "tests/catch.h"

using namespace stagecraft;

namespace {

constexpr StageInfo kStage{1, "naive", "stage1_naive", "an idea"};

Options parse(std::vector<std::string> arguments) {
  std::vector<const char*> argv{"stage1_naive"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  CommandLine command_line(kStage);
  const std::optional<Options> options = command_line.parse(int(argv.size()), argv.data());
  REQUIRE(options);
  return *options;
}

/// The arguments are refused, the message holds `named` and there is a hint.
void check_refused(const std::vector<std::string>& arguments, const std::string& named) {
  INFO("looking for " << named);
  try {
    parse(arguments);
    FAIL("accepted: " << arguments.front());
  } catch (const BadInput& error) {
    INFO(error.what());
    CHECK(std::string(error.what()).find(named) != std::string::npos);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    CHECK_FALSE(error.hint().empty());
  }
}

}  // namespace

TEST_CASE("without options everything has a value: greedy, bf16 K/V, the model of the repository", "[options]") {
  const Options options = parse({});
  CHECK(options.model.filename() == "tales-5m");
  CHECK(options.device == "auto");
  CHECK(options.threads >= 1);
  CHECK(options.kv_type == NumberType::bf16);
  CHECK(options.max_tokens == 128);
  CHECK(options.sampling.temperature == 0.0f);
  CHECK(options.sampling.top_k == kNoTopK);
  CHECK(options.sampling.top_p == 1.0f);
  CHECK(options.sampling.seed == 0);
  CHECK(options.prompts.empty());
  CHECK_FALSE(options.ids);
  CHECK(options.json.empty());
  CHECK_FALSE(options.limits.read_bandwidth_gbs);
  CHECK(options.notes.empty());
}

TEST_CASE("all values arrive where they belong", "[options]") {
  const Options options = parse({"--model",
                                 "m",
                                 "--device",
                                 "cpu",
                                 "--threads",
                                 "3",
                                 "--kv-type",
                                 "fp16",
                                 "--prompt",
                                 "a b",
                                 "--max-tokens",
                                 "7",
                                 "--temperature",
                                 "0.7",
                                 "--top-k",
                                 "40",
                                 "--top-p",
                                 "0.9",
                                 "--seed",
                                 "18446744073709551615",
                                 "--stop",
                                 "x",
                                 "--stop",
                                 "y",
                                 "--ignore-eos",
                                 "--json",
                                 "-",
                                 "--trace",
                                 "t",
                                 "--report",
                                 "r",
                                 "--logits",
                                 "l",
                                 "--read-bandwidth",
                                 "18.5",
                                 "--peak-gflops",
                                 "150"});
  CHECK(options.model == "m");
  CHECK(options.device == "cpu");
  CHECK(options.threads == 3);
  CHECK(options.kv_type == NumberType::fp16);
  CHECK(options.prompts == std::vector<std::string>{"a b"});
  CHECK(options.max_tokens == 7);
  CHECK(options.sampling.temperature == 0.7f);
  CHECK(options.sampling.top_k == 40);
  CHECK(options.sampling.top_p == 0.9f);
  CHECK(options.sampling.seed == UINT64_MAX);
  CHECK(options.stop == std::vector<std::string>{"x", "y"});
  CHECK(options.ignore_end_of_text);
  CHECK(options.json_to_standard_output());
  CHECK(options.trace == "t");
  CHECK(options.report == "r");
  CHECK(options.logits == "l");
  CHECK(options.limits.read_bandwidth_gbs == 18.5);
  CHECK(options.limits.peak_gflops == 150.0);
}

TEST_CASE("prompts stay as they were written, also in brackets, with a dash, or with commas", "[options]") {
  const std::vector<std::string> prompts{"[INST] a, b [/INST]", "-1", "--seed", "a,b", " ", "{}", "\"q\"", "%%"};
  std::vector<std::string> arguments;
  for (const std::string& prompt : prompts) {
    arguments.push_back("--prompt");
    arguments.push_back(prompt);
  }
  CHECK(parse(arguments).prompts == prompts);
}

TEST_CASE("a stop text may be a line break", "[options]") { CHECK(parse({"--stop", "\n"}).stop.front() == "\n"); }

TEST_CASE("ids are whole numbers between commas", "[options]") {
  CHECK(*parse({"--ids", "5"}).ids == std::vector<TokenId>{5});
  CHECK(*parse({"--ids", "1,0,2147483647"}).ids == std::vector<TokenId>{1, 0, 2147483647});
  for (const char* wrong : {"1,,2", ",1", "1,", "1;2", "1.5", "a", "-1", "2147483648", "0x10", "1 2"}) {
    check_refused({"--ids", wrong}, "--ids");
  }
}

TEST_CASE("numbers out of range, or that are none, are refused by name", "[options][bad input]") {
  for (const char* wrong : {"0", "-1", "1025", "two", "1.5", "99999999999999999999"}) {
    check_refused({"--threads", wrong}, "--threads");
  }
  for (const char* wrong : {"-1", "2147483648", "1e3", "ten"}) check_refused({"--max-tokens", wrong}, "--max-tokens");
  for (const char* wrong : {"-0.1", "nan", "inf", "warm", "0,7", "1e9"}) {
    check_refused({"--temperature", wrong}, "--temperature");
  }
  for (const char* wrong : {"-1", "2147483648", "0.5"}) check_refused({"--top-k", wrong}, "--top-k");
  for (const char* wrong : {"0", "0.0", "-0.5", "1.01", "nan", "all"}) check_refused({"--top-p", wrong}, "--top-p");
  for (const char* wrong : {"-1", "18446744073709551616", "x"}) check_refused({"--seed", wrong}, "--seed");
  for (const char* wrong : {"0", "-5", "nan", "fast"}) check_refused({"--read-bandwidth", wrong}, "--read-bandwidth");
  for (const char* wrong : {"int8", "BF16", "32"}) check_refused({"--kv-type", wrong}, "--kv-type");
}

TEST_CASE("the ends of the ranges are accepted", "[options]") {
  CHECK(parse({"--top-p", "1"}).sampling.top_p == 1.0f);
  CHECK(parse({"--top-p", "1e-6"}).sampling.top_p == 1e-6f);
  CHECK(parse({"--temperature", "1e-6"}).sampling.temperature == 1e-6f);
  CHECK(parse({"--top-k", "2147483647"}).sampling.top_k == 2147483647);
  CHECK(parse({"--max-tokens", "0"}).max_tokens == 0);
  CHECK(parse({"--threads", "1"}).threads == 1);
}

TEST_CASE("a leading zero is not octal", "[options]") { CHECK(parse({"--max-tokens", "010"}).max_tokens == 10); }

TEST_CASE("contradictions are refused", "[options][bad input]") {
  check_refused({"--prompt", "a", "--ids", "1"}, "contradict");
  check_refused({"--prompt", "a", "--prompts", "f"}, "contradict");
  check_refused({"--prompts", "f", "--ids", "1"}, "contradict");
  check_refused({"--seed", "1", "--seed", "2"}, "--seed");
  check_refused({"--json", "x", "--trace", "x"}, "'x'");
}

TEST_CASE("unknown options and stray texts are refused", "[options][bad input]") {
  check_refused({"--frobnicate"}, "--frobnicate");
  check_refused({"--prompt", "Once", "upon"}, "upon");
  check_refused({"--max-token", "5"}, "--max-token");
  check_refused({"--seed"}, "--seed");
}

TEST_CASE("empty values are refused, whatever the option", "[options][bad input]") {
  for (const char* option : {"--model", "--prompt", "--prompts", "--ids", "--stop", "--json", "--logits", "--seed"}) {
    check_refused({option, ""}, option);
  }
}

TEST_CASE("sampling options without a temperature get a note", "[options]") {
  CHECK(parse({"--top-p", "0.9"}).notes.size() == 1);
  CHECK(parse({"--seed", "9", "--temperature", "0"}).notes.empty());  // as scripts do that sweep temperatures
}
