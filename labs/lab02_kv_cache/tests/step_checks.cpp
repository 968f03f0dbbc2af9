/// @file
/// Lab 2: bytes of a cache, the steps of a cached text, and where the cache wins.
#include <algorithm>
#include <numeric>

#include "labs/support/check.h"
#include "stages/core/model_config.h"

namespace {

using stagecraft::NumberType;
using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Integers = std::vector<int64_t>;

struct Model {
  const char* name;
  int64_t layers, heads, kv_heads, head_dim, parameters;
  NumberType weight_type = NumberType::bf16, kv_type = NumberType::bf16;

  int64_t weight_bytes() const { return parameters * bytes_of(weight_type); }
  /// As the engine counts them.
  int64_t kv_bytes_per_token() const {
    stagecraft::ModelConfig config;
    config.layers = int(layers);
    config.kv_heads = int(kv_heads);
    config.head_dim = int(head_dim);
    return config.kv_bytes_per_token(kv_type);
  }
};

const Model kModels[] = {
    {"tales-5m", 6, 8, 4, 32, 4951296},
    {"SmolLM2-135M", 30, 9, 3, 64, 134515008},
    {"SmolLM2-135M, all fp32", 30, 9, 3, 64, 134515008, NumberType::fp32, NumberType::fp32},
    {"Llama 3.1 8B", 32, 32, 8, 128, 8030261248},
    {"Llama 3.1 8B, fp32 cache", 32, 32, 8, 128, 8030261248, NumberType::bf16, NumberType::fp32},
    {"one head for all", 2, 16, 1, 80, 1000001, NumberType::fp32, NumberType::fp16},
};

Message with_model(Message message, const Model& model) {
  return message.set("layers", model.layers)
      .set("heads", model.heads)
      .set("kv_heads", model.kv_heads)
      .set("head_dim", model.head_dim)
      .set("parameters", model.parameters)
      .set("weight_type", int64_t(model.weight_type))
      .set("kv_type", int64_t(model.kv_type));
}

void tell(Check& check, const Model& model) {
  check.input("{}: {} layers, {} heads, {} kv_heads, head_dim {}, {} parameters of {}, cache of {}", model.name,
              model.layers, model.heads, model.kv_heads, model.head_dim, model.parameters, name_of(model.weight_type),
              name_of(model.kv_type));
}

struct Step {
  int64_t first, rows;
};

/// Steps of any kind: prompts, chunks, single tokens, up to long texts.
std::vector<Step> some_steps(Check& check) {
  std::vector<Step> steps{{0, 1}, {0, 77}, {63, 1}, {64, 32}, {131071, 1}};
  steps.push_back({check.random().below(5000), 1 + check.random().below(600)});
  return steps;
}

}  // namespace

LAB_CHECK("lab02.t4.c1") {
  for (const Model& model : kModels) {
    tell(check, model);
    check.step("kv_bytes_per_token(model)");
    check.expect_equal("bytes", model.kv_bytes_per_token(),
                       check.call(with_model(Message("kv_bytes_per_token"), model)).integer("bytes"));
  }
}

LAB_CHECK("lab02.t4.c2") {
  for (const Model& model : kModels) {
    const int64_t token = model.kv_bytes_per_token(), extra = check.random().below(uint32_t(token));
    for (const int64_t tokens : check.sizes({-1000, 0, 1, 2048, 300000})) {
      const int64_t memory = std::max<int64_t>(0, model.weight_bytes() + tokens * token + extra);
      tell(check, model);
      check.step("tokens_that_fit(model, {})", memory);
      check.expect_equal(
          "tokens", std::max<int64_t>(0, tokens),
          check.call(with_model(Message("tokens_that_fit"), model).set("memory", memory)).integer("tokens"));
    }
  }
}

LAB_CHECK("lab02.t4.c3") {
  for (const Model& model : kModels) {
    for (const Step& step : some_steps(check)) {
      tell(check, model);
      check.step("step_traffic(model, first = {}, rows = {})", step.first, step.rows);
      const Message answer =
          check.call(with_model(Message("step_traffic"), model).set("first", step.first).set("rows", step.rows));
      const int64_t token = model.kv_bytes_per_token();
      check.expect_equal("bytes read", model.weight_bytes() + (step.first + step.rows) * token, answer.integer("read"));
      check.expect_equal("bytes written", step.rows * token, answer.integer("written"));
    }
  }
}

