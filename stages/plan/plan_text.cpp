/// @file
/// Sections of a plan.
#include "stages/plan/plan_text.h"

#include <fmt/format.h>

#include "stages/plan/gpu_table.h"
#include "stages/plan/model_table.h"

namespace stagecraft {
namespace {

constexpr double kGiga = 1e9, kKibi = 1024, kPercent = 100;
constexpr int64_t kBf16Bytes = 2;

std::string line(const std::string& name, const std::string& value) {
  return fmt::format("  {:<26} {}\n", name, value);
}

std::string model_section(const PlanQuestion& question) {
  const ModelShape& shape = question.service->deployment.shape;
  std::string text = fmt::format("model {}\n", shape.name);
  text += line("parameters",
               fmt::format("{:.4g} billion, of which a token meets {:.4g}",
                           double(count_parameters(shape).total()) / kGiga, double(active_parameters(shape)) / kGiga));
  text += line("shape", fmt::format("{} layers, {} heads, {} for K/V, head_dim {}, vocabulary {}", shape.layers,
                                    shape.heads, shape.kv_heads, shape.head_dim, shape.vocabulary));
  return text + line("source", question.model_source);
}

std::string gpu_section(const Deployment& deployment) {
  const Gpu& gpu = deployment.gpu;
  std::string text = fmt::format("{} x {} a replica\n", deployment.gpus, gpu.name);
  text += line("each", fmt::format("{:g} GB, {:g} GB/s, {:g} dense bf16 TFLOP/s", gpu.memory_gb, gpu.bandwidth_gbs,
                                   gpu.dense_tflops));
  text += line("source", gpu.source);
  return gpu.unchecked.empty() ? text : text + line("not checked", gpu.unchecked);
}

std::string memory_section(const ServicePlan& plan, const Service& service) {
  const MemoryPlan& memory = plan.evaluation.memory;
  const Demand& demand = service.demand;
  const auto row = [&](const char* name, int64_t bytes) {
    return line(name, fmt::format("{:>10}  {:4.1f}%", gigabytes(double(bytes)),
                                  kPercent * double(bytes) / double(memory.total)));
  };
  std::string text = fmt::format("memory of a replica, {}\n", gigabytes(double(memory.total)));
  text += row("weights", memory.weights) + row("activations", memory.activations) + row("left out", memory.left_out);
  text += row("room for K/V", memory.kv_room);
  if (!memory.fits()) return text + "  the model does not fit: fewer bits, or more cards a replica\n";
  const int64_t tokens = demand.prompt_tokens + demand.output_tokens;
  text += line("K/V of a request",
               fmt::format("{} for {} tokens", gigabytes(double(kv_bytes(service.deployment, tokens))), tokens));
  return text +
         line("requests that fit", fmt::format("{} of {} tokens, {} of the longest, {}", plan.evaluation.concurrent,
                                               tokens, plan.evaluation.concurrent_longest, demand.longest));
}

std::string latency_section(const ServicePlan& plan, const Demand& demand) {
  const Evaluation& evaluation = plan.evaluation;
  std::string text =
      fmt::format("latency, prompts of {} and outputs of {} tokens\n", demand.prompt_tokens, demand.output_tokens);
  text += line("a request alone",
               fmt::format("TTFT {:.1f} ms, TPOT {:.2f} ms", evaluation.ttft_ms, evaluation.tpot_alone_ms));
  if (!evaluation.best) {
    return text + fmt::format("  no batch reaches a TPOT of {:g} ms: more cards, fewer bits, or another target\n",
                              demand.slo.tpot_ms);
  }
  text += line("full",
               fmt::format("{} at a time: TPOT {:.1f} ms, {:.0f} tok/s, {:.2f} requests/s", evaluation.best->requests,
                           evaluation.best->tpot_ms, evaluation.best->tokens_per_s, evaluation.best->requests_per_s));
  if (!plan.capacity) {
    return text + fmt::format("  no load has {:.0f}% of requests within {:g} and {:g} ms\n", kPercent * kAttainment,
                              demand.slo.ttft_ms, demand.slo.tpot_ms);
  }
  const ServedLoad& load = *plan.capacity;
  text +=
      line("within the targets", fmt::format("{:.2f} requests/s, {:.0f} tok/s; {:.0f}% within TTFT {:g}, TPOT {:g} ms",
                                             load.requests_per_s, load.requests_per_s * double(demand.output_tokens),
                                             kPercent * load.attainment, demand.slo.ttft_ms, demand.slo.tpot_ms));
  if (load.latency.ttft && load.latency.tpot) {
    text +=
        line("", fmt::format("TTFT p50 {:.0f}, p90 {:.0f} ms; TPOT p50 {:.1f}, p90 {:.1f} ms", load.latency.ttft->p50,
                             load.latency.ttft->p90, load.latency.tpot->p50, load.latency.tpot->p90));
  }
  return text;
}

std::string cost_section(const PlanReport& report) {
  const ServicePlan& plan = *report.plan;
  const Demand& demand = report.question.service->demand;
  std::string text = "cost\n";
  if (plan.sizing) {
    text += line("at the peak", fmt::format("{:.2f} requests/s: {} replicas, {} cards, {:.0f}% used",
                                            *demand.requests_per_s * demand.peak_to_mean, plan.sizing->replicas,
                                            plan.sizing->gpus, kPercent * plan.sizing->peak_utilisation));
    text += line("over the day", fmt::format("{:.2f} requests/s: {:.0f}% used", *demand.requests_per_s,
                                             kPercent * plan.sizing->mean_utilisation));
  }
  if (const auto price = output_price(report)) {
    text += line("a million output tokens",
                 fmt::format("{:.4g} at {:g} a card and hour, {}", *price, *report.question.price_per_gpu_hour,
                             plan.sizing ? "at that use" : "if always at capacity"));
  } else {
    text += line("", report.question.price_per_gpu_hour ? "no capacity, no price" : "give --price-per-hour for prices");
  }
  return text;
}

std::string lever_section(const PlanReport& report) {
  std::string text =
      "levers, one at a time: what a request costs at full load, and how long it takes alone (less is better)\n";
  text += fmt::format("  {:<20} {:<34} {:>8} {:>9} {:>9} {:>9}  {}\n", "", "", "cost", "TTFT", "TPOT", "at a time", "");
  for (const LeverResult& lever : report.plan->levers) {
    const LeverNumbers numbers = numbers_of(lever, *report.plan, *report.question.service);
    text +=
        fmt::format("  {:<20} {:<34} {:>8} {:>9} {:>9} {:>9}  {}\n", lever.lever.name, lever.lever.change,
                    change_text(numbers.gpu_seconds.before, numbers.gpu_seconds.after),
                    change_text(numbers.ttft_ms.before, numbers.ttft_ms.after),
                    change_text(numbers.tpot_ms.before, numbers.tpot_ms.after),
                    numbers.requests.after ? fmt::format("{:.0f}", *numbers.requests.after) : "-", lever.lever.price);
  }
  return text;
}

std::string lines_section(const char* title, const std::vector<std::pair<std::string, std::string>>& lines) {
  if (lines.empty()) return "";
  std::string text = std::string("\n") + title + "\n";
  for (const auto& [name, value] : lines) text += line(name, value);
  return text;
}

}  // namespace

std::string gigabytes(double bytes) {
  constexpr double kMega = 1e6;
  return bytes < kGiga ? fmt::format("{:.3g} MB", bytes / kMega) : fmt::format("{:.4g} GB", bytes / kGiga);
}

std::string change_text(const std::optional<double>& before, const std::optional<double>& after) {
  if (!after) return before ? "cannot" : "-";
  if (!before) return "now can";
  const double change = kPercent * (*after - *before) / *before;
  if (change > -0.5 && change < 0.5) return "same";
  return fmt::format("{:+.0f}%", change);
}

std::string plan_text(const PlanReport& report) {
  std::string text;
  if (report.plan) {
    const Service& service = *report.question.service;
    text += model_section(report.question) + "\n" + gpu_section(service.deployment) + "\n";
    text += memory_section(*report.plan, service) + "\n" + latency_section(*report.plan, service.demand) + "\n";
    text += cost_section(report) + "\n" + lever_section(report);
    text += "\nassumed\n";
    for (const std::string& assumption : assumptions_of(service)) text += "  " + assumption + "\n";
  }
  return text + lines_section("the same from an API", api_lines(report)) +
         lines_section("an agent", chain_lines(report));
}

std::string tables_text() {
  std::string text = fmt::format("{:<16} {:>9} {:>7} {:>6} {:>5} {:>7} {:>8} {:>11}\n", "model", "billion", "active",
                                 "layers", "heads", "K/V", "head_dim", "K/V a token");
  for (const PublicModel& model : all_models()) {
    const ModelShape& shape = model.shape;
    text += fmt::format("{:<16} {:>9.4g} {:>7.3g} {:>6} {:>5} {:>7} {:>8} {:>8} KiB\n", shape.name,
                        double(count_parameters(shape).total()) / kGiga, double(active_parameters(shape)) / kGiga,
                        shape.layers, shape.heads, shape.kv_heads, shape.head_dim,
                        double(kv_values(shape, 1) * kBf16Bytes) / kKibi);
    text += fmt::format("  {}{}\n", model.source, model.unchecked.empty() ? "" : "; not checked: " + model.unchecked);
  }
  text += fmt::format("\n{:<16} {:>9} {:>7} {:>15}\n", "card", "GB", "GB/s", "dense TFLOP/s");
  for (const Gpu& gpu : all_gpus()) {
    text += fmt::format("{:<16} {:>9} {:>7} {:>15}\n  {}{}\n", gpu.name, gpu.memory_gb, gpu.bandwidth_gbs,
                        gpu.dense_tflops, gpu.source, gpu.unchecked.empty() ? "" : "; not checked: " + gpu.unchecked);
  }
  return text;
}

}  // namespace stagecraft
