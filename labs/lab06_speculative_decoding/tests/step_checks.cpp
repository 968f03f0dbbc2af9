/// @file
/// Lab 6: steps of speculative decoding against the same target without drafts. Drafts are scripted: of so many so many
/// are right.
#include <algorithm>
#include <numeric>

#include "labs/lab06_speculative_decoding/runner/toy_target.h"
#include "labs/support/check.h"

namespace {

using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Integers = std::vector<int64_t>;

constexpr int64_t kVocabulary = 50000, kNoEnd = -1;

struct Guess {
  int64_t drafted, right;
};

/// A request, a language, and a script of drafts; the first step reads the prompt and has none.
struct Episode {
  int64_t language, block_size, max_tokens;
  Integers prompt;
  int64_t end_of_text = kNoEnd;
};

/// What must become of it.
struct Course {
  Integers tokens;                 // at the end
  Integers sizes, rows;            // after, and in, each step
  Integers drafts, draft_lengths;  // what is drafted in each step
};

/// Reads tokens into `reader` and says what the target samples then.
int64_t next_token(const Integers& tokens, int64_t language) {
  toy::Reader reader{uint64_t(language)};
  for (size_t i = 0; i < tokens.size(); ++i) reader.read(toy::kv_of(int32_t(tokens[i]), int64_t(i)));
  return reader.next(kVocabulary);
}

/// Goes on with `truth`, without an end, until it has `size` tokens.
void continue_to(Integers& truth, int64_t size, int64_t language) {
  while (int64_t(truth.size()) < size) truth.push_back(next_token(truth, language));
}

/// `guess` for what follows the first `known` tokens. Behind the wrong one comes what would have been right without it.
Integers draft_for(Check& check, const Integers& truth, int64_t known, const Guess& guess) {
  Integers draft(truth.begin() + known, truth.begin() + known + guess.drafted);
  if (guess.right < guess.drafted) {
    int64_t& wrong = draft[size_t(guess.right)];
    wrong = (wrong + 1 + check.random().below(uint32_t(kVocabulary) - 1)) % kVocabulary;
  }
  return draft;
}

/// Plays an episode as it must go: `script(step)` says what is guessed.
template <class Script>
Course play(Check& check, const Episode& episode, const Script& script) {
  const auto prompt = int64_t(episode.prompt.size());
  Integers truth = episode.prompt;
  Course course;
  int64_t known = prompt, generated = 0, pending = prompt;
  for (bool finished = false; !finished;) {
    const Guess guess = generated == 0 ? Guess{0, 0} : script(int64_t(course.rows.size()));
    continue_to(truth, known + guess.drafted + 1, episode.language);
    const Integers draft = draft_for(check, truth, known, guess);
    course.drafts.insert(course.drafts.end(), draft.begin(), draft.end());
    course.draft_lengths.push_back(guess.drafted);
    const int64_t left = episode.max_tokens - generated;
    course.rows.push_back(pending + std::min(guess.drafted, left - 1));
    for (int64_t i = 0; i <= std::min(guess.right, left - 1) && !finished; ++i) {
      ++known;
      ++generated;
      finished = generated == episode.max_tokens || truth[size_t(known - 1)] == episode.end_of_text;
    }
    pending = 1;
    course.sizes.push_back(known);
  }
  course.tokens.assign(truth.begin(), truth.begin() + known);
  return course;
}

Episode random_episode(Check& check, int64_t prompt, int64_t max_tokens, int64_t block_size) {
  Episode episode{check.random().below(1u << 30), block_size, max_tokens, {}};
  for (int64_t i = 0; i < prompt; ++i) episode.prompt.push_back(check.random().below(uint32_t(kVocabulary)));
  return episode;
}

/// More than are ever needed, even if drafts are not cut.
int64_t blocks_of(const Episode& episode, const Course& course) {
  constexpr int64_t kMore = 3;
  const int64_t longest = *std::max_element(course.draft_lengths.begin(), course.draft_lengths.end());
  return (int64_t(episode.prompt.size()) + episode.max_tokens + longest) / episode.block_size + kMore;
}

Message decode(Check& check, const Episode& episode, const Course& course) {
  Integers free(size_t(blocks_of(episode, course)));
  std::iota(free.begin(), free.end(), int64_t{0});
  for (size_t i = free.size() - 1; i > 0; --i) std::swap(free[i], free[size_t(check.random().below(uint32_t(i) + 1))]);
  return check.call(Message("decode")
                        .set("language", episode.language)
                        .set("vocabulary", kVocabulary)
                        .set("prompt", episode.prompt)
                        .set("max_tokens", episode.max_tokens)
                        .set("end_of_text", episode.end_of_text)
                        .set("block_size", episode.block_size)
                        .set("blocks", blocks_of(episode, course))
                        .set("free", free)
                        .set("drafts", course.drafts)
                        .set("draft_lengths", course.draft_lengths));
}

/// For a failure's report.
void tell(Check& check, const Episode& episode, const Course& course, const std::string& drafter) {
  check.input("a prompt of {}, at most {} tokens, blocks of {}; {}", episode.prompt.size(), episode.max_tokens,
              episode.block_size, drafter);
  constexpr size_t kShown = 4;
  for (size_t i = 0; i < std::min(kShown, course.rows.size()); ++i) {
    check.step("step with a draft of {}; then {} tokens are known", course.draft_lengths[i], course.sizes[i]);
  }
  if (course.rows.size() > kShown) check.step("... {} steps in all", course.rows.size());
}

/// Episodes with all, none, some or no guesses right.
template <class Try>
void try_drafters(Check& check, Try attempt) {
  constexpr int64_t kTokens = 70;
  constexpr int64_t kPrompts[] = {1, 2, 31, 33}, kBlockSizes[] = {1, 4, 16};
  int64_t next = 0;
  const auto episode = [&] {
    const Episode one = random_episode(check, kPrompts[next % 4], kTokens, kBlockSizes[next % 3]);
    ++next;
    return one;
  };
  for (const int64_t k : check.sizes({1, 2, 4, 31, 32, 33})) {
    attempt(episode(), fmt::format("drafts of {}, all right", k), [=](int64_t) { return Guess{k, k}; });
    attempt(episode(), fmt::format("drafts of {}, none right", k), [=](int64_t) { return Guess{k, 0}; });
    attempt(episode(), fmt::format("drafts of {}, the first half right", k), [=](int64_t) { return Guess{k, k / 2}; });
    attempt(episode(), fmt::format("drafts of 0 to {}, right at random", k), [&check, k](int64_t) {
      const int64_t drafted = check.random().below(uint32_t(k) + 1);
      return Guess{drafted, check.random().below(uint32_t(drafted) + 1)};
    });
  }
  attempt(episode(), "no drafts", [](int64_t) { return Guess{0, 0}; });
}

/// The free and the held blocks of a step.
Integers slice(const Integers& all, const Integers& counts, size_t step) {
  size_t from = 0;
  for (size_t i = 0; i < step; ++i) from += size_t(counts.at(i));
  if (from + size_t(counts.at(step)) > all.size()) return {};
  return {all.begin() + std::ptrdiff_t(from), all.begin() + std::ptrdiff_t(from + size_t(counts[step]))};
}

void expect_cache(Check& check, const Episode& episode, const Course& course, const Message& answer, size_t step) {
  const int64_t stored = course.sizes[step] - 1;
  check.expect_equal(fmt::format("stored after step {}", step + 1), stored, answer.integers("stored").at(step));
  Integers expected;
  for (int64_t i = 0; i < stored; ++i) expected.push_back(toy::kv_of(int32_t(course.tokens[size_t(i)]), i));
  check.expect_equal(fmt::format("K/V after step {}", step + 1), expected,
                     slice(answer.integers("content"), answer.integers("stored"), step));
  check.expect_equal(fmt::format("blocks held after step {}", step + 1),
                     (stored + episode.block_size - 1) / episode.block_size, answer.integers("held").at(step));
  Integers all = slice(answer.integers("held_ids"), answer.integers("held"), step);
  const Integers free = slice(answer.integers("free_ids"), answer.integers("free"), step);
  all.insert(all.end(), free.begin(), free.end());
  std::sort(all.begin(), all.end());
  Integers every(size_t(blocks_of(episode, course)));
  std::iota(every.begin(), every.end(), int64_t{0});
  check.expect_equal(fmt::format("held and free blocks after step {}, sorted,", step + 1), every, all);
}

int64_t sum(const Integers& values) { return std::accumulate(values.begin(), values.end(), int64_t{0}); }

}  // namespace

