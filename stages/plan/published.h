#pragma once
/// @file
/// Figures that other engines have published, beside what plan says for the same model, card and lengths. Three of them
/// set the default constants (Efficiency); all others are predictions that could fail, and some do.
#include <cstdint>
#include <string>
#include <vector>

#include "stages/plan/precision.h"

namespace stagecraft {

struct PublishedFigure {
  enum class Kind {
    decoding,    // tokens a second of one request, its prompt not counted
    serving,     // output tokens a second and card of a batch, its prompts counted
    first_token  // milliseconds
  };

  const char* engine;
  const char* model;  // as in the tables
  const char* gpu;
  int64_t gpus;
  Precision weights;
  int64_t requests, prompt_tokens, output_tokens;
  Kind kind;
  double published;
  const char* sets = "";  // which of our constants comes from this row
};

/// Where the figures of an engine were read.
struct PublishedSource {
  const char* engine;
  const char* page;
};

const std::vector<PublishedFigure>& published_figures();
const std::vector<PublishedSource>& published_sources();

/// What the defaults predict for `figure`, in its own unit.
double predicted_for(const PublishedFigure& figure);

/// All of them with the ratio predicted / published, for --published.
std::string published_text();

}  // namespace stagecraft
