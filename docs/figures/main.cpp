/// @file
/// figures: holds the numbers of the book against the runs that they come from, and makes those runs again.
#include <fstream>
#include <iterator>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "docs/figures/chapter.h"
#include "docs/figures/remake.h"
#include "docs/figures/uncovered.h"
#include "kernels/check.h"
#include "stages/core/program.h"

namespace {

using namespace stagecraft;
using namespace stagecraft::figures;

constexpr const char* kExamples = R"(examples:
  figures check                               does every chapter say what its results say?
  figures check --uncovered --recipe README   which lines hold numbers that no sentence has?
  figures remake --recipe 5_paged_attention   run its commands again, write the results and the chapter's sentences
  figures remake --recipe 5_paged_attention --run chats
  figures recount                             run what is counted, not timed, again: are the results still the same?

exit: 0 all agrees, 1 something does not, 2 bad usage or bad input.)";

struct FiguresOptions {
  std::string root = STAGECRAFT_SOURCE_DIR;
  std::string programs = STAGECRAFT_BINARY_DIR "/bin";
  std::string recipe, run, smollm2;
  bool quick = false, timed = false, uncovered = false;
  enum class Command { kCheck, kRemake, kRecount } command = Command::kCheck;
};

std::optional<FiguresOptions> parse_options(int argc, const char* const* argv) {
  using Command = FiguresOptions::Command;
  FiguresOptions options;
  CLI::App app("Where the numbers of the book come from: docs/figures/recipes and results.", "figures");
  app.add_option("--root", options.root, "the project's folder")->type_name("DIR");
  app.add_option("--programs", options.programs, "folder of the programs that are run")->type_name("DIR");
  app.add_option("--smollm2", options.smollm2,
                 "folder of SmolLM2-135M-Instruct; without it runs that need it are skipped")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  const auto add = [&](const char* name, Command command, const char* help) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->add_option("--recipe", options.recipe, "only this one")->type_name("NAME");
    sub->callback([&options, command] { options.command = command; });
    return sub;
  };
  add("check", Command::kCheck, "look whether the chapters hold their sentences")
      ->add_flag("--uncovered", options.uncovered, "also print lines with numbers that no sentence has");
  CLI::App* remake =
      add("remake", Command::kRemake, "run the commands; write the results, and the chapters' sentences");
  remake->add_option("--run", options.run, "only this run")->type_name("ID");
  remake->add_flag("--timed", options.timed, "only runs whose values are times: on a machine that nobody else uses");
  add("recount", Command::kRecount, "run the commands whose values are counted, and compare")
      ->add_flag("--quick", options.quick, "only runs of a second or two");
  app.require_subcommand(1);
  app.footer(kExamples);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw BadInput(error.what(), "figures --help shows the commands");
  }
  return options;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw BadInput(fmt::format("{}: cannot be read", file.string()), "is it the recipe's chapter?");
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const std::filesystem::path& file, const std::string& content) {
  std::ofstream stream(file);
  stream << content;
  if (!stream.flush()) throw Failure(fmt::format("{}: cannot be written", file.string()), "is the disk full?");
}

/// The chosen recipes, each with its results and chapter.
class Book {
 public:
  explicit Book(const FiguresOptions& options) : options_(options) {
    for (Recipe& recipe : read_recipes(folder() / "recipes")) {
      if (options.recipe.empty() || options.recipe == recipe.name) recipes_.push_back(std::move(recipe));
    }
    if (recipes_.empty()) {
      throw BadInput(fmt::format("no recipe is called \"{}\"", options.recipe),
                     fmt::format("ls {} shows them", (folder() / "recipes").string()));
    }
  }

  const std::vector<Recipe>& recipes() const { return recipes_; }
  std::filesystem::path chapter_of(const Recipe& recipe) const { return options_.root / recipe.chapter; }
  std::filesystem::path results_of(const Recipe& recipe) const {
    return folder() / "results" / (recipe.name + ".json");
  }
  /// Commands run in the project's root: paths that were given from elsewhere are made absolute.
  Places places() const {
    const std::filesystem::path smollm2 = options_.smollm2;
    return {options_.root, std::filesystem::absolute(options_.programs),
            smollm2.empty() ? smollm2 : std::filesystem::absolute(smollm2)};
  }

