/// @file
/// stage2_kv_cache: options, run, report.
#include "stages/2_kv_cache/engine.h"
#include "stages/2_kv_cache/work.h"
#include "stages/core/program.h"
#include "stages/core/stage_program.h"

namespace {

using namespace stagecraft;

constexpr StageInfo kStage{2, "kv_cache", "stage2_kv_cache", "keys and values are kept: every token is computed once"};

int run(const Options& options) {
  KvCacheEngine engine;
  const auto work = [&](const RunReport& report, const Session& session) {
    return kv_cache_work(report, session.config, options.kv_type);
  };
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
