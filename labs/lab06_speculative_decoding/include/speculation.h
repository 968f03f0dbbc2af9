#pragma once
/// @file
/// The contract of lab 6: guess several tokens, check them in one pass, and leave nothing behind of those that were
/// wrong. Tasks 1 and 3 fit the engine as they stand (labs/lab bench lab06); tasks 2 and 6 are the engine's bookkeeping in
/// small; task 4 is the verifier of the papers; task 5 says when all this pays.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace lab06 {

using Token = int32_t;

// lab06.t1: a kernel

/// How much of each request's draft is right. Request r has the rows row_start[r] ... row_start[r + 1] - 1, at least one;
/// its draft is one token shorter: draft[i] was guessed to follow row i, and the last row has no guess.
///
///     request    0           1        2
///     drawn      5 9 4 1     7        3 3 8          row_start 0 4 5 8
///     draft      5 9 2 .     .        3 3 .          accepted  2 0 2
///
/// - lab06.t1.c1: accepted[r] is the length of the longest prefix of the draft that equals drawn: what is equal again
///   behind the first difference does not count, nor does the last row, whatever stands in its draft.
/// - lab06.t1.c2: the simulator finds nothing, and all of accepted is written. `requests` is at least 1.
/// - lab06.t1.c3: neighbouring threads read neighbouring rows: loads move at most 1.25 times the sectors that drawn and
///   draft fill, and 8 a request.
void verify(const Token* drawn,        // (rows) what the target samples after each row
            const Token* draft,        // (rows)
            const int32_t* row_start,  // (requests + 1), the first is 0 and the last is rows
            int32_t* accepted,         // (requests)
            int requests);

// lab06.t2: the KV cache after a rejection

/// The blocks of all requests. As in stage 5 a block may be in several tables (a shared prefix).
struct Pool {
  int64_t block_size = 1;
  std::vector<int32_t> references;  // (blocks) how many tables a block is in
  std::vector<int32_t> free;        // the blocks without a reference, in any order
};

/// What one request holds: position p lies in slot blocks[p / block_size] * block_size + p % block_size.
struct BlockTable {
  std::vector<int32_t> blocks;
  int64_t stored = 0;  // positions [0, stored) hold keys and values of tokens; behind them is garbage
};

/// Forgets what lies at positions >= length. A block in which no position below `length` lies leaves the table, gives back
/// the table's reference, and is free if that was the last one.
///
/// - lab06.t2.c1: the table keeps its first ceil(length / block_size) blocks, in their order; none for length 0.
/// - lab06.t2.c2: references and free: what left is free, once; what another table still holds is not.
/// - lab06.t2.c3: stored is what it was, but at most length: there may be room behind it, and room is not content.
/// - lab06.t2.c4: std::out_of_range for a length below 0 or above block_size times the blocks held; nothing has changed then.
void truncate(BlockTable& table, Pool& pool, int64_t length);

/// Takes free blocks until positions [0, upto) have a place. There are enough in this lab; lab 5 is about when not.
inline void reserve(BlockTable& table, Pool& pool, int64_t upto) {
  while (int64_t(table.blocks.size()) * pool.block_size < upto) {
    const int32_t block = pool.free.back();
    pool.free.pop_back();
    pool.references[size_t(block)] = 1;
    table.blocks.push_back(block);
  }
}

// lab06.t3: a drafter without a model

/// The tokens of a request so far. It counts how often one is read.
class Text {
 public:
  explicit Text(std::span<const Token> tokens) : tokens_(tokens) {}

  int64_t size() const { return int64_t(tokens_.size()); }
  /// Throws std::out_of_range outside [0, size()).
  Token operator[](int64_t position) const {
    if (position < 0 || position >= size()) throw std::out_of_range("a position outside of the text was read");
    ++reads_;
    return tokens_[size_t(position)];
  }
  int64_t reads() const { return reads_; }

 private:
  std::span<const Token> tokens_;
  mutable int64_t reads_ = 0;
};

/// What a drafter remembers of a request from one step to the next. Empty at first; the fields are yours to use.
struct NgramIndex {
  int64_t indexed = 0;                           // n-grams that end before this position are known
  std::map<std::vector<Token>, int64_t> latest;  // n-gram -> a position that belongs to its latest occurrence
};

struct NgramLimits {
  int min_match = 1;  // at least 1
  int max_match = 3;  // at least min_match
};

/// What followed when the text's last tokens came last (prompt lookup). Of all suffixes of min_match to max_match tokens
/// that occur earlier in the text the longest counts, and of its earlier occurrences the latest, which may overlap the
/// suffix. The draft is `length` tokens from there on; where it reaches the end of the text it goes on reading in itself:
/// "a b a b" is drafted "a b a b a ...". Empty if no suffix came before.
///
/// - lab06.t3.c1: the longest suffix.
/// - lab06.t3.c2: its latest occurrence.
/// - lab06.t3.c3: the limits: min_match, max_match, length (which may be 0), texts of 0 and 1 tokens, a draft past the end.
/// - lab06.t3.c4: the text grows by calls and the index goes along: with max_match 3 and length 4 at most 64 reads of the
///   text for each token in it, whatever its length.
std::vector<Token> propose(const Text& text, NgramIndex& index, const NgramLimits& limits, int length);

