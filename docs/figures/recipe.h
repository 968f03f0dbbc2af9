#pragma once
/// @file
/// Where a chapter's numbers come from: which commands are run, what is taken from their output, and the sentences of the
/// chapter that hold it. A recipe is written by hand, its results (results.h) are written by a run; the chapter's text
/// stays free of marks, and a test finds each sentence in it.
///
///     {
///       "chapter": "stages/5_paged_attention/README.md",
///       "runs": [
///         {"id": "chats", "timed": false, "quick": true,
///          "command": ["{bin}/stage5_paged_attention", "--requests", "200", "--json", "{json}"],
///          "values": {"preemptions": "/counts/preemptions", "waste": {"match": "holds no token +([0-9.]+) %"}}}
///       ],
///       "derived": {"gain": {"divide": ["chats.throughput", "regions.throughput"]}},
///       "sentences": ["| preemptions | 0 | {chats.preemptions:count} |"]
///     }
///
/// A command is run in the project's root: {bin} is the folder of the programs, {json} a file that it writes, {tmp} an
/// empty folder, {smollm2} the folder of a model that is not in the repository. A value is a pointer into that file, or
/// the first group of a pattern in what was printed: standard output, then standard error.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace stagecraft::figures {

struct ValueSource {
  std::string pointer;  // JSON pointer (RFC 6901), or
  std::string pattern;  // ECMAScript regular expression with one group
};

struct Run {
  std::string id;
  bool timed = false;  // its values differ from run to run and belong to the machine that is named with them
  bool quick = false;  // a second or two: the project's tests make it again
  std::vector<std::string> command;
  std::map<std::string, ValueSource> values;
};

enum class Arithmetic { kAdd, kSubtract, kMultiply, kDivide };

/// Operands are numbers, or names of values.
struct Derived {
  Arithmetic arithmetic;
  std::string left, right;
};

struct Recipe {
  std::string name;  // the file's, without extension
  std::filesystem::path chapter;
  std::vector<Run> runs;
  std::map<std::string, Derived> derived;
  std::vector<std::string> sentences;
};

/// Throws BadInput, with the file and field, for whatever is not as described above.
Recipe read_recipe(const std::filesystem::path& file);

/// All *.json of a folder, by name.
std::vector<Recipe> read_recipes(const std::filesystem::path& folder);

}  // namespace stagecraft::figures