namespace {

/// A cache and the text that it belongs to, as the caller of next_step and still_cached keeps them: which token's keys
/// lie at each position.
class Conversation {
 public:
  explicit Conversation(Check& check) : check_(check) {}

  int64_t forwarded() const { return forwarded_; }
  const Integers& text() const { return text_; }

  /// Another text takes the place of this one; the cache keeps what still_cached says.
  void replace_text(const Integers& text) {
    const Message answer = check_.call(Message("still_cached").set("stored", stored_).set("text", text));
    const int64_t cached = answer.integer("cached");
    check_.step("still_cached({} stored tokens, a text of {}) says {}", stored_.size(), text.size(), cached);
    const int64_t most = int64_t(std::min(stored_.size(), text.size()));
    check_.expect(cached >= 0 && cached <= most, fmt::format("still_cached between 0 and {}", most),
                  fmt::format("{}", cached));
    stored_.resize(size_t(cached));
    text_ = text;
  }

  /// Steps until the next token can be drawn; then it is.
  void draw(int64_t budget, int64_t token) {
    const int64_t most_steps = int64_t(text_.size()) + 1;
    for (int64_t taken = 0;; ++taken) {
      check_.expect(taken < most_steps, "a token is drawn", fmt::format("none after {} steps", taken));
      if (step(budget)) break;
    }
    check_.expect_equal("tokens whose keys are stored when the next one is drawn", text_, stored_);
    text_.push_back(token);
  }

 private:
  /// Returns whether it draws.
  bool step(int64_t budget) {
    const int64_t known = int64_t(text_.size()), cached = int64_t(stored_.size());
    const Message answer =
        check_.call(Message("next_step").set("known", known).set("cached", cached).set("budget", budget));
    const int64_t first = answer.integer("first"), rows = answer.integer("rows");
    const bool draws = answer.integer("draws") == 1;
    check_.step("next_step(known = {}, cached = {}, budget = {}) says first = {}, rows = {}, draws = {}", known, cached,
                budget, first, rows, draws);
    const std::string& complaint = answer.text("complaint");
    check_.expect(complaint.empty(), "a step", "BadInput: " + complaint);
    check_.expect(first >= 0 && first <= cached, fmt::format("first between 0 and {}: no gap", cached),
                  fmt::format("{}", first));
    check_.expect(rows >= 1 && rows <= budget, fmt::format("rows between 1 and {}", budget), fmt::format("{}", rows));
    check_.expect(first + rows <= known, fmt::format("the last row's position is at most {}", known - 1),
                  fmt::format("{}", first + rows - 1));
    const bool at_the_end = first + rows == known;
    check_.expect(draws == at_the_end, fmt::format("draws = {}", at_the_end), fmt::format("{}", draws));
    if (int64_t(stored_.size()) < first + rows) stored_.resize(size_t(first + rows));
    std::copy_n(text_.begin() + first, rows, stored_.begin() + first);
    forwarded_ += rows;
    return draws;
  }

  Check& check_;
  Integers text_, stored_;
  int64_t forwarded_ = 0;
};

constexpr int64_t kNoLimit = 1 << 20;

Integers random_text(Check& check, int64_t length) {
  constexpr uint32_t kVocabulary = 2048;
  Integers text(static_cast<size_t>(length));
  for (int64_t& token : text) token = check.random().below(kVocabulary);
  return text;
}

/// The text with another token at `position`.
Integers edited(Integers text, int64_t position) {
  text[size_t(position)] += 1;
  return text;
}

Integers beginning(const Integers& text, int64_t length) { return {text.begin(), text.begin() + length}; }

}  // namespace

LAB_CHECK("lab02.t5.c1") {
  for (const int64_t prompt : check.sizes({1, 2, 33, 300})) {
    check.input("a prompt of {} tokens, 6 more, no limit to a step", prompt);
    Conversation talk(check);
    talk.replace_text(random_text(check, prompt));
    for (const int64_t token : random_text(check, 6)) talk.draw(kNoLimit, token);
  }
}

