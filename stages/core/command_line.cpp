/// @file
/// CLI11 finds the options; their values stay text until they are parsed here, strictly and with our own messages.
#include "stages/core/command_line.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/parse_number.h"

namespace stagecraft {
namespace {

constexpr int kMostThreads = 1024;
constexpr int64_t kMostTokens = std::numeric_limits<int32_t>::max();  // positions are 32 bits wide
constexpr float kMostTemperature = 1e6f;                              // far beyond what differs from uniform
constexpr double kFastestMachine = 1e9;                               // GB/s or GFLOP/s

constexpr std::string_view kExamples = R"(examples:
  {0} --prompt "Once upon a time" --max-tokens 48
  {0} --prompt "The old king" --temperature 0.7 --top-p 0.9 --seed 7 --stop "The end"
  echo "Once upon a time" | {0} > tale.txt
  {0} --prompts prompts.txt --json report.json --report report.html --trace trace.json
  {0} --prompt "Once upon a time" --json - | jq .counts

Text streams to standard output, everything else goes to standard error.
exit: 0 done, 1 failed while running, 2 bad usage or bad input, 130 ended by Ctrl-C (what was measured is reported).)";

NumberType parse_kv_type(const std::string& text) {
  for (const NumberType type : {NumberType::bf16, NumberType::fp16, NumberType::fp32}) {
    if (text == name_of(type)) return type;
  }
  throw BadInput(fmt::format("--kv-type: '{}' is no type for keys and values", text), "use bf16, fp16 or fp32");
}

std::vector<TokenId> parse_ids(std::string_view text) {
  std::vector<TokenId> ids;
  for (bool more = true; more;) {
    const size_t comma = text.find(',');
    more = comma != std::string_view::npos;
    const std::string_view item = text.substr(0, comma);
    ids.push_back(parse_number<TokenId>("--ids", item, 0, std::numeric_limits<TokenId>::max()));
    if (more) text.remove_prefix(comma + 1);
  }
  return ids;
}

float parse_top_p(const std::string& text) {
  const float top_p = parse_number("--top-p", text, 0.0f, 1.0f);
  if (top_p > 0.0f) return top_p;
  throw BadInput("--top-p: 0 leaves no token to draw", "use --temperature 0 for the most likely token");
}

/// Two reports in one file would overwrite each other.
void refuse_shared_files(const Options& options) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& file : {options.json, options.trace, options.report, options.logits}) {
    if (!file.empty()) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  const auto twice = std::adjacent_find(files.begin(), files.end());
  if (twice == files.end()) return;
  throw BadInput(fmt::format("two options write to the same file '{}'", twice->string()), "name a file for each");
}

}  // namespace

/// Values as they were written, so that parsing them is ours.
struct CommandLine::Texts {
  std::string model = default_model().string(), device = "auto", kv_type = "bf16";
  std::string threads = std::to_string(std::clamp(int(std::thread::hardware_concurrency()), 1, kMostThreads));
  std::vector<std::string> prompts, stop;
  std::string prompts_file, ids;
  std::string max_tokens = "128", temperature = "0", top_k = "0", top_p = "1", seed = "0";
  std::string json, trace, report, logits;
  std::string read_bandwidth, peak_gflops;
  bool ignore_end_of_text = false;
};

