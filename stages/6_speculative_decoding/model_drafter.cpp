/// @file
/// A round: follow the requests, make room, then a pass for each guess.
#include "stages/6_speculative_decoding/model_drafter.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/6_speculative_decoding/rejection_sampling.h"
#include "stages/core/engine_run.h"
#include "stages/core/run_log.h"

namespace stagecraft {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

/// How the token after `read` is drawn: as the target will draw it there.
SamplingRow next_token(const Request& read) {
  const SamplingParams& how = read.sampling;
  return {how.temperature, how.top_k, how.top_p, how.seed, int64_t(read.tokens.size())};
}

}  // namespace

ModelDrafter::ModelDrafter(Model& model, KvPool& pool, KvStore& store, const ModelDrafterOptions& options)
    : model_(model), pool_(pool), store_(store), options_(options) {
  if (options.catch_up_rows < 1) {
    throw BadInput(fmt::format("a draft model that reads {} tokens a round never drafts", options.catch_up_rows),
                   "1 is the smallest that works");
  }
  check(options.vocabulary > 0 && options.max_positions > 0, "the target's vocabulary and the positions are known");
  check(store.holders() == 0, "the draft model's store is its own");
}

std::string ModelDrafter::describe() const {
  return fmt::format("draft model of {} layers, width {}", model_.config().layers, model_.config().hidden_size);
}

std::vector<Draft> ModelDrafter::propose(std::span<const Request* const> requests, std::span<const int> lengths) {
  const TimePoint start = Clock::now();
  ++round_;
  std::vector<Draft> drafts(requests.size());
  std::vector<Writer> writers = writers_for(requests, lengths, drafts);
  run_pass(writers, options_.catch_up_rows);
  while (!writers.empty()) run_pass(writers, kNoLimit);
  work_.time += Clock::now() - start;
  return drafts;
}

// Those with the least to catch up first: a long prompt takes what they leave of the rows.
std::vector<ModelDrafter::Writer> ModelDrafter::writers_for(std::span<const Request* const> requests,
                                                            std::span<const int> lengths, std::vector<Draft>& drafts) {
  for (const Request* request : requests) {  // before any of them looks for somebody to drop
    const auto known = sequences_.find(request->id);
    if (known != sequences_.end()) known->second.last_round = round_;
  }
  std::vector<Writer> writers;
  for (size_t i = 0; i < requests.size(); ++i) {
    // The last guess is not read, so the row before it is the last.
    const int64_t room = options_.max_positions - int64_t(requests[i]->tokens.size()) + 1;
    const int64_t length = std::min<int64_t>(lengths[i], room);
    if (length < 1) continue;
    if (Sequence* sequence = join(*requests[i], length)) writers.push_back({sequence, &drafts[i], size_t(length)});
  }
  std::stable_sort(writers.begin(), writers.end(), [](const Writer& a, const Writer& b) {
    return a.sequence->read.pending() < b.sequence->read.pending();
  });
  return writers;
}

/// The sequence of `request` as it is now, with room for `length` guesses; null if it cannot draft.
ModelDrafter::Sequence* ModelDrafter::join(const Request& request, int64_t length) {
  // A target may have more ids than its draft model: rows of the embedding that no tokenizer uses.
  const auto unknown = [&](TokenId id) { return id >= model_.config().vocabulary; };
  if (request.tokens.empty() || std::any_of(request.tokens.begin(), request.tokens.end(), unknown)) return nullptr;
  Sequence& sequence = sequences_[request.id];
  sequence.last_round = round_;
  follow(sequence.read, request);
  if (make_room(sequence.read, int64_t(request.tokens.size()) + length - 1)) return &sequence;
  if (store_.reserved(sequence.read) == 0) sequences_.erase(request.id);
  return nullptr;
}

/// Takes over the committed tokens. What was computed stays as far as it agrees with them, but for the last token: its
/// row gives the first guess.
void ModelDrafter::follow(Request& read, const Request& request) {
  const auto differ =
      std::mismatch(read.tokens.begin(), read.tokens.end(), request.tokens.begin(), request.tokens.end());
  const int64_t same = differ.first - read.tokens.begin();
  read.id = request.id;
  read.sampling = request.sampling;
  read.tokens.erase(differ.first, read.tokens.end());
  read.tokens.insert(read.tokens.end(), differ.second, request.tokens.end());
  const int64_t kept = std::min({read.num_computed, same, int64_t(request.tokens.size()) - 1});
  if (kept < read.num_computed) store_.truncate(read, kept);
  read.num_computed = kept;
}

