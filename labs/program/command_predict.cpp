/// @file
/// lab predict: a number for each question, before anything is measured.
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>

#include "kernels/check.h"
#include "labs/program/commands.h"
#include "labs/program/predictions.h"

namespace stagecraft::labs {
namespace {

double parse_answer(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') throw BadInput(fmt::format("'{}' is no number", text), "write it like 42 or 2.5");
  return value;
}

void print_question(const Session& session, const QuestionInfo& question, const Predictions& predictions) {
  fmt::print("\n{}  {}\n  answer: {}\n", session.console.bold(question.id), question.text, question.deliverable);
  const auto known = predictions.find(question.id);
  if (known != predictions.end()) {
    fmt::print("  you said {:g}{}\n", known->second.value, known->second.judged ? ", and it was measured" : "");
  }
}

/// Asks one question. Returns false at the end of input.
bool ask(const Session& session, const QuestionInfo& question, Predictions& predictions) {
  print_question(session, question, predictions);
  const auto known = predictions.find(question.id);
  if (known != predictions.end() && known->second.judged) return true;
  fmt::print("  your number (empty: later): ");
  std::fflush(stdout);
  std::string line;
  if (!std::getline(std::cin, line)) return false;
  if (!line.empty()) predict(predictions, question, parse_answer(line));
  return true;
}

}  // namespace

int predict(const Session& session, const std::string& id, const std::string& answer) {
  const LabInfo& lab = session.lab(id);
  if (!session.is_started(lab)) throw BadInput(lab.id + " was not started", "labs/lab start " + lab.id);
  const std::string full = session.full_id(lab, id);
  const Path state = session.places.state_of(lab.id);
  Predictions predictions = load_predictions(state);
  for (const QuestionInfo& question : lab.questions) {
    if (!is_part_of(question.id, full)) continue;
    if (!answer.empty()) {
      predict(predictions, question, parse_answer(answer));
    } else if (!ask(session, question, predictions)) {
      break;
    }
    save_predictions(state, predictions);
  }
  fmt::print("\nstored; labs/lab grade {} measures, and says what the numbers teach\n", lab.id);
  return 0;
}

}  // namespace stagecraft::labs
