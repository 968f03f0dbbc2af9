/// @file
/// stage1_naive: options, run, report.
#include "stages/1_naive/engine.h"
#include "stages/1_naive/work.h"
#include "stages/core/program.h"
#include "stages/core/stage_program.h"

namespace {

using namespace stagecraft;

constexpr StageInfo kStage{1, "naive", "stage1_naive",
                           "naive decoding: the whole sequence is computed again for every token"};

int run(const Options& options) {
  NaiveEngine engine;
  const auto work = [](const RunReport& report, const Session&) { return naive_work(report); };
  return serve_and_report({kStage, engine, work}, options, {read_prompts(options)});
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(kStage.program, [&] {
    CommandLine command_line(kStage);
    const std::optional<Options> options = command_line.parse(argc, argv);
    return options ? run(*options) : kExitDone;
  });
}
