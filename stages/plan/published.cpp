/// @file
/// Figures, sources, ratios. Pages were read in stored copies, in November 2026.
#include "stages/plan/published.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/plan/deployment.h"
#include "stages/plan/model_table.h"
#include "stages/plan/operating_point.h"

namespace stagecraft {
namespace {

using Kind = PublishedFigure::Kind;

constexpr double kNsPerSecond = 1e9;
constexpr Precision kBf16 = Precision::bf16, kFp8 = Precision::fp8, kInt8 = Precision::int8, kInt4 = Precision::int4;
constexpr const char *kGptFast = "gpt-fast", *kTensorRt = "TensorRT-LLM", *kCalm = "calm";
constexpr const char *kA100 = "a100-80gb", *k4090 = "rtx-4090";

Deployment deployment_for(const PublishedFigure& figure) {
  const PublicModel* model = find_model(figure.model);
  check(model != nullptr, "published figures are of models in the table");
  Deployment deployment{model->shape, gpu_named(figure.gpu), figure.gpus, figure.weights};
  deployment.step_tokens = std::max(deployment.step_tokens, figure.prompt_tokens);
  return deployment;
}

std::string what(const PublishedFigure& figure) {
  const std::string cards = figure.gpus == 1 ? figure.gpu : fmt::format("{} x {}", figure.gpus, figure.gpu);
  const std::string of = fmt::format("{} {} on {}", figure.model, name_of(figure.weights), cards);
  switch (figure.kind) {
    case Kind::decoding:
      return fmt::format("{}, after {}", of, figure.prompt_tokens);
    case Kind::serving:
      return fmt::format("{}, {} x ({} + {})", of, figure.requests, figure.prompt_tokens, figure.output_tokens);
    case Kind::first_token:
      return fmt::format("{}, first after {}", of, figure.prompt_tokens);
  }
  return of;
}

const char* unit_of(Kind kind) {
  return kind == Kind::first_token ? "ms" : kind == Kind::serving ? "tok/s/card" : "tok/s";
}

}  // namespace

const std::vector<PublishedSource>& published_sources() {
  static const std::vector<PublishedSource> sources = {
      {kGptFast, "github.com/pytorch-labs/gpt-fast, README.md and mixtral-moe/README.md; A100 limited to 330 W"},
      {kTensorRt, "github.com/NVIDIA/TensorRT-LLM, docs/source/performance.md, v0.6.1, A100 FP16"},
      {kCalm, "github.com/zeux/calm, README.md"},
  };
  return sources;
}

const std::vector<PublishedFigure>& published_figures() {
  static const std::vector<PublishedFigure> figures = {
      {kGptFast, "llama-2-7b", kA100, 1, kBf16, 1, 5, 200, Kind::decoding, 104.9, "bandwidth efficiency"},
      {kGptFast, "llama-2-7b", kA100, 1, kInt8, 1, 5, 200, Kind::decoding, 155.58},
      {kGptFast, "llama-2-7b", kA100, 1, kInt4, 1, 5, 200, Kind::decoding, 196.8},
      {kGptFast, "llama-2-70b", kA100, 1, kInt8, 1, 5, 200, Kind::decoding, 19.13},
      {kGptFast, "llama-2-70b", kA100, 1, kInt4, 1, 5, 200, Kind::decoding, 25.25},
      {kGptFast, "llama-2-7b", kA100, 2, kBf16, 1, 5, 200, Kind::decoding, 168.84, "all-reduce"},
      {kGptFast, "llama-2-7b", kA100, 4, kBf16, 1, 5, 200, Kind::decoding, 254.02},
      {kGptFast, "llama-2-7b", kA100, 8, kBf16, 1, 5, 200, Kind::decoding, 328.43},
      {kGptFast, "llama-2-70b", kA100, 2, kBf16, 1, 5, 200, Kind::decoding, 21.32},
      {kGptFast, "llama-2-70b", kA100, 4, kBf16, 1, 5, 200, Kind::decoding, 38.01},
      {kGptFast, "llama-2-70b", kA100, 8, kBf16, 1, 5, 200, Kind::decoding, 62.5},
      {kGptFast, "mixtral-8x7b", kA100, 1, kInt8, 1, 5, 200, Kind::decoding, 56.04},
      {kGptFast, "mixtral-8x7b", kA100, 2, kBf16, 1, 5, 200, Kind::decoding, 78.75},
      {kGptFast, "mixtral-8x7b", kA100, 8, kBf16, 1, 5, 200, Kind::decoding, 203.69},
      {kCalm, "llama-2-7b", k4090, 1, kBf16, 1, 0, 32, Kind::decoding, 67},
      {kCalm, "llama-2-7b", k4090, 1, kBf16, 1, 4000, 32, Kind::decoding, 58},
      {kCalm, "llama-2-7b", k4090, 1, kFp8, 1, 0, 32, Kind::decoding, 128},
      {kCalm, "llama-2-7b", k4090, 1, kFp8, 1, 4000, 32, Kind::decoding, 99},
      {kCalm, "mistral-7b", k4090, 1, kBf16, 1, 0, 32, Kind::decoding, 63},
      {kCalm, "mistral-7b", k4090, 1, kBf16, 1, 4000, 32, Kind::decoding, 61},
      {kTensorRt, "llama-2-7b", kA100, 1, kBf16, 1, 2048, 1, Kind::first_token, 133, "FLOP efficiency"},
      {kTensorRt, "llama-2-7b", kA100, 1, kBf16, 1, 128, 1, Kind::first_token, 16},
      {kTensorRt, "llama-2-70b", kA100, 4, kBf16, 1, 128, 1, Kind::first_token, 47},
      {kTensorRt, "llama-2-70b", kA100, 4, kBf16, 1, 2048, 1, Kind::first_token, 377},
      {kTensorRt, "llama-2-7b", kA100, 1, kBf16, 384, 128, 128, Kind::serving, 5586},
      {kTensorRt, "llama-2-7b", kA100, 1, kBf16, 60, 128, 2048, Kind::serving, 1928},
      {kTensorRt, "llama-2-7b", kA100, 1, kBf16, 52, 2048, 128, Kind::serving, 591},
      {kTensorRt, "llama-2-70b", kA100, 4, kBf16, 240, 128, 2048, Kind::serving, 525},
      {kTensorRt, "llama-2-70b", kA100, 4, kBf16, 120, 2048, 128, Kind::serving, 79},
  };
  return figures;
}

double predicted_for(const PublishedFigure& figure) {
  const Deployment deployment = deployment_for(figure);
  Demand demand;
  demand.prompt_tokens = std::max<int64_t>(1, figure.prompt_tokens);
  demand.output_tokens = figure.output_tokens;
  const CostModel cost = cost_model_of(deployment, demand.typical_tokens());
  switch (figure.kind) {
    case Kind::decoding:
      return kNsPerSecond / double(cost.step_ns({{0, 1, 0, demand.typical_tokens()}}));
    case Kind::serving:
      return operating_point(cost, demand, deployment.step_tokens, figure.requests).tokens_per_s / double(figure.gpus);
    case Kind::first_token:
      return lone_ttft_ms(cost, demand, deployment.step_tokens);
  }
  check(false, "all kinds have a case");
  return 0;
}

std::string published_text() {
  std::string text =
      fmt::format("{:<12} {:<58} {:>10} {:>10} {:>11} {:>6}\n", "engine", "", "published", "predicted", "", "ratio");
  std::vector<double> errors;
  for (const PublishedFigure& figure : published_figures()) {
    const double predicted = predicted_for(figure), ratio = predicted / figure.published;
    const bool fitted = figure.sets[0] != '\0';
    if (!fitted) errors.push_back(std::abs(ratio - 1));
    text += fmt::format("{:<12} {:<58} {:>10.4g} {:>10.4g} {:<11} {:>6.2f}  {}\n", figure.engine, what(figure),
                        figure.published, predicted, unit_of(figure.kind), ratio,
                        fitted ? std::string("sets our ") + figure.sets : "");
  }
  std::sort(errors.begin(), errors.end());
  text += fmt::format("\nof the {} rows that set nothing, half are within {:.0f}%, all within {:.0f}%\n", errors.size(),
                      100 * errors[errors.size() / 2], 100 * errors.back());
  for (const PublishedSource& source : published_sources()) text += fmt::format("{}: {}\n", source.engine, source.page);
  return text;
}

}  // namespace stagecraft
