#pragma once
/// @file
/// Predict, then measure: a learner's answers, stored with their time before anything is measured. An answer that was
/// judged stays as it is.
#include <map>
#include <optional>
#include <string>

#include "labs/program/manifest.h"

namespace stagecraft::labs {

struct Prediction {
  double value = 0;
  std::string at;       // UTC
  bool judged = false;  // the measured value was shown
};

using Predictions = std::map<std::string, Prediction>;  // by question id

Predictions load_predictions(const Path& state);
void save_predictions(const Path& state, const Predictions& predictions);

/// Whether `value` is `measured`, or as near as the question asks for.
bool is_right(const QuestionInfo& question, double value, double measured);

/// Stores an answer. Throws BadInput if it was judged already.
void predict(Predictions& predictions, const QuestionInfo& question, double value);

}  // namespace stagecraft::labs