LAB_CHECK("lab06.t6.c1") {
  try_drafters(check, [&](const Episode& episode, const std::string& drafter, const auto& script) {
    const Course course = play(check, episode, script);
    tell(check, episode, course, drafter);
    check.expect_equal("tokens", course.tokens, decode(check, episode, course).integers("tokens"));
  });
}

LAB_CHECK("lab06.t6.c2") {
  const auto attempt = [&](const Episode& episode, const Guess& guess, const std::string& what) {
    const Course course = play(check, episode, [&](int64_t) { return guess; });
    tell(check, episode, course, what);
    const Message answer = decode(check, episode, course);
    check.expect_equal("tokens", course.tokens, answer.integers("tokens"));
    check.expect_equal("finished", 1, answer.integer("finished"));
  };
  for (const int64_t end : {0, 1, 2, 3, 4, 5, 7}) {  // the first token, inside a draft, its last, the target's own
    for (const Guess& guess : {Guess{4, 4}, Guess{4, 2}, Guess{4, 0}, Guess{0, 0}}) {
      Episode episode = random_episode(check, 3, 40, 4);
      Integers truth = episode.prompt;
      continue_to(truth, int64_t(truth.size()) + end + 1, episode.language);
      episode.end_of_text = truth.back();
      attempt(episode, guess,
              fmt::format("{} of {} guesses right; token {} is the end", guess.right, guess.drafted, end));
    }
  }
  for (const int64_t most : {1, 2, 3, 5, 6, 8}) {
    for (const Guess& guess : {Guess{4, 4}, Guess{4, 1}, Guess{33, 33}}) {
      attempt(random_episode(check, 5, most, 4), guess,
              fmt::format("{} of {} guesses right", guess.right, guess.drafted));
    }
  }
  // An end of text that is guessed, and wrong, ends nothing.
  Episode episode = random_episode(check, 4, 12, 4);
  const Course course = play(check, episode, [](int64_t) { return Guess{3, 1}; });
  episode.end_of_text = course.drafts.at(1);
  if (std::count(course.tokens.begin(), course.tokens.end(), episode.end_of_text) > 0) return;  // it comes later, too
  tell(check, episode, course, "the end of text is guessed second, and wrong");
  check.expect_equal("tokens", course.tokens, decode(check, episode, course).integers("tokens"));
}