LAB_CHECK("lab02.t5.c2") {
  for (const int64_t prompt : check.sizes({1, 31, 32, 33, 129})) {
    for (const int64_t budget : {1, 16, 32}) {
      check.input("a prompt of {} tokens, 3 more, at most {} tokens a step", prompt, budget);
      Conversation talk(check);
      talk.replace_text(random_text(check, prompt));
      for (const int64_t token : random_text(check, 3)) talk.draw(budget, token);
    }
  }
}

LAB_CHECK("lab02.t5.c3") {
  for (const int64_t budget : {int64_t{8}, kNoLimit}) {
    const Integers text = random_text(check, 40);
    const auto play = [&](const char* what, const Integers& other) {
      check.input("40 tokens and 5 drawn are cached, then {}; at most {} tokens a step", what, budget);
      Conversation talk(check);
      talk.replace_text(text);
      for (const int64_t token : random_text(check, 5)) talk.draw(budget, token);
      talk.replace_text(other);
      for (const int64_t token : random_text(check, 2)) talk.draw(budget, token);
    };
    play("the same text again", text);
    play("its first 17 tokens", beginning(text, 17));
    play("its first token alone", beginning(text, 1));
    play("another token at 12", edited(text, 12));
    play("another token at the beginning", edited(text, 0));
    play("another token at the end", edited(text, 39));
    Integers longer = edited(text, 30);
    const Integers more = random_text(check, 25);
    longer.insert(longer.end(), more.begin(), more.end());
    play("another token at 30 and 25 more", longer);
  }
}

LAB_CHECK("lab02.t5.c4") {
  const int64_t prompt = 50, drawn = 20, kept = 30;
  for (const int64_t budget : {int64_t{16}, kNoLimit}) {
    check.input("a prompt of {} tokens, {} more; then its first {} tokens again, {} more; at most {} tokens a step",
                prompt, drawn, kept, drawn, budget);
    const Integers text = random_text(check, prompt);
    Conversation talk(check);
    talk.replace_text(text);
    for (const int64_t token : random_text(check, drawn)) talk.draw(budget, token);
    check.expect_equal("tokens forwarded", prompt + drawn - 1, talk.forwarded());
    talk.replace_text(beginning(text, kept));
    for (const int64_t token : random_text(check, drawn)) talk.draw(budget, token);
    check.expect_equal("tokens forwarded in all", prompt + drawn - 1 + drawn, talk.forwarded());
    talk.replace_text(edited(talk.text(), kept));
    talk.draw(budget, 7);
    check.expect_equal("tokens forwarded in all, after an edit", prompt + drawn - 1 + drawn + drawn, talk.forwarded());
  }
}

LAB_CHECK("lab02.t5.c5") {
  struct Bad {
    int64_t known, cached, budget, value;
  };
  const int64_t random = 2 + check.random().below(1000);
  for (const Bad& bad : {Bad{0, 0, 8, 0}, Bad{-random, 0, 8, -random}, Bad{random, random + 1, 8, random + 1},
                         Bad{random, -1, 8, -1}, Bad{random, 1, 0, 0}, Bad{random, 1, -3, -3}}) {
    check.input("known = {}, cached = {}, budget = {}", bad.known, bad.cached, bad.budget);
    check.step("next_step({}, {}, {})", bad.known, bad.cached, bad.budget);
    const Message answer =
        check.call(Message("next_step").set("known", bad.known).set("cached", bad.cached).set("budget", bad.budget));
    const std::string& complaint = answer.text("complaint");
    const bool names_it = complaint.find(fmt::format("{}", bad.value)) != std::string::npos;
    check.expect(names_it, fmt::format("BadInput with a message that names {}", bad.value),
                 complaint.empty() ? "no BadInput" : "BadInput: " + complaint);
  }
  check.input("known = {}, cached = {}, budget = 8: good input", random, random - 1);
  check.step("next_step({}, {}, 8)", random, random - 1);
  const Message good =
      check.call(Message("next_step").set("known", random).set("cached", random - 1).set("budget", int64_t{8}));
  check.expect_equal("complaint", 0, int64_t(good.text("complaint").size()));
  check.expect_equal("first + rows", random, good.integer("first") + good.integer("rows"));
}

