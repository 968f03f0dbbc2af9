#pragma once
/// @file
/// Drafts by a small model of the same tokenizer (Leviathan et al. 2023). It has its own weights, its own KV pool and its
/// own store, and serves all requests of a step in one batch, by the formula of all stages: pending = tokens - computed.
///
///     committed           a b c d e f g                      the target's word
///     after last round    a b c d e x y     computed 6       the draft model guessed x y; the target said f g
///     now                 a b c d e f g     computed 5       from the first difference on, what is stored is garbage (R7)
///     passes              first: f g -> guess 1;  second: guess 1 -> guess 2;  ...     k passes for k guesses
///
/// What it has not seen (a prompt, the target's corrections) is caught up in the first pass, at most `catch_up_rows` a
/// round over all requests. One that does not reach its end by then drafts nothing yet and goes on in the next round, so
/// a long prompt stalls nobody.
///
/// **Coupled noise.** The main verifier accepts what *equals* the target's sample, so the draft model should not roll
/// dice of its own: it samples with the same parameters and the same noise of (seed, position, token id). Both then take
/// the arg max of logits + the same Gumbel numbers, and where the logits are close, a token that the noise lifts is
/// lifted in both (Gumbel coupling). Independent dice would agree only by chance, with probability sum of p q.
/// Rejection sampling needs the opposite: dice that its accept test does not know, and their distributions.
///
/// If the store has no room, the sequence that was unused for longest is dropped, none of this round; if that is not
/// enough, the request drafts nothing. K/V of the draft model are never shared, and nothing here ever fails a request.
#include <unordered_map>

#include "stages/6_speculative_decoding/drafter.h"
#include "stages/core/kv_pool.h"
#include "stages/core/kv_store.h"
#include "stages/core/model.h"
#include "stages/core/step_plan.h"

namespace stagecraft {

struct ModelDrafterOptions {
  static constexpr int64_t kDefaultCatchUpRows = 256;

  /// Which random numbers the draft model draws with; temperature 0 needs none.
  enum class Noise {
    coupled,     // the target's: for the main verifier
    independent  // of NoiseStream::draft, with distributions in the drafts: for rejection sampling
  };

  Noise noise = Noise::coupled;
  int64_t vocabulary = 0;                       // of the target: ids from there on are not drawn independently
  int64_t max_positions = 0;                    // that the draft model was made for
  int64_t catch_up_rows = kDefaultCatchUpRows;  // rows of a round's first pass, at most
};

class ModelDrafter final : public Drafter {
 public:
  /// All three must outlive this; `store` hands out slots of `pool` and holds nothing yet. Throws BadInput if
  /// `catch_up_rows` is below 1.
  ModelDrafter(Model& model, KvPool& pool, KvStore& store, const ModelDrafterOptions& options);

  std::vector<Draft> propose(std::span<const Request* const> requests, std::span<const int> lengths) override;
  void forget(const Request& request) override;
  std::string describe() const override;
  DraftWork work() const override { return work_; }

  /// Sequences that were dropped to make room for others.
  int64_t evictions() const { return evictions_; }
  /// Throws std::logic_error if the store and the sequences disagree about who holds what.
  void check_invariants() const;

 private:
  /// What the draft model has read: a request of its own, whose last tokens may be guesses.
  struct Sequence {
    Request read;
    int64_t last_round = 0;  // when it was used
  };
  /// Who still drafts in this round.
  struct Writer {
    Sequence* sequence;
    Draft* draft;
    size_t wanted;
  };

  std::vector<Writer> writers_for(std::span<const Request* const> requests, std::span<const int> lengths,
                                  std::vector<Draft>& drafts);
  Sequence* join(const Request& request, int64_t length);
  void follow(Request& read, const Request& request);
  bool make_room(const Request& read, int64_t upto);
  void drop(int id);
  void run_pass(std::vector<Writer>& writers, int64_t rows);
  void draw(const std::vector<Writer>& writers);

  Model& model_;
  KvPool& pool_;
  KvStore& store_;
  ModelDrafterOptions options_;
  std::unordered_map<int, Sequence> sequences_;  // by request id; each holds something in the store
  int64_t round_ = 0;
  int64_t evictions_ = 0;
  DraftWork work_;
};

}  // namespace stagecraft