LAB_CHECK("lab06.t6.c3") {
  try_drafters(check, [&](const Episode& episode, const std::string& drafter, const auto& script) {
    const Course course = play(check, episode, script);
    tell(check, episode, course, drafter);
    const Message answer = decode(check, episode, course);
    check.expect_at_least("steps", int64_t(course.rows.size()), int64_t(answer.integers("stored").size()));
    for (size_t step = 0; step < course.rows.size(); ++step) expect_cache(check, episode, course, answer, step);
  });
}

LAB_CHECK("lab06.t6.c4") {
  try_drafters(check, [&](const Episode& episode, const std::string& drafter, const auto& script) {
    const Course course = play(check, episode, script);
    tell(check, episode, course, drafter);
    const Message answer = decode(check, episode, course);
    check.expect_equal("target calls", int64_t(course.rows.size()), sum(answer.integers("calls")));
    check.expect_equal("tokens", course.tokens, answer.integers("tokens"));
    check.expect_at_most("rows in all target calls", sum(course.rows), sum(answer.integers("rows")));
  });
}

LAB_QUESTION("lab06.q1") {
  const Episode episode = random_episode(check, 10, 64, 16);
  const Course course = play(check, episode, [](int64_t) { return Guess{4, 2}; });
  return double(sum(decode(check, episode, course).integers("calls")));
}