CommandLine::CommandLine(const StageInfo& stage)
    : texts_(std::make_unique<Texts>()),
      app_(std::make_unique<CLI::App>(fmt::format("Stage {}: {}", stage.number, stage.idea),
                                      std::string(stage.program))) {
  Texts& t = *texts_;
  const auto one = [&](const char* name, std::string& value, const char* type, const char* help) {
    app_->add_option(name, value, help)->type_name(type)->capture_default_str();
  };
  // One value a use: CLI11 would take a list apart that is written in brackets, such as the prompt "[INST] Hi [/INST]".
  const auto several = [&](const char* name, std::vector<std::string>& values, const char* type, const char* help) {
    app_->add_option(name, values, help)->type_name(type)->expected(1)->allow_extra_args(false)->take_all();
  };

  one("--model", t.model, "DIR", "Hugging Face folder: config.json, model.safetensors, tokenizer.json");
  one("--device", t.device, "NAME", "cpu, sim, cuda, or auto: cuda where a GPU answers, else cpu");
  one("--threads", t.threads, "N", "threads of the cpu device");
  one("--kv-type", t.kv_type, "TYPE", "what keys and values are rounded to: bf16, fp16, fp32");
  several("--prompt", t.prompts, "TEXT", "a text to continue; repeat it for several prompts");
  one("--prompts", t.prompts_file, "FILE", "one prompt a line; in a .jsonl file each line is a JSON string");
  one("--ids", t.ids, "1,2,3", "one prompt as token ids");
  one("--max-tokens", t.max_tokens, "N", "at most N new tokens a prompt");
  one("--temperature", t.temperature, "T", "0 takes the most likely token, larger is more random");
  one("--top-k", t.top_k, "K", "draw from the K most likely tokens; 0: all");
  one("--top-p", t.top_p, "P", "draw from the fewest tokens whose probabilities reach P");
  one("--seed", t.seed, "N", "the same seed draws the same tokens");
  several("--stop", t.stop, "TEXT", "end before this text; repeat it for several");
  app_->add_flag("--ignore-eos", t.ignore_end_of_text, "go on after the model's end-of-text token");
  one("--json", t.json, "FILE", "report as JSON; - is standard output, which then carries no text");
  one("--trace", t.trace, "FILE", "timeline in Chrome's trace format, for ui.perfetto.dev");
  one("--report", t.report, "FILE", "report as one HTML page");
  one("--logits", t.logits, "FILE",
      "fp32 logits of every prompt position as .npy, (positions, vocabulary); one prompt");
  one("--read-bandwidth", t.read_bandwidth, "GBS",
      "memory bandwidth as bench measured it, in GB/s: the report then has the MBU");
  one("--peak-gflops", t.peak_gflops, "N", "fp32 peak as bench measured it, in GFLOP/s: the report then has the MFU");
  app_->footer(fmt::format(fmt::runtime(kExamples), stage.program));
}

CommandLine::~CommandLine() = default;

std::optional<Options> CommandLine::parse(int argc, const char* const* argv) {
  const std::string help = fmt::format("{} --help shows all options with examples", app_->get_name());
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app_->help());
    return std::nullopt;
  } catch (const CLI::ExtrasError&) {
    throw BadInput(fmt::format("'{}' is not expected here", app_->remaining().front()),
                   "a text with spaces needs quotes, several prompts a --prompt each; " + help);
  } catch (const CLI::ParseError& error) {
    throw BadInput(error.what(), help);
  }
  const auto given = [&](const char* name) { return app_->count(name) > 0; };
  for (const CLI::Option* option : app_->get_options()) {
    const std::vector<std::string>& values = option->results();
    if (std::find(values.begin(), values.end(), "") == values.end()) continue;
    throw BadInput(fmt::format("{} is empty", option->get_name()), "give it a value, in quotes if it has spaces");
  }
  if (given("--prompt") + given("--prompts") + given("--ids") > 1) {
    throw BadInput("--prompt, --prompts and --ids contradict each other", "give one of them");
  }

  const Texts& t = *texts_;
  Options options;
  options.model = t.model;
  options.device = t.device;
  options.threads = parse_number("--threads", t.threads, 1, kMostThreads);
  options.kv_type = parse_kv_type(t.kv_type);
  options.prompts = t.prompts;
  options.prompts_file = t.prompts_file;
  if (given("--ids")) options.ids = parse_ids(t.ids);
  options.max_tokens = parse_number<int64_t>("--max-tokens", t.max_tokens, 0, kMostTokens);
  options.sampling.temperature = parse_number("--temperature", t.temperature, 0.0f, kMostTemperature);
  options.sampling.top_k = parse_number<int32_t>("--top-k", t.top_k, 0, std::numeric_limits<int32_t>::max());
  options.sampling.top_p = parse_top_p(t.top_p);
  options.sampling.seed = parse_number<uint64_t>("--seed", t.seed, 0, std::numeric_limits<uint64_t>::max());
  options.stop = t.stop;
  options.ignore_end_of_text = t.ignore_end_of_text;
  options.json = t.json;
  options.trace = t.trace;
  options.report = t.report;
  options.logits = t.logits;
  const auto limit = [&](const char* name, const std::string& text) -> std::optional<double> {
    if (!given(name)) return std::nullopt;
    return parse_number(name, text, std::numeric_limits<double>::min(), kFastestMachine);
  };
  options.limits = {limit("--read-bandwidth", t.read_bandwidth), limit("--peak-gflops", t.peak_gflops)};
  refuse_shared_files(options);
  if (!given("--temperature") && (given("--top-k") || given("--top-p") || given("--seed"))) {
    options.notes.push_back("--top-k, --top-p and --seed change nothing at temperature 0: give a --temperature");
  }
  return options;
}

std::filesystem::path default_model() {
  std::error_code ignored;
  const std::filesystem::path in_source_tree = STAGECRAFT_DEFAULT_MODEL;
  return std::filesystem::exists(in_source_tree, ignored) ? in_source_tree : "models/tales-5m";
}

}  // namespace stagecraft
