/// @file
/// Lab 5, task 5: samples that share, write and end, in every order.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "labs/support/check.h"

namespace {

using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Floats = std::vector<float>;
using Numbers = std::vector<int64_t>;

struct Op {
  enum : int64_t { begin, fork, end, append, step };
};

/// A script and what must come of it. Blocks are numbers here, and are never used again.
class Script {
 public:
  Script(Check& check, int64_t block_size) : check_(check), block_size_(block_size) {}

  int64_t begin_sample() {
    add(Op::begin, next_, fmt::format("{} = begin()", next_));
    samples_[next_];
    return next_++;
  }
  int64_t fork_of(int64_t sample) {
    add(Op::fork, sample, fmt::format("{} = fork({})", next_, sample));
    samples_[next_] = samples_.at(sample);
    return next_++;
  }
  void append_to(int64_t sample, int64_t count = 1) {
    for (int64_t i = 0; i < count; ++i) {
      Sample& mine = samples_.at(sample);
      numbers_.push_back(check_.random_floats(1)[0]);
      add(Op::append, sample, fmt::format("append({}, {:g})", sample, numbers_.back()));
      if (int64_t(mine.content.size()) % block_size_ == 0)
        mine.blocks.push_back(next_block_++);
      else if (holders(mine.blocks.back()) > 1)
        mine.blocks.back() = next_block_++;
      mine.content.push_back(numbers_.back());
    }
  }
  void end_of(int64_t sample) {
    add(Op::end, sample, fmt::format("end({})", sample));
    samples_.erase(sample);
  }
  void do_step() {
    add(Op::step, 0, "step()");
    std::set<int64_t> blocks;
    for (const auto& [_, sample] : samples_) blocks.insert(sample.blocks.begin(), sample.blocks.end());
    alive_.push_back(int64_t(blocks.size()));
  }

  /// Plays it; what is left must be right.
  Message play(bool findings_first) {
    check_.input("blocks of {} numbers", block_size_);
    for (const std::string& text : steps_) check_.step("{}", text);
    const Message answer =
        check_.call(Message("samples").set("block_size", block_size_).set("script", script_).set("numbers", numbers_));
    if (findings_first) check_.expect_no_findings(answer);
    Floats expected;
    for (const auto& [_, sample] : samples_) {
      expected.insert(expected.end(), sample.content.begin(), sample.content.end());
    }
    check_.expect_equal("what the samples that are left hold", expected, answer.floats("content"));
    return answer;
  }
  const Numbers& alive() const { return alive_; }

 private:
  struct Sample {
    Floats content;
    Numbers blocks;
  };

  void add(int64_t op, int64_t sample, std::string text) {
    script_.insert(script_.end(), {op, sample});
    steps_.push_back(std::move(text));
  }
  int64_t holders(int64_t block) const {
    int64_t count = 0;
    for (const auto& [_, sample] : samples_) {
      count += std::count(sample.blocks.begin(), sample.blocks.end(), block);
    }
    return count;
  }

  Check& check_;
  int64_t block_size_, next_ = 0, next_block_ = 0;
  std::map<int64_t, Sample> samples_;
  Numbers script_, alive_;
  Floats numbers_;
  std::vector<std::string> steps_;
};

/// A prompt that ends in the middle of a block, stored.
int64_t add_prompt(Script& script, int64_t block_size) {
  const int64_t prompt = script.begin_sample();
  script.append_to(prompt, block_size + block_size / 2);
  script.do_step();
  return prompt;
}

/// Two samples of a prompt write; afterwards the second one writes on, and `ends` decides who ends when.
template <class Ends>
Script with_two_samples(Check& check, int64_t block_size, const Ends& ends) {
  Script script(check, block_size);
  const int64_t prompt = add_prompt(script, block_size);
  const int64_t first = script.fork_of(prompt), second = script.fork_of(prompt);
  script.append_to(first);
  script.append_to(second);
  ends(script, prompt, first);
  script.do_step();
  script.append_to(second, block_size);
  script.do_step();
  return script;
}

}  // namespace

LAB_CHECK("lab05.t5.c1") {
  for (const int64_t block_size : {2, 4, 33}) {
    with_two_samples(check, block_size, [](Script&, int64_t, int64_t) {}).play(false);
    Script script(check, block_size);
    const int64_t prompt = add_prompt(script, block_size), sample = script.fork_of(prompt);
    script.append_to(prompt);  // the one that was there first writes first
    script.append_to(sample, block_size);
    script.do_step();
    script.end_of(prompt);
    script.append_to(sample);
    script.do_step();
    script.play(false);
  }
}

LAB_CHECK("lab05.t5.c2") {
  for (const int64_t block_size : {2, 4, 32}) {
    with_two_samples(check, block_size, [](Script& script, int64_t prompt, int64_t) {
      script.end_of(prompt);
    }).play(true);
  }
}

LAB_CHECK("lab05.t5.c3") {
  for (const int64_t block_size : {2, 4, 32}) {
    with_two_samples(check, block_size, [](Script& script, int64_t, int64_t first) {
      script.end_of(first);
    }).play(true);
  }
}

LAB_CHECK("lab05.t5.c4") {
  for (const int64_t block_size : {2, 4}) {
    const auto none = [](Script&, int64_t, int64_t) {};
    const auto prompt_ends = [](Script& script, int64_t prompt, int64_t) { script.end_of(prompt); };
    const auto both_end = [](Script& script, int64_t prompt, int64_t first) {
      script.end_of(first);
      script.end_of(prompt);
    };
    for (const std::function<void(Script&, int64_t, int64_t)>& ends :
         {std::function<void(Script&, int64_t, int64_t)>(none), {prompt_ends}, {both_end}}) {
      Script script = with_two_samples(check, block_size, ends);
      const Message answer = script.play(false);
      check.expect_equal("blocks alive after each step", script.alive(), answer.integers("alive"));
    }
  }
}
