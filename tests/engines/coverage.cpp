#include "tests/engines/coverage.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft::testing {
namespace {

// Events, named as they are printed.
const std::string kPreemptions = "T7 preemptions", kRecomputed = "T7 tokens computed again",
                  kRefused = "T7 refused: no pool holds them";
const std::string kHits = "T8 tokens found stored", kFullHits = "T8 prompts found but for the last token",
                  kSampleHits = "T8 tokens shared by samples of one prompt", kCopies = "T8 blocks copied on write",
                  kEvictions = "T8 known blocks evicted", kCacheOff = "T8 cells without a prefix cache";
const std::string kPoisoned = "T4 freed blocks filled with NaN", kAtEdge = "T4 prompts that end at a block's edge",
                  kEndsAtEdge = "T4 outputs that end at a block's edge";
const std::string kOneToken = "T5 prompts of one token", kFullContext = "T5 requests that fill the context",
                  kStopTexts = "T5 ended by a stop text", kEndsOfText = "T5 ended by an end of text",
                  kLengths = "T5 ended by their length", kArrivals = "T5 requests that came while others ran",
                  kHot = "T5 requests at temperature 1.5", kWarm = "T5 requests at temperature 0.7",
                  kGreedy = "T5 requests at temperature 0";
const std::string kChunks = "T3 prompts computed in chunks", kMixed = "T1 steps of prompts and new tokens at once",
                  kLargest = "T1 steps of 8 rows and more", kTwice = "T12 cells that ran twice";
const std::string kAccepted = "T6 drafted tokens accepted", kRejections = "T6 drafts rejected in part or whole",
                  kFullAcceptances = "T6 drafts accepted as a whole",
                  kStopInside = "T6 ended by a stop text inside a draft",
                  kEndInside = "T6 ended by an end of text inside a draft",
                  kLastByDraft = "T6 ended by its length with a draft's last token",
                  kCut = "T6 drafts cut by budget, chunk or room",
                  kDraftsPreempted = "T6 + T7 preemptions among drafts",
                  kDraftsHit = "T6 + T8 tokens found stored among drafts";

const std::string kSmallerModel = "T6 cells with a draft model that is not the target itself";

const char* const kBlockSizes = "T4 cells with blocks of ";
const char* const kChunkSizes = "T3 cells with chunks of ";
const char* const kDraftLengths = "T6 cells with drafts of ";
const char* const kDrafters = "T6 cells with the drafter ";
const char* const kStages = "T5 cells of stage ";
const char* const kDevices = "T10 cells on ";
const char* const kTypes = "T10 cells with K/V of ";

std::string chunk_name(int64_t chunk) {
  return chunk == SchedulerOptions::kWholePrompt ? "all" : fmt::format("{}", chunk);
}

bool at_edge(int64_t length, const Cell& cell) { return cell.stage >= 5 && length % cell.block_size == 0; }

}  // namespace

Coverage::Coverage() {
  for (const std::string& event : {kPreemptions, kRecomputed, kRefused,         kHits,        kFullHits,
                                   kSampleHits,  kCopies,     kEvictions,       kCacheOff,    kPoisoned,
                                   kAtEdge,      kEndsAtEdge, kOneToken,        kFullContext, kStopTexts,
                                   kEndsOfText,  kLengths,    kArrivals,        kHot,         kWarm,
                                   kGreedy,      kChunks,     kMixed,           kLargest,     kTwice,
                                   kAccepted,    kRejections, kFullAcceptances, kStopInside,  kEndInside,
                                   kLastByDraft, kCut,        kDraftsPreempted, kDraftsHit,   kSmallerModel}) {
    counts_[event];
  }
  for (const int size : {1, 2, 16, 32, 256}) counts_[kBlockSizes + std::to_string(size)];
  for (const char* chunk : {"1", "2", "7", "16", "63", "64", "65", "all"}) counts_[std::string(kChunkSizes) + chunk];
  for (const char* length : {"1", "2", "4", "7", "8", "adaptive length"}) counts_[std::string(kDraftLengths) + length];
  for (const Drafting drafting : {Drafting::oracle, Drafting::always_wrong, Drafting::accept_first, Drafting::random,
                                  Drafting::ngram, Drafting::model}) {
    counts_[kDrafters + std::string(name_of(drafting))];
  }
  for (int stage = 1; stage <= 6; ++stage) counts_[kStages + std::to_string(stage)];
  for (const std::string& device : engine_devices()) counts_[kDevices + device];
  for (const NumberType type : {NumberType::bf16, NumberType::fp16, NumberType::fp32}) {
    counts_[kTypes + std::string(stagecraft::name_of(type))];
  }
}

void Coverage::add(const Cell& cell, const CellRun& run) {
  count_engine(cell);
  count_requests(cell, run.log);
  count_steps(cell, run.log);
  count_drafts(cell, run.log);
  count(kCopies, run.sharing.copies);
  count(kEvictions, run.sharing.evictions);
  count(kPoisoned, run.poisoned_blocks);
}

void Coverage::count(const std::string& event, int64_t times) {
  if (times == 0) return;
  Count& count = counts_[event];
  count.events += times;
  ++count.cells;
}

