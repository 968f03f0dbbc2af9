/// @file
/// A cell in words. Only what differs from a plain run is said, so that a cell that was shrunk reads as what it takes.
#include <fmt/format.h>

#include "tests/engines/cell.h"

namespace stagecraft::testing {
namespace {

template <class T>
void say(std::string& text, std::string_view name, const T& value, const T& plain) {
  if (value != plain) text += fmt::format(", {} {}", name, value);
}

void say_schedule(std::string& text, const Cell& cell) {
  const Cell plain;
  if (cell.stage == 3) text += fmt::format(", batch {}", cell.batch);
  if (cell.stage < 4) return;
  text += fmt::format(", running {}, budget {}", cell.scheduler.max_running, cell.token_budget);
  say(text, "chunk", cell.scheduler.max_chunk, plain.scheduler.max_chunk);
  say(text, "policy", stagecraft::name_of(cell.scheduler.policy), stagecraft::name_of(plain.scheduler.policy));
  say(text, "overtakes", cell.scheduler.max_overtakes, plain.scheduler.max_overtakes);
}

void say_pages(std::string& text, const Cell& cell) {
  if (cell.stage < 5) return;
  text += fmt::format(", blocks of {}", cell.block_size);
  if (cell.pool_blocks) text += fmt::format(", {} of them", *cell.pool_blocks);
  say(text, "watermark", cell.watermark, PagedPoolOptions::kDefaultWatermark);
  if (!cell.prefix_cache) text += ", no prefix cache";
  if (cell.watched) text += ", watched";
}

void say_drafter(std::string& text, const Cell& cell) {
  if (cell.stage < 6) return;
  text += fmt::format(", drafter {}", name_of(cell.drafting));
  if (cell.drafting == Drafting::none) return;
  if (cell.drafting == Drafting::accept_first) text += fmt::format(" {}", cell.right);
  if (cell.drafting == Drafting::ngram) text += fmt::format(" {} to {}", cell.ngram.min_match, cell.ngram.max_match);
  if (cell.drafting == Drafting::model) text += " " + cell.draft_model;
  if (cell.draft_blocks) text += fmt::format(" with {} blocks", *cell.draft_blocks);
  text += fmt::format(", drafts of {}", cell.length.length);
  if (cell.length.adaptive) text += fmt::format(" to {}", cell.length.most);
}

std::string describe(const Job& job) {
  const Request& request = job.request;
  std::string text = fmt::format("  request {}: prompt of {} [", request.id, request.prompt_tokens);
  constexpr size_t kShown = 12;
  for (size_t i = 0; i < std::min(request.tokens.size(), kShown); ++i)
    text += fmt::format("{}{}", i ? " " : "", request.tokens[i]);
  text += fmt::format("{}], {} to write", request.tokens.size() > kShown ? " ..." : "", request.max_tokens);
  if (request.sample_of) text += fmt::format(", sample of {}", *request.sample_of);
  if (request.sampling.temperature > 0) {
    text += fmt::format(", temperature {}, seed {}", request.sampling.temperature, request.sampling.seed);
  }
  say(text, "top-k", request.sampling.top_k, SamplingParams{}.top_k);
  say(text, "top-p", request.sampling.top_p, SamplingParams{}.top_p);
  for (const std::string& stop : request.stop) text += fmt::format(", stops at '{}'", stop);
  say(text, "priority", job.priority, 0);
  if (job.arrival_ns > 0) text += fmt::format(", arrives at {:.3f} ms", double(job.arrival_ns) * 1e-6);
  return text + "\n";
}

}  // namespace

std::string_view name_of(Drafting drafting) {
  switch (drafting) {
    case Drafting::none:
      return "none";
    case Drafting::oracle:
      return "oracle";
    case Drafting::always_wrong:
      return "always wrong";
    case Drafting::accept_first:
      return "accept first";
    case Drafting::random:
      return "random";
    case Drafting::ngram:
      return "n-gram";
    case Drafting::model:
      return "model";
  }
  return "unknown";
}

std::string describe(const Cell& cell) {
  std::string text = fmt::format("stage {}, {} on {}", cell.stage, cell.model, cell.device);
  say(text, "K/V", stagecraft::name_of(cell.kv_type), stagecraft::name_of(NumberType::bf16));
  say_schedule(text, cell);
  say_pages(text, cell);
  say_drafter(text, cell);
  if (!cell.end_of_text.empty()) text += fmt::format(", {} ids end a text", cell.end_of_text.size());
  if (cell.twice) text += ", twice";
  text += "\n";
  for (const Job& job : cell.jobs) text += describe(job);
  return text;
}

}  // namespace stagecraft::testing