namespace {

int64_t operations(const Model& model, const Step& step) {
  int64_t sum = 0;
  for (int64_t position = step.first; position < step.first + step.rows; ++position) {
    sum += 2 * model.parameters + 4 * model.layers * model.heads * model.head_dim * (position + 1);
  }
  return sum;
}

int64_t bytes_read(const Model& model, const Step& step) {
  return model.weight_bytes() + (step.first + step.rows) * model.kv_bytes_per_token();
}

struct Machine {
  const char* name;
  int64_t bytes_per_second, operations_per_second;
};

constexpr int64_t kGiga = 1'000'000'000, kTera = 1'000 * kGiga;
const Machine kMachines[] = {
    {"a laptop", 40 * kGiga, 200 * kGiga},
    {"an A100", 2000 * kGiga, 312 * kTera},
    {"slow arithmetic", 100 * kGiga, kGiga},
};

double seconds(const Model& model, const Step& step, const Machine& machine) {
  return std::max(double(bytes_read(model, step)) / double(machine.bytes_per_second),
                  double(operations(model, step)) / double(machine.operations_per_second));
}

int64_t wins_from(const Model& model, const Machine& machine) {
  int64_t length = 1;
  while (seconds(model, {0, length}, machine) <= seconds(model, {length - 1, 1}, machine)) ++length;
  return length;
}

int64_t asked_wins_from(Check& check, const Model& model, const Machine& machine) {
  tell(check, model);
  check.step("cache_wins_from(model, {}: {} bytes/s, {} operations/s)", machine.name, machine.bytes_per_second,
             machine.operations_per_second);
  return check
      .call(with_model(Message("cache_wins_from"), model)
                .set("bytes_per_second", machine.bytes_per_second)
                .set("operations_per_second", machine.operations_per_second))
      .integer("length");
}

}  // namespace

LAB_CHECK("lab02.t6.c1") {
  for (const Model& model : kModels) {
    for (const Step& step : some_steps(check)) {
      tell(check, model);
      check.step("operations(model, first = {}, rows = {})", step.first, step.rows);
      const Message answer =
          check.call(with_model(Message("operations"), model).set("first", step.first).set("rows", step.rows));
      check.expect_equal("operations", operations(model, step), answer.integer("operations"));
    }
  }
}

LAB_CHECK("lab02.t6.c2") {
  for (const Model& model : {kModels[0], kModels[1], kModels[5]}) {
    for (const int64_t output : check.sizes({0, 1, 2, 48})) {
      const int64_t prompt = 1 + check.random().below(200);
      for (const bool cached : {false, true}) {
        tell(check, model);
        check.step("generation_work(model, {}, {}, {})", prompt, output, cached ? "cached" : "naive");
        const Message answer = check.call(with_model(Message("generation_work"), model)
                                              .set("prompt", prompt)
                                              .set("output", output)
                                              .set("decoding", int64_t(cached)));
        Integers expected(4, 0);
        for (int64_t pass = 0; pass < output; ++pass) {
          const int64_t first = cached && pass > 0 ? prompt + pass - 1 : 0;
          const Step step{first, prompt + pass - first};
          expected[0] += step.rows;
          expected[1] += operations(model, step);
          expected[2] += bytes_read(model, step);
          expected[3] += step.rows * model.kv_bytes_per_token();
        }
        const char* const names[] = {"tokens", "operations", "bytes_read", "bytes_written"};
        for (size_t i = 0; i < expected.size(); ++i) {
          check.expect_equal(names[i], expected[i], answer.integer(names[i]));
        }
      }
    }
  }
}

LAB_CHECK("lab02.t6.c3") {
  for (const Machine& machine : kMachines) {
    for (const Model& model : kModels) {
      check.expect_equal("length", wins_from(model, machine), asked_wins_from(check, model, machine));
    }
  }
}

LAB_QUESTION("lab02.q1") {
  return double(check.call(with_model(Message("kv_bytes_per_token"), kModels[1])).integer("bytes"));
}

LAB_QUESTION("lab02.q3") {
  Conversation talk(check);
  const Integers text = random_text(check, 300);
  talk.replace_text(text);
  talk.draw(kNoLimit, 1);
  const int64_t before = talk.forwarded();
  Integers changed = edited(text, 250);
  changed.resize(320, 1);
  talk.replace_text(changed);
  talk.draw(kNoLimit, 1);
  return double(talk.forwarded() - before);
}

LAB_QUESTION("lab02.q4") { return double(asked_wins_from(check, kModels[1], kMachines[1])); }