void Coverage::count_engine(const Cell& cell) {
  count(kStages + std::to_string(cell.stage), 1);
  count(kDevices + cell.device, 1);
  count(kTypes + std::string(stagecraft::name_of(cell.kv_type)), 1);
  count(kTwice, cell.twice ? 1 : 0);
  if (cell.stage >= 4) count(kChunkSizes + chunk_name(cell.scheduler.max_chunk), 1);
  if (cell.stage >= 5) count(kBlockSizes + std::to_string(cell.block_size), 1);
  if (cell.stage >= 5) count(kCacheOff, cell.prefix_cache ? 0 : 1);
  if (cell.stage < 6 || cell.drafting == Drafting::none) return;
  count(kSmallerModel, cell.drafting == Drafting::model && cell.draft_model != cell.model ? 1 : 0);
  count(kDrafters + std::string(name_of(cell.drafting)), 1);
  count(kDraftLengths + (cell.length.adaptive ? std::string("adaptive length") : std::to_string(cell.length.length)),
        1);
}

void Coverage::count_requests(const Cell& cell, const RunLog& log) {
  const int64_t context = engine_model(cell.model, "cpu").config().context;
  std::map<std::string, int64_t> here;
  for (const RequestRecord& record : log.requests) {
    const Request& request = cell.jobs[size_t(record.id)].request;
    const int64_t output = int64_t(record.output_ids.size());
    const bool at_end_of_text =
        output > 0 && std::count(cell.end_of_text.begin(), cell.end_of_text.end(), record.output_ids.back()) > 0;
    here[kPreemptions] += record.preemptions.value_or(0);
    here[kHits] += record.prefix_hit_tokens.value_or(0);
    if (request.sample_of) here[kSampleHits] += record.prefix_hit_tokens.value_or(0);
    here[kRefused] += record.finish_reason == FinishReason::refused;
    here[kLengths] += record.finish_reason == FinishReason::length;
    here[kEndsOfText] += record.finish_reason == FinishReason::stop && at_end_of_text;
    here[kStopTexts] += record.finish_reason == FinishReason::stop && !at_end_of_text;
    here[kOneToken] += request.prompt_tokens == 1;
    here[kFullContext] += request.prompt_tokens + output == context;
    here[kAtEdge] += at_edge(request.prompt_tokens, cell);
    here[kEndsAtEdge] += output > 1 && at_edge(request.prompt_tokens + output - 1, cell);
    here[request.sampling.temperature == 0 ? kGreedy : request.sampling.temperature < 1 ? kWarm : kHot] += 1;
    here[kArrivals] += cell.jobs[size_t(record.id)].arrival_ns > 0;
  }
  if (cell.stage == 6) here[kDraftsPreempted] = here[kPreemptions], here[kDraftsHit] = here[kHits];
  for (const auto& [event, times] : here) count(event, times);
}

void Coverage::count_steps(const Cell& cell, const RunLog& log) {
  std::map<std::string, int64_t> here;
  for (const StepRecord& step : log.steps) {
    int64_t rows = 0;
    bool reads = false, writes = false;
    for (const StepPart& part : step.parts) {
      const int64_t prompt = cell.jobs[size_t(part.request)].request.prompt_tokens;
      rows += part.rows;
      reads = reads || part.kv_length <= prompt;
      writes = writes || part.kv_length > prompt;
      if (cell.stage > 1) here[kRecomputed] += part.recomputed;
      here[kChunks] += part.kv_length < prompt;
      here[kFullHits] += part.found == prompt - 1 && prompt > 1;
    }
    here[kMixed] += reads && writes;
    here[kLargest] += rows >= 8;
  }
  for (const auto& [event, times] : here) count(event, times);
}

void Coverage::count_drafts(const Cell& cell, const RunLog& log) {
  std::unordered_map<int, StepPart> last;
  std::map<std::string, int64_t> here;
  for (const StepRecord& step : log.steps) {
    for (const StepPart& part : step.parts) {
      last[part.request] = part;
      if (part.drafted == 0) continue;
      here[kAccepted] += part.accepted;
      here[kFullAcceptances] += part.accepted == part.drafted;
      here[kRejections] += part.accepted < part.drafted;
      here[kCut] += !cell.length.adaptive && part.drafted < cell.length.length;
    }
  }
  for (const RequestRecord& record : log.requests) {
    const auto part = last.find(record.id);
    if (part == last.end() || part->second.drafted == 0) continue;
    here[kLastByDraft] += record.finish_reason == FinishReason::length && part->second.accepted == part->second.drafted;
    // An oracle is never wrong, so what was not accepted lies behind the end.
    const bool inside = cell.drafting == Drafting::oracle && part->second.accepted < part->second.drafted;
    if (!inside || record.finish_reason != FinishReason::stop) continue;
    const bool at_end_of_text =
        std::count(cell.end_of_text.begin(), cell.end_of_text.end(), record.output_ids.back()) > 0;
    ++here[at_end_of_text ? kEndInside : kStopInside];
  }
  for (const auto& [event, times] : here) count(event, times);
}

std::vector<std::string> Coverage::missing() const {
  std::vector<std::string> names;
  for (const auto& [event, count] : counts_) {
    if (count.events == 0) names.push_back(event);
  }
  return names;
}

std::string Coverage::table() const {
  std::string text;
  for (const auto& [event, count] : counts_) {
    text += fmt::format("  {:<52} {:>8} in {:>4} cells\n", event, count.events, count.cells);
  }
  return text;
}

}  // namespace stagecraft::testing
