/// @file
/// Prompts from files and streams, and what makes one unfit to run.
#include "stages/core/prompts.h"

#include <sstream>
#include <string>
#include <vector>

#include "kernels/check.h"
#include "tests/catch.h"
#include "tests/core/tales_tokenizer.h"
#include "tests/model_folder.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

std::vector<std::string> texts_of(const std::vector<Prompt>& prompts) {
  std::vector<std::string> texts;
  for (const Prompt& prompt : prompts) texts.push_back(prompt.text);
  return texts;
}

std::vector<Prompt> read_file(const std::string& name, const std::string& content) {
  const TemporaryFolder folder;
  write_file(folder.path() / name, content);
  Options options;
  options.prompts_file = folder.path() / name;
  std::istringstream input("not read");
  return read_prompts(options, input, false);
}

std::vector<Prompt> read_input(const std::string& text, bool is_terminal = false) {
  std::istringstream input(text);
  return read_prompts({}, input, is_terminal);
}

template <class Call>
void check_refused(Call&& call, const std::string& named) {
  INFO("looking for " << named);
  try {
    call();
    FAIL("it was accepted");
  } catch (const BadInput& error) {
    INFO(error.what());
    CHECK(std::string(error.what()).find(named) != std::string::npos);
    CHECK_FALSE(error.hint().empty());
  }
}

ModelConfig tales_config() {
  ModelConfig config;
  config.vocabulary = 2048;
  config.context = 16;
  return config;
}

Request request_of(Prompt prompt, const Options& options = {}) {
  return make_requests({std::move(prompt)}, options, tales_tokenizer(), tales_config()).front();
}

}  // namespace

TEST_CASE("a prompts file has one prompt a line; empty lines are skipped", "[prompts]") {
  CHECK(texts_of(read_file("p.txt", "first one\n\nsecond\r\n \"third\"")) ==
        std::vector<std::string>{"first one", "second", " \"third\""});
}

TEST_CASE("in a .jsonl file each line is a JSON string and may hold line breaks", "[prompts]") {
  CHECK(texts_of(read_file("p.jsonl", "\"a\\nb\"\n\"caf\\u00e9\"\n")) == std::vector<std::string>{"a\nb", "caf\u00E9"});
}

TEST_CASE("prompts of a file are named by their line", "[prompts]") {
  CHECK(read_file("p.txt", "a\n\nb\n")[1].origin.ends_with("p.txt:3"));
}

TEST_CASE("files without prompts, that are missing, or not what they say are refused", "[prompts][bad input]") {
  check_refused([] { read_file("p.txt", "\n\n"); }, "no prompt");
  check_refused([] { read_file("p.jsonl", "\"a\"\nb\n"); }, "p.jsonl:2");
  check_refused([] { read_file("p.jsonl", "[1]\n"); }, "p.jsonl:1");
  Options options;
  std::istringstream input;
  options.prompts_file = "/nonexistent";
  check_refused([&] { read_prompts(options, input, false); }, "/nonexistent");
  options.prompts_file = "/tmp";
  check_refused([&] { read_prompts(options, input, false); }, "/tmp");
}

TEST_CASE("standard input is one prompt; only its last line break goes", "[prompts]") {
  CHECK(texts_of(read_input("Once\nupon\n")) == std::vector<std::string>{"Once\nupon"});
  CHECK(texts_of(read_input("Once\n\n")) == std::vector<std::string>{"Once\n"});
  CHECK(texts_of(read_input("Once")) == std::vector<std::string>{"Once"});
}

TEST_CASE("a terminal is not waited for", "[prompts][bad input]") {
  check_refused([] { read_input("typed later", true); }, "no prompt");
}

TEST_CASE("a prompt may be a single character, but not empty and not half of one", "[prompts][bad input]") {
  CHECK(request_of({"p", "a", {}}).prompt_tokens == 1);
  check_refused([] { request_of({"--prompt 2", "", {}}); }, "--prompt 2");
  check_refused([] { request_of({"--prompt 3", "caf\xC3", {}}); }, "UTF-8");
  check_refused([] { request_of({"--prompt 3", "\xED\xA0\x80", {}}); }, "--prompt 3");  // a surrogate
}

TEST_CASE("ids outside the vocabulary are refused by value", "[prompts][bad input]") {
  CHECK(request_of({"--ids", "", {0, 2047}}).tokens == std::vector<TokenId>{0, 2047});
  check_refused([] { request_of({"--ids", "", {5, 2048}}); }, "2048");
  check_refused([] { request_of({"--ids", "", {-1}}); }, "-1");
}

TEST_CASE("a prompt may fill the context, not exceed it", "[prompts][bad input]") {
  Options options;
  options.max_tokens = 100;
  const std::vector<TokenId> fitting(16, 7), longer(17, 7);
  CHECK(request_of({"--ids", "", fitting}, options).max_tokens == 0);
  check_refused([&] { request_of({"--ids", "", longer}, options); }, "17 tokens");
}

TEST_CASE("new tokens are cut to what the context leaves", "[prompts]") {
  Options options;
  options.max_tokens = 100;
  CHECK(request_of({"--ids", "", {1, 2, 3}}, options).max_tokens == 13);
  options.max_tokens = 4;
  CHECK(request_of({"--ids", "", {1, 2, 3}}, options).max_tokens == 4);
}

TEST_CASE("a stop text that is not UTF-8 could never be found", "[prompts][bad input]") {
  Options options;
  options.stop = {"fine", "\xFF"};
  check_refused([&] { request_of({"p", "a", {}}, options); }, "--stop");
}

TEST_CASE("requests are numbered in the order of their prompts", "[prompts]") {
  const auto requests =
      make_requests({{"1", "a", {}}, {"2", "b", {}}, {"3", "", {9}}}, {}, tales_tokenizer(), tales_config());
  REQUIRE(requests.size() == 3);
  CHECK(requests[2].id == 2);
  CHECK(requests[2].tokens == std::vector<TokenId>{9});
}

TEST_CASE("tokenizer and model must fit; a model may have some padding rows", "[prompts][bad input]") {
  ModelConfig config;
  for (const int64_t rows : {2048, 2100, 2155}) {
    config.vocabulary = rows;
    CHECK_NOTHROW(check_vocabulary(tales_tokenizer(), config));
  }
  for (const int64_t rows : {2047, 320, 2156, 49152}) {
    config.vocabulary = rows;
    check_refused([&] { check_vocabulary(tales_tokenizer(), config); }, std::to_string(rows));
  }
}
