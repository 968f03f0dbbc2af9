/// @file
/// The exactness contract as far as stage 1 can show it: T2 (a position's logits do not depend on what follows), T12
/// (runs repeat), threads, sampling by seed and position alone. All comparisons are of bits.
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cpu/cpu_device.h"
#include "stages/1_naive/engine.h"
#include "stages/core/prompt_logits.h"
#include "tests/catch.h"

using namespace stagecraft;

namespace {

constexpr int64_t kPositions = 200;
constexpr int64_t kWholePrompt = std::numeric_limits<int64_t>::max();

/// tales-5m on a cpu, and the way to run requests on it.
class Tales {
 public:
  explicit Tales(int threads = 2, NumberType kv_type = NumberType::bf16)
      : device_(threads),
        config_(read_model_config(folder())),
        tokenizer_(Tokenizer::load(folder())),
        model_(device_, config_, load_weights(folder(), config_), kPositions),
        pool_(device_, config_, kv_type, kPositions) {}

  Device& device() { return device_; }
  const ModelConfig& config() const { return config_; }
  std::vector<TokenId> encode(const std::string& text) const { return tokenizer_.encode(text); }

  /// Logits of each position of `ids`.
  std::vector<std::vector<float>> logits(const std::vector<TokenId>& ids) {
    const std::vector<float> all = prompt_logits(model_, pool_, ids, kWholePrompt);
    std::vector<std::vector<float>> rows;
    for (auto at = all.begin(); at != all.end(); at += config_.vocabulary) {
      rows.emplace_back(at, at + config_.vocabulary);
    }
    return rows;
  }

  /// What stage 1 draws for each prompt, in one run.
  std::vector<std::vector<TokenId>> generate_all(const std::vector<std::string>& prompts, SamplingParams how,
                                                 int64_t count) {
    std::vector<Job> jobs;
    for (const std::string& prompt : prompts) {
      Job job;
      job.request.id = int(jobs.size());
      job.request.tokens = tokenizer_.encode(prompt);
      job.request.prompt_tokens = int64_t(job.request.tokens.size());
      job.request.max_tokens = count;
      job.request.sampling = how;
      jobs.push_back(job);
    }
    WallClock clock;
    NoTextSink sink;
    NaiveEngine engine;
    const std::vector<TokenId> no_end;
    const RunLog log = engine.run({model_, pool_, tokenizer_, no_end, jobs, clock, sink});
    std::vector<std::vector<TokenId>> outputs;
    for (const RequestRecord& request : log.requests) outputs.push_back(request.output_ids);
    return outputs;
  }
  std::vector<TokenId> generate(const std::string& prompt, SamplingParams how, int64_t count) {
    return generate_all({prompt}, how, count).front();
  }

  /// All bytes of the pool become NaN, whatever its type.
  void poison_kv() {
    for (int layer = 0; layer < config_.layers; ++layer) {
      const KvView view = pool_.layer(layer, {});
      const size_t bytes = size_t(pool_.bytes() / config_.layers / 2);
      std::memset(view.keys, 0xFF, bytes);
      std::memset(view.values, 0xFF, bytes);
    }
  }

 private:
  static std::string folder() { return STAGECRAFT_SOURCE_DIR "/models/tales-5m"; }

  cpu::CpuDevice device_;
  ModelConfig config_;
  Tokenizer tokenizer_;
  Model model_;
  KvPool pool_;
};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

SamplingParams sampled(float temperature, uint64_t seed) {
  SamplingParams how;
  how.temperature = temperature;
  how.seed = seed;
  return how;
}

TokenId arg_max(const std::vector<float>& row) {
  return TokenId(std::max_element(row.begin(), row.end()) - row.begin());
}

}  // namespace

TEST_CASE("T2: the logits of position t are those of a pass that ends there, bit for bit", "[stage1][exact]") {
  const NumberType kv_type = GENERATE(NumberType::bf16, NumberType::fp16, NumberType::fp32);
  INFO(name_of(kv_type));
  Tales tales(2, kv_type);
  std::vector<TokenId> ids = tales.encode("Once upon a time there was a little girl who went into the deep dark wood");
  for (TokenId id = 1; ids.size() < 70; ++id) ids.push_back(id * 29 % 2048);  // past an attention tile of 64 keys
  const std::vector<std::vector<float>> all = tales.logits(ids);
  for (const size_t length : {1, 2, 5, 16, 33, 63, 64, 65, 69}) {
    INFO("prefix of " << length);
    tales.poison_kv();
    const std::vector<float> last = tales.logits({ids.begin(), ids.begin() + std::ptrdiff_t(length)}).back();
    REQUIRE(same_bits(last, all[length - 1]));
  }
}