bool ModelDrafter::make_room(const Request& read, int64_t upto) {
  if (store_.refusal(upto)) return false;
  while (!store_.reserve(read, upto)) {
    const auto before = [](const auto& a, const auto& b) {
      return std::pair(a.second.last_round, a.first) < std::pair(b.second.last_round, b.first);
    };
    const auto oldest = std::min_element(sequences_.begin(), sequences_.end(), before);
    if (oldest->second.last_round == round_) return false;
    drop(oldest->first);
    ++evictions_;
  }
  return true;
}

void ModelDrafter::drop(int id) {
  store_.release(sequences_.at(id).read);
  sequences_.erase(id);
}

void ModelDrafter::forget(const Request& request) {
  if (sequences_.count(request.id) > 0) drop(request.id);
}

/// One forward pass of at most `rows` rows, and a guess for each that it brings to its end. Whoever is left in `writers`
/// wants another.
void ModelDrafter::run_pass(std::vector<Writer>& writers, int64_t rows) {
  StepPlan plan;
  std::vector<Writer> at_end;
  for (const Writer& writer : writers) {
    Request& read = writer.sequence->read;
    const int64_t tokens = std::min(read.pending(), rows);
    if (tokens == 0) break;
    const bool reaches_end = tokens == read.pending();
    plan.items.push_back({&read, read.num_computed, tokens, reaches_end ? 1 : 0});
    if (reaches_end) at_end.push_back(writer);
    rows -= tokens;
  }
  writers = std::move(at_end);
  if (plan.empty()) return;
  model_.forward(make_batch(plan, store_), pool_);
  advance(plan);
  ++work_.passes;
  work_.rows += plan.tokens();
  draw(writers);
  std::erase_if(writers, [](const Writer& writer) {
    return writer.draft->size() == writer.wanted || writer.sequence->read.pending() == 0;
  });
}

/// Appends a guess to each writer's draft, and to what it has read; none where its logits are unusable.
void ModelDrafter::draw(const std::vector<Writer>& writers) {
  if (writers.empty()) return;
  const auto append = [](const Writer& writer, TokenId id) {
    writer.draft->tokens.push_back(id);
    writer.sequence->read.tokens.push_back(id);
  };
  if (options_.noise == ModelDrafterOptions::Noise::coupled) {
    std::vector<SamplingRow> rows;
    for (const Writer& writer : writers) rows.push_back(next_token(writer.sequence->read));
    const std::vector<TokenId> drawn = model_.sample(rows);
    for (size_t i = 0; i < writers.size(); ++i) {
      if (drawn[i] != kNoToken) append(writers[i], drawn[i]);
    }
    return;
  }
  const int64_t width = model_.config().vocabulary;
  const std::vector<float> logits = model_.copy_logits();
  for (size_t i = 0; i < writers.size(); ++i) {
    const SamplingRow how = next_token(writers[i].sequence->read);
    Distribution q =
        Distribution::of_logits(logits.data() + int64_t(i) * width, int(std::min(width, options_.vocabulary)), how);
    if (q.empty()) continue;
    append(writers[i], q.draw(uniform_at(how.seed, how.position, NoiseStream::draft)));
    writers[i].draft->drawn_from.push_back(std::move(q));
  }
}

void ModelDrafter::check_invariants() const {
  store_.check_invariants();
  check(store_.holders() == int(sequences_.size()), "the store holds K/V for the sequences and for nobody else");
  for (const auto& [id, sequence] : sequences_) {
    const Request& read = sequence.read;
    check(read.id == id, "a sequence is filed under its request");
    check(read.num_computed <= store_.reserved(read), "what is computed has its place");
    check(read.num_computed <= int64_t(read.tokens.size()), "only what was read is computed");
  }
}

}  // namespace stagecraft
