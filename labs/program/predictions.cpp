#include "labs/program/predictions.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "labs/program/results.h"

namespace stagecraft::labs {

using Json = nlohmann::json;

Predictions load_predictions(const Path& state) {
  Predictions predictions;
  const Path file = state / "predictions.json";
  if (!std::filesystem::exists(file)) return predictions;
  try {
    const Json json = Json::parse(read_file(file));
    for (const auto& [id, answer] : json.items()) {
      predictions[id] = {answer.at("value"), answer.at("at"), answer.at("judged")};
    }
  } catch (const Json::exception&) {
    return {};
  }
  return predictions;
}

void save_predictions(const Path& state, const Predictions& predictions) {
  Json json = Json::object();
  for (const auto& [id, answer] : predictions) {
    json[id] = {{"value", answer.value}, {"at", answer.at}, {"judged", answer.judged}};
  }
  write_file(state / "predictions.json", json.dump(1) + "\n");
}

bool is_right(const QuestionInfo& question, double value, double measured) {
  constexpr double kDecimals = 1e-6;  // of an answer that was typed
  if (question.factor <= 1) return std::abs(value - measured) <= kDecimals * std::abs(measured);
  if (value <= 0 || measured <= 0) return value == measured;
  return value <= measured * question.factor && value >= measured / question.factor;
}

void predict(Predictions& predictions, const QuestionInfo& question, double value) {
  Prediction& prediction = predictions[question.id];
  if (prediction.judged) {
    throw BadInput(fmt::format("{} was measured already: your answer stays {:g}", question.id, prediction.value),
                   "labs/lab reset begins the lab again");
  }
  prediction = {value, time_stamp(), false};
}

}  // namespace stagecraft::labs