TEST_CASE("negative control: another token before it changes a position's logits", "[stage1][exact][control]") {
  Tales tales;
  std::vector<TokenId> ids = tales.encode("Once upon a time there was a king");
  const std::vector<float> before = tales.logits(ids).back();
  ids[1] = (ids[1] + 1) % 2048;
  CHECK_FALSE(same_bits(before, tales.logits(ids).back()));
}

TEST_CASE("T12: runs repeat, and what the pool held before does not matter", "[stage1][exact]") {
  Tales tales;
  const SamplingParams how = sampled(0.7f, 7);
  const std::vector<TokenId> first = tales.generate("The old king", how, 24);
  CHECK(tales.generate("The old king", how, 24) == first);
  tales.poison_kv();
  CHECK(tales.generate("The old king", how, 24) == first);
}

TEST_CASE("1 and 2 threads give the same bits", "[stage1][exact]") {
  Tales one(1), two(2);
  const std::vector<TokenId> ids = one.encode("There was once a poor woodcutter who lived with his wife");
  const auto a = one.logits(ids), b = two.logits(ids);
  for (size_t t = 0; t < ids.size(); ++t) REQUIRE(same_bits(a[t], b[t]));
  CHECK(one.generate("The king", sampled(1.5f, 3), 16) == two.generate("The king", sampled(1.5f, 3), 16));
}

TEST_CASE("teacher forcing: one pass over prompt and continuation asks for the continuation", "[stage1][exact]") {
  Tales tales;
  const std::vector<TokenId> prompt = tales.encode("Once upon a time");
  const std::vector<TokenId> output = tales.generate("Once upon a time", {}, 48);
  std::vector<TokenId> whole = prompt;
  whole.insert(whole.end(), output.begin(), output.end());
  const auto rows = tales.logits(whole);
  for (size_t i = 0; i < output.size(); ++i) {
    INFO("token " << i);
    REQUIRE(arg_max(rows[prompt.size() - 1 + i]) == output[i]);
  }
}

TEST_CASE("the same seed draws the same tokens, another seed others, and greedy knows no seed", "[stage1][sampling]") {
  Tales tales;
  for (const float temperature : {0.7f, 1.5f}) {
    INFO("temperature " << temperature);
    const std::vector<TokenId> seven = tales.generate("The king", sampled(temperature, 7), 16);
    CHECK(tales.generate("The king", sampled(temperature, 7), 16) == seven);
    CHECK(tales.generate("The king", sampled(temperature, 8), 16) != seven);
  }
  CHECK(tales.generate("The king", sampled(0, 7), 16) == tales.generate("The king", sampled(0, 8), 16));
}

TEST_CASE("top-k 1 is greedy at any temperature; a temperature of 1e-6 is too", "[stage1][sampling]") {
  Tales tales;
  const std::vector<TokenId> greedy = tales.generate("The king", {}, 16);
  SamplingParams only_best = sampled(1.5f, 7);
  only_best.top_k = 1;
  CHECK(tales.generate("The king", only_best, 16) == greedy);
  CHECK(tales.generate("The king", sampled(1e-6f, 7), 16) == greedy);
  SamplingParams beyond = sampled(1.5f, 7);
  beyond.top_k = 1'000'000;
  CHECK(tales.generate("The king", beyond, 16) == tales.generate("The king", sampled(1.5f, 7), 16));
}

TEST_CASE("what a prompt draws does not depend on which others run with it, or in what order", "[stage1][sampling]") {
  Tales tales;
  const std::vector<std::string> prompts{"The old king", "Once upon a time", "A wolf"};
  for (const float temperature : {0.0f, 0.7f, 1.5f}) {
    INFO("temperature " << temperature);
    const SamplingParams how = sampled(temperature, 7);
    const auto together = tales.generate_all(prompts, how, 12);
    const auto turned = tales.generate_all({prompts[2], prompts[1], prompts[0]}, how, 12);
    for (size_t i = 0; i < prompts.size(); ++i) {
      CHECK(tales.generate(prompts[i], how, 12) == together[i]);
      CHECK(turned[prompts.size() - 1 - i] == together[i]);
    }
  }
}

TEST_CASE("a seed's noise follows the position: two prompts of equal length do not share their text",
          "[stage1][sampling]") {
  Tales tales;
  const auto outputs = tales.generate_all({"The king", "The wolf"}, sampled(0.7f, 7), 16);
  CHECK(outputs[0] != outputs[1]);
}

TEST_CASE("logits that hold a NaN are a failure that names request and step", "[stage1][bad input]") {
  Tales tales;
  tales.device().kernels().sample = [](const float*, const SamplingRow*, TokenId* out, int rows, int, Stream) {
    std::fill(out, out + rows, kNoToken);
  };
  try {
    tales.generate("The king", {}, 4);
    FAIL("it went on");
  } catch (const Failure& error) {
    CHECK(std::string(error.what()).find("request 0, step 0") != std::string::npos);
    CHECK_FALSE(error.hint().empty());
  }
}