 private:
  std::filesystem::path folder() const { return std::filesystem::path(options_.root) / "docs" / "figures"; }

  FiguresOptions options_;
  std::vector<Recipe> recipes_;
};

void print_uncovered(const Book& book) {
  for (const Recipe& recipe : book.recipes()) {
    const std::string chapter = content_of(book.chapter_of(recipe));
    for (const Line& line : uncovered_lines(recipe, read_results(book.results_of(recipe)), chapter)) {
      fmt::print("{}:{}: {}\n", recipe.chapter.string(), line.number, line.text);
    }
  }
}

int check_chapters(const Book& book) {
  size_t missing = 0, sentences = 0;
  for (const Recipe& recipe : book.recipes()) {
    const Results results = read_results(book.results_of(recipe));
    for (const std::string& sentence : missing_sentences(recipe, results, content_of(book.chapter_of(recipe)))) {
      fmt::print("{} does not say:\n  {}\n", recipe.chapter.string(), sentence);
      ++missing;
    }
    sentences += recipe.sentences.size();
  }
  fmt::print("{} chapters, {} sentences with figures, {} missing\n", book.recipes().size(), sentences, missing);
  return missing == 0 ? kExitDone : kExitFailed;
}

void remake(const Book& book, const Recipe& recipe, const std::string& only, bool only_timed) {
  const Results old_results = read_results(book.results_of(recipe));
  Results new_results = old_results;
  for (const Run& run : recipe.runs) {
    if ((!only.empty() && only != run.id) || (only_timed && !run.timed)) continue;
    if (!can_run(run, book.places())) {
      fmt::print("{}: {} needs --smollm2: skipped, its old result stays\n", recipe.name, run.id);
      continue;
    }
    fmt::print("{}: {} ...\n", recipe.name, run.id);
    std::fflush(stdout);
    new_results[run.id] = remade(run, book.places());
  }
  write_results(new_results, book.results_of(recipe));
  if (new_results.size() < recipe.runs.size()) return;  // not all runs have been made yet: check tells
  const Rewritten chapter = rewritten(recipe, old_results, new_results, content_of(book.chapter_of(recipe)));
  write(book.chapter_of(recipe), chapter.chapter);
  for (const std::string& sentence : chapter.not_found) {
    fmt::print("{} does not have the sentence to be replaced:\n  {}\n", recipe.chapter.string(), sentence);
  }
}

int recount(const Book& book, bool only_quick) {
  size_t runs = 0, differing = 0;
  for (const Recipe& recipe : book.recipes()) {
    const Results results = read_results(book.results_of(recipe));
    for (const Run& run : recipe.runs) {
      if (run.timed || (only_quick && !run.quick)) continue;
      if (!can_run(run, book.places())) {
        fmt::print("{}: {} needs --smollm2: skipped\n", recipe.name, run.id);
        continue;
      }
      ++runs;
      const RunResults now = remade(run, book.places());
      const auto then = results.find(run.id);
      for (const auto& [name, value] : now.values) {
        const Value* old =
            then != results.end() && then->second.values.count(name) ? &then->second.values.at(name) : nullptr;
        if (old && same_value(*old, value)) continue;
        fmt::print("{}: {}.{} is {}, in the results {}\n", recipe.name, run.id, name, value.dump(),
                   old ? old->dump() : "nothing");
        ++differing;
      }
    }
  }
  fmt::print("{} counted runs made again, {} values differ\n", runs, differing);
  return differing == 0 ? kExitDone : kExitFailed;
}

int run(const FiguresOptions& options) {
  const Book book(options);
  if (options.uncovered) print_uncovered(book);
  if (options.command == FiguresOptions::Command::kCheck) return check_chapters(book);
  if (options.command == FiguresOptions::Command::kRecount) return recount(book, options.quick);
  for (const Recipe& recipe : book.recipes()) remake(book, recipe, options.run, options.timed);
  return check_chapters(book);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("figures", [&] {
    const std::optional<FiguresOptions> options = parse_options(argc, argv);
    return options ? run(*options) : kExitDone;
  });
}
