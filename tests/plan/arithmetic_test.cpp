/// @file
/// Bytes, steps, batches and queues, with numbers that can be checked by hand.
#include <cmath>

#include "kernels/check.h"
#include "stages/plan/capacity.h"
#include "stages/plan/evaluation.h"
#include "stages/plan/model_table.h"
#include "tests/catch.h"

namespace stagecraft {
namespace {

/// 2 layers, hidden 64, 4 heads of 16 (2 for K/V), MLP 128, 100 words: 12,288 attention and 24,576 MLP parameters a layer.
ModelShape tiny_shape() {
  return {.name = "tiny",
          .hidden = 64,
          .intermediate = 128,
          .layers = 2,
          .heads = 4,
          .kv_heads = 2,
          .head_dim = 16,
          .vocabulary = 100,
          .context = 4096};
}

constexpr int64_t kLayerParameters = 2 * 64 * (64 + 32) + 3 * 64 * 128;
constexpr int64_t kNorms = 5 * 64, kHead = 100 * 64;

Deployment tiny(int64_t gpus = 1) {
  Deployment deployment{tiny_shape(), {"card", 0.01, 10, 1, "test"}, gpus};
  deployment.efficiency = {.bandwidth = 1, .flop = 1, .overhead_us = 3, .all_reduce_us = 5};
  deployment.step_tokens = 100;
  return deployment;
}

Demand lengths(int64_t prompt, int64_t output) {
  Demand demand;
  demand.prompt_tokens = prompt;
  demand.output_tokens = output;
  demand.longest = prompt + output;
  return demand;
}

Service real_service() {
  Service service{{find_model("llama-3.1-8b")->shape, gpu_named("h100-sxm")}, lengths(1000, 200), {}, {}};
  service.demand.slo = {2000, 50};
  return service;
}

TEST_CASE("bits include scales", "[plan][precision]") {
  CHECK(weight_bits(Precision::int4) == 4.125);
  CHECK(weight_bits(Precision::int8) == 8);
  CHECK(kv_bits(Precision::int8, 64) == 8.25);
  CHECK(kv_bits(Precision::fp8, 64) == 8);
  CHECK(kv_bits(Precision::bf16, 64) == 16);
  CHECK(precision_from("--kv", "int4") == Precision::int4);
  CHECK_THROWS_AS(precision_from("--kv", "fp4"), BadInput);
}

TEST_CASE("an untied embedding is stored but not read, and only the layers are quantised", "[plan][deployment]") {
  Deployment deployment = tiny();
  CHECK(step_weight_bytes(deployment) == 2 * (2 * kLayerParameters + kHead + kNorms));
  CHECK(stored_weight_bytes(deployment) == step_weight_bytes(deployment) + 2 * kHead);
  deployment.weights = Precision::int8;
  CHECK(step_weight_bytes(deployment) == 2 * kLayerParameters + 2 * (kHead + kNorms));
  deployment.shape.tied_head = true;
  CHECK(stored_weight_bytes(deployment) == step_weight_bytes(deployment));
}

TEST_CASE("cards beyond the heads of keys and values hold copies", "[plan][deployment]") {
  const int64_t one = 2 * 2 * 2 * 16 * 2;  // layers, keys and values, heads, width, bytes
  CHECK(kv_bytes(tiny(1), 10) == 10 * one);
  CHECK(kv_bytes(tiny(2), 10) == 10 * one);
  CHECK(kv_bytes(tiny(4), 10) == 2 * 10 * one);
  Deployment quantised = tiny();
  quantised.kv = Precision::int8;
  CHECK(kv_bytes(quantised, 10) == 10 * (one / 2) * 9 / 8);  // a 16-bit scale for 16 values: 9 bits each
}

TEST_CASE("the constants of a step follow from shape and card", "[plan][deployment]") {
  const CostModel cost = cost_model_of(tiny(), 10);
  CHECK(cost.overhead_ns == 3000);
  CHECK(cost.bytes_per_ns == 10);
  CHECK(cost.flop_per_ns == 1000);
  CHECK(cost.flop_per_token == 2 * (2 * kLayerParameters + kNorms));
  CHECK(cost.flop_per_request == 2 * kHead);
  CHECK(cost.kv_bytes_per_token == 256);
  CHECK(cost.attention_ps == 512);  // 2 layers x 4 heads x 16 wide x 4 FLOP, at 1000 a nanosecond
  // One row, 10 keys: (162,240 + 2,560) / 10 nanoseconds of memory.
  CHECK(cost.weight_bytes == 2 * (2 * kLayerParameters + kHead + kNorms));
  CHECK(cost.step_ns({{0, 1, 0, 10}}) == 3000 + (cost.weight_bytes + 2560 + 9) / 10);
  const CostModel two = cost_model_of(tiny(2), 10);
  CHECK(two.overhead_ns == 3000 + 2 * 2 * 5000);
  CHECK(two.bytes_per_ns == 20);
}

TEST_CASE("memory is divided without a rest", "[plan][memory]") {
  const Deployment deployment = tiny();
  const MemoryPlan plan = plan_memory(deployment, 3);
  CHECK(plan.total == 10'000'000);
  CHECK(plan.left_out == 1'000'000);
  CHECK(plan.weights == stored_weight_bytes(deployment));
  CHECK(plan.activations == 100 * (3 * 64 + 2 * (64 + 32) + 2 * 128) * 2 + 3 * 100 * 4);
  CHECK(plan.kv_room == plan.total - plan.left_out - plan.weights - plan.activations);
}

TEST_CASE("as many requests fit as their blocks do, and not one more", "[plan][memory]") {
  const Deployment deployment = tiny();
  const int64_t fit = most_concurrent(deployment, 33);  // three blocks of 16
  CHECK(fit * kv_bytes(deployment, 48) <= plan_memory(deployment, fit).kv_room);
  CHECK((fit + 1) * kv_bytes(deployment, 48) > plan_memory(deployment, fit + 1).kv_room);
  Deployment small = deployment;
  small.gpu.memory_gb = 0.0001;
  CHECK_FALSE(plan_memory(small, 1).fits());
  CHECK(most_concurrent(small, 33) == 0);
}

TEST_CASE("a steady batch: mixed steps and plain ones, by hand", "[plan][point]") {
  // Every step takes 1 ms, whatever is in it, and gives 4 tokens.
  const CostModel constant = CostModel::constant_step(1'000'000);
  const OperatingPoint point = operating_point(constant, lengths(48, 10), 100, 4);
  CHECK(point.requests == 4);
  CHECK(point.tpot_ms == Approx(1));
  CHECK(point.tokens_per_s == Approx(4000));
  CHECK(point.requests_per_s == Approx(400));
  // With prompts of 240 tokens a step of 100 has room for 100 / (1 + 24) = 4 that decode: 8 requests do not help.
  CHECK(operating_point(constant, lengths(240, 10), 100, 8).requests == 4);
  CHECK(operating_point(constant, lengths(240, 10), 100, 3).requests == 3);
}

TEST_CASE("a chunk beside decoding hides behind the reading of weights", "[plan][point]") {
  // A step reads for 10 us; a row takes 1 us. 2 requests of 30 + 10 tokens: 2 of 10 steps carry 30 rows and take 32 us.
  const CostModel cost = {.weight_bytes = 10'000, .bytes_per_ns = 1, .flop_per_token = 1000, .flop_per_ns = 1};
  CHECK(operating_point(cost, lengths(30, 10), 1000, 2).tpot_ms == Approx((2 * 32 + 8 * 10) * 1e-3 / 10));
  // 5 + 10 tokens: a prompt of 5 rows beside 2 that decode is free.
  CHECK(operating_point(cost, lengths(5, 10), 1000, 2).tpot_ms == Approx(0.01));
  // Room for 8 rows: 6 of them prompt, so 60 rows of prompts take all 10 steps.
  CHECK(operating_point(cost, lengths(30, 10), 8, 2).tpot_ms == Approx(0.01));
}

TEST_CASE("arithmetic of prompts shows in the TPOT of others", "[plan][point]") {
  // 1 us a row, nothing else: 10 steps with 2 rows each, and 2 prompts of 90 rows on top.
  const CostModel rows = {.flop_per_token = 1000, .flop_per_ns = 1};
  const OperatingPoint point = operating_point(rows, lengths(90, 10), 1000, 2);
  CHECK(point.tpot_ms == Approx((10 * 2 + 180) * 1e-3 / 10));
  // A cached half is not computed.
  Demand cached = lengths(90, 10);
  cached.prefix_share = 0.5;
  CHECK(operating_point(rows, cached, 1000, 2).tpot_ms == Approx((10 * 2 + 90) * 1e-3 / 10));
  CHECK(lone_ttft_ms(rows, lengths(90, 10), 40) == Approx(0.09));
  CHECK(lone_ttft_ms(rows, cached, 40) == Approx(0.045));
}

TEST_CASE("speculation yields the known number of tokens, and pays by rows", "[plan][point]") {
  CHECK(Speculation{4, 0.8, 0}.tokens_per_step() == Approx(3.362).epsilon(0.001));
  CHECK(Speculation{7, 0.9, 0}.tokens_per_step() == Approx(5.695).epsilon(0.001));
  CHECK(Speculation{3, 1, 0}.tokens_per_step() == 4);
  CHECK(Speculation{3, 0, 0}.tokens_per_step() == 1);
  const CostModel memory_bound = {.weight_bytes = 1'000'000, .bytes_per_ns = 1};
  const CostModel compute_bound = {.flop_per_token = 1'000'000, .flop_per_ns = 1};
  const Demand demand = lengths(1, 1000);
  const Speculation guesses{4, 0.8, 0.05};
  const auto gain = [&](const CostModel& cost) {
    return operating_point(cost, demand, 4096, 1).tpot_ms / operating_point(cost, demand, 4096, 1, guesses).tpot_ms;
  };
  CHECK(gain(memory_bound) == Approx(3.362 / 1.2).epsilon(0.01));
  CHECK(gain(compute_bound) == Approx(3.362 / 5.2).epsilon(0.01));
}

TEST_CASE("the best point is the last one within the target", "[plan][point]") {
  const CostModel rows = {.flop_per_token = 1'000'000, .flop_per_ns = 1};  // 1 ms a row
  Demand demand = lengths(1, 1'000'000);
  demand.slo.tpot_ms = 7.5;
  CHECK(best_point(rows, demand, 4096, 100)->requests == 7);
  CHECK(best_point(rows, demand, 4096, 5)->requests == 5);
  demand.slo.tpot_ms = 0.5;
  CHECK_FALSE(best_point(rows, demand, 4096, 100));
}

TEST_CASE("more requests at a time: longer TPOT, more tokens", "[plan][point]") {
  const Service service = real_service();
  const CostModel cost = cost_model_of(service.deployment, service.demand.typical_tokens());
  OperatingPoint before = operating_point(cost, service.demand, 2048, 1);
  for (int64_t requests = 2; requests <= 128; requests *= 2) {
    const OperatingPoint point = operating_point(cost, service.demand, 2048, requests);
    CHECK(point.tpot_ms > before.tpot_ms);
    CHECK(point.tokens_per_s > before.tokens_per_s);
    before = point;
  }
}

TEST_CASE("capacity lies near the steady state, keeps its promise, and is the same every time", "[plan][capacity]") {
  const Service service = real_service();
  const Evaluation evaluation = evaluate(service);
  REQUIRE(evaluation.best);
  const auto load =
      capacity(service.deployment, service.demand, evaluation.best->requests, evaluation.best->requests_per_s);
  REQUIRE(load);
  CHECK(load->attainment >= kAttainment);
  CHECK(load->requests_per_s <= evaluation.best->requests_per_s);
  CHECK(load->requests_per_s > 0.5 * evaluation.best->requests_per_s);
  const ServedLoad again = serve(service.deployment, service.demand, evaluation.best->requests, load->requests_per_s);
  CHECK(again.latency.ttft->p90 == load->latency.ttft->p90);
  const ServedLoad overload =
      serve(service.deployment, service.demand, evaluation.best->requests, 3 * evaluation.best->requests_per_s);
  CHECK(overload.attainment < kAttainment);
}

TEST_CASE("a request beyond the context is refused, a model beyond the memory is said not to fit",
          "[plan][evaluation]") {
  Service service = real_service();
  service.demand = lengths(131072, 1);
  CHECK_THROWS_AS(evaluate(service), BadInput);
  service = real_service();
  service.deployment.gpu = gpu_named("t4");
  CHECK_FALSE(evaluate(service).memory.fits());
  CHECK_FALSE(evaluate(service).best);
}

TEST_CASE("a price per million tokens", "[plan][cost]") {
  // 2 cards at 3 an hour make 1000 tokens a second, half of the time: 6 / 1.8 million tokens.
  CHECK(price_per_million(3, 2, 1000, 0.5) == Approx(6 / 1.8));
}

TEST_CASE("a trace gives means, the longest and the busiest minute", "[plan][demand]") {
  Workload trace{"t", {}};
  for (int minute = 0; minute < 4; ++minute) {
    for (int i = 0; i < (minute == 1 ? 7 : 1); ++i) {
      trace.requests.push_back(
          {.arrival_ns = minute * int64_t(60e9) + i, .prompt_tokens = 100 + i, .output_tokens = 10});
    }
  }
  const Demand demand = demand_of(trace, {});
  CHECK(demand.prompt_tokens == 102);
  CHECK(demand.longest == 116);
  CHECK(*demand.requests_per_s == Approx(10 / 180.0));
  CHECK(demand.peak_to_mean == Approx(7 / (10 / 3.0)));
  CHECK_THROWS_AS(demand_of({"empty", {}}, {}), BadInput);
}

}  // namespace
}  // namespace stagecraft