// lab06.t4: rejection sampling

/// Probabilities, (vocabulary); they sum to 1.
using Distribution = std::vector<double>;

/// The token on which `uniform`, in [0, 1), falls when the probabilities are laid side by side.
inline Token draw(const Distribution& distribution, double uniform) {
  double below = 0.0;
  Token last = 0;
  for (size_t id = 0; id < distribution.size(); ++id) {
    if (distribution[id] <= 0.0) continue;
    last = Token(id);
    below += distribution[id];
    if (uniform < below) break;
  }
  return last;
}

/// Random numbers in [0, 1) for one position; all are independent.
struct JudgingNoise {
  double accept;    // is the drafted token accepted?
  double residual;  // what replaces it, or is added at the end?
};

struct Verdict {
  int64_t accepted = 0;
  std::vector<Token> tokens;  // (accepted + 1) the accepted ones, and one of the target's
};

/// What replaces a token drawn from q that was not accepted as a draw from p: max(0, p - q), normalised; p itself where
/// nothing is left.
///
/// - lab06.t4.c1: within 1e-6, and no NaN when p = q.
Distribution residual(const Distribution& p, const Distribution& q);

/// The first token that is not accepted is replaced by a draw from residual(p[i], q[i]) with noise[i].residual, and the
/// rest is dropped. If all are accepted, a token from p[k] is added, with noise[k].residual. Token x is accepted with
/// probability min(1, p(x) / q(x)): noise[i].accept * q(x) < p(x).
///
/// - lab06.t4.c2: exact cases: p = q accepts all, whatever the noise; disjoint p and q accept nothing; an empty draft is a
///   draw from p[0].
/// - lab06.t4.c3: one token: over all noise of a grid its distribution is p, with a total variation of 0.
/// - lab06.t4.c4: drafts of two tokens, 30,000 random ones: the pair that comes out has the target's distribution within a
///   total variation of 0.025.
Verdict verify_by_rejection(std::span<const Token> draft,     // (k) draft[i] was drawn from q[i]
                            std::span<const Distribution> q,  // (k)
                            std::span<const Distribution> p,  // (k + 1) p[i] is the target's after the first i of them
                            std::span<const JudgingNoise> noise);  // (k + 1)

// lab06.t5: does it pay?

/// What a step with a draft costs, in passes of the target with one row.
struct StepCost {
  double draft_token = 0;  // c: one drafted token
  double verify = 1;       // v: the pass that verifies the draft
};

/// Tokens that a target call yields on average, if a drafted token is right with probability `acceptance` (in [0, 1]) when
/// all before it were: 1 + a + a^2 + ... + a^length. `length` may be 0.
///
/// - lab06.t5.c1: within 1e-6, also for an acceptance of 1 and near it.
double tokens_per_call(double acceptance, int length);

/// How many times as fast as without drafts: tokens a step over its time, length * c + v.
///
/// - lab06.t5.c2: within 1e-6.
double speed_up(double acceptance, int length, const StepCost& cost);

/// The least acceptance from which drafts of `length`, at least 1, do not lose. Nothing if they lose even when all is right.
///
/// - lab06.t5.c3: within 1e-6; 0 if they never lose.
std::optional<double> break_even_acceptance(int length, const StepCost& cost);

/// The length with the greatest speed-up, of those for which a cost is given; 0 is not to draft and has 1. Of equal ones the
/// shortest.
///
/// - lab06.t5.c4: verify_cost[k] is v for drafts of k tokens: a pass of many rows costs more, and may cost more by jumps.
int best_length(double acceptance, double draft_token,
                std::span<const double> verify_cost);  // (longest length + 1)

// lab06.t6: a step of speculative decoding

/// A model. A call is one pass, and the lab counts them, and the rows in them.
class Target {
 public:
  virtual ~Target() = default;
  /// Computes tokens `rows` at the positions first, first + 1, ...; stores their keys and values in the slots of `table`,
  /// where those of positions [0, first) are read. Returns what the target samples after each row.
  virtual std::vector<Token> call(std::span<const Token> rows, int64_t first, const BlockTable& table) = 0;
};

struct Request {
  std::vector<Token> tokens;  // the prompt, then what was generated
  int64_t prompt_tokens = 0;  // at least 1
  int64_t max_tokens = 0;     // to generate, at least 1
  Token end_of_text = -1;
  bool finished = false;
};

/// One step for a request that has not finished. The rows are the tokens that are known and not stored (the whole prompt
/// in the first step, then one), and the draft. What is right of the draft is appended, and one token of the target's
/// own; end_of_text, which is appended too, and the max_tokens-th token finish the request, and nothing follows them.
///
/// - lab06.t6.c1: the tokens of decoding without drafts, whatever was drafted.
/// - lab06.t6.c2: nothing behind end_of_text, also where that lies inside a right draft, nor beyond max_tokens; finished.
/// - lab06.t6.c3: after each step the cache holds all tokens but the last, in ceil(stored / block_size) blocks, and all
///   other blocks are free.
/// - lab06.t6.c4: one target call a step, and no row in vain: of a draft only what may still be generated, less one, for
///   the last row gives a token anyway.
void step(Request& request, BlockTable& table, Pool& pool, Target& target, std::span<const Token> draft);

}  // namespace lab06
