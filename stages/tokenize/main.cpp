/// @file
/// tokenize: text to token ids and back, by a model's tokenizer. For those who check ours, or wonder what a model
/// reads.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "stages/core/command_line.h"
#include "stages/core/json_fields.h"
#include "stages/core/program.h"
#include "stages/core/tokenizer/tokenizer.h"

namespace {

using namespace stagecraft;

constexpr const char* kExamples = R"(examples:
  printf '%s' 'Once upon a time' | tokenize --model models/tales-5m
  echo '"two\nlines"' | tokenize --model models/tales-5m --jsonl
  echo '[500, 12]' | tokenize --model models/tales-5m --decode

All of standard input is the text, its last newline too. Ids are printed as a JSON array; JSON is printed in ASCII.
exit: 0 done, 1 failed while running, 2 bad usage or bad input.)";

struct TokenizeOptions {
  std::string model = default_model().string();
  bool jsonl = false;
  bool decode = false;
  bool no_special = false;
};

/// Returns empty after it has printed the help that was asked for.
std::optional<TokenizeOptions> parse_options(int argc, const char* const* argv) {
  TokenizeOptions options;
  CLI::App app("Text to token ids and back.", "tokenize");
  app.add_option("--model", options.model, "Hugging Face folder with a tokenizer.json")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_flag("--jsonl", options.jsonl, "each line is a JSON string; print an array of ids for each");
  app.add_flag("--decode", options.decode, "the reverse: each line is an array of ids; print a JSON string for each");
  app.add_flag("--no-special", options.no_special,
               "leave out what the post-processor adds (such as BOS); with --decode, special tokens");
  app.footer(kExamples);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw BadInput(error.what(), "tokenize --help lists the options");
  }
  return options;
}

void print_line(const nlohmann::json& value) { fmt::print("{}\n", value.dump(-1, ' ', /*ensure_ascii=*/true)); }

std::vector<TokenId> read_ids(const JsonField& list) {
  std::vector<TokenId> ids;
  for (size_t i = 0; i < list.array().size(); ++i) {
    ids.push_back(TokenId(list.at(i).integer(0, std::numeric_limits<TokenId>::max())));
  }
  return ids;
}

/// What `convert` returns; its errors name the line.
nlohmann::json on_line(const std::string& line, const std::function<nlohmann::json()>& convert) {
  try {
    return convert();
  } catch (const BadInput& error) {
    throw BadInput(fmt::format("{}: {}", line, error.what()), error.hint());
  }
}

void convert_lines(const Tokenizer& tokenizer, bool to_text, SpecialTokens special) {
  std::string line;
  for (int64_t number = 1; std::getline(std::cin, line); ++number) {
    const std::string name = fmt::format("line {}", number);
    const nlohmann::json value = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (value.is_discarded()) {
      throw BadInput(name + ": not JSON", "a line is a JSON string, or with --decode an array of ids");
    }
    const JsonField field(value, name);
    if (to_text) {
      const std::vector<TokenId> ids = read_ids(field);
      print_line(on_line(name, [&] { return tokenizer.decode(ids, special); }));
    } else {
      const std::string& text = field.text();
      print_line(on_line(name, [&] { return tokenizer.encode(text, special); }));
    }
  }
}

int run(const TokenizeOptions& options) {
  const Tokenizer tokenizer = Tokenizer::load(options.model);
  const SpecialTokens special = options.no_special ? SpecialTokens::skip : SpecialTokens::keep;
  if (options.decode || options.jsonl) {
    convert_lines(tokenizer, /*to_text=*/options.decode, special);
  } else {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    print_line(tokenizer.encode(text, special));
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw Failure("cannot write to standard output");
  return kExitDone;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("tokenize", [&] {
    const auto options = parse_options(argc, argv);
    return options ? run(*options) : kExitDone;
  });
}
