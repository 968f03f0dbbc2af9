#pragma once
/// @file
/// The command line of plan.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "kernels/number_types.h"
#include "stages/plan/plan_report.h"

namespace CLI {
class App;
}

namespace stagecraft {

/// --check: our own engine on this machine.
struct CheckSettings {
  std::filesystem::path model;
  int threads = 1;
  int rounds = 3;
  double seconds = 8;           // a point that is predicted to take longer is left out
  bool processor_time = false;  // instead of the clock on the wall
};

/// What plan is to do: one of the four.
struct PlanSettings {
  bool list = false, published = false;
  std::optional<CheckSettings> check = {};
  PlanQuestion question = {};
  std::filesystem::path json, report;  // empty: not asked for

  bool json_to_standard_output() const { return json == "-"; }
};

class PlanOptions {
 public:
  PlanOptions();
  ~PlanOptions();

  /// Returns empty after it has printed the help that was asked for. Throws BadInput for what is wrong.
  std::optional<PlanSettings> parse(int argc, const char* const* argv);

 private:
  struct Texts;  // the values as they were written

  bool given(const char* name) const;
  void add_options();
  void refuse_unusable() const;
  PlanQuestion question() const;
  Deployment deployment(std::string& source) const;
  Gpu gpu() const;
  Demand demand() const;
  Speculation speculation() const;
  ApiPlan api(const std::optional<Service>& service) const;
  CheckSettings check() const;

  std::unique_ptr<Texts> texts_;
  std::unique_ptr<CLI::App> app_;
};

}  // namespace stagecraft
