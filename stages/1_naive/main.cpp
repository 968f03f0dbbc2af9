/// @file
/// stage1_naive: options, run, report.
#include <cstdio>

#include <fmt/format.h>

#include "stages/1_naive/engine.h"
#include "stages/1_naive/work.h"
#include "stages/core/latency_table.h"
#include "stages/core/program.h"
#include "stages/core/session.h"
#include "stages/core/text_printer.h"

namespace {

using namespace stagecraft;

constexpr StageInfo kStage{1, "naive", "stage1_naive",
                           "naive decoding: the whole sequence is computed again for every token"};

/// One request after the other; those that wait have arrived at the start as well.
RunLog serve(Session& session, KvPool& pool, TextSink& sink, const std::function<bool()>& cancelled) {
  NaiveEngine engine(*session.model, pool);
  RunLog log;
  log.start = Clock::now();
  for (const Request& request : session.requests) {
    Generation generation(request, session.tokenizer, session.end_of_text, log.start, sink);
    engine.run(generation, cancelled);
    log.requests.push_back(generation.record());
  }
  log.end = Clock::now();
  log.steps = engine.steps();
  return log;
}

int run(const Options& options) {
  std::vector<Prompt> prompts = read_prompts(options);  // first: Ctrl-C while it waits for input just ends it
  const InterruptWatch interrupt;
  Session session = open_session(options, std::move(prompts), interrupt);
  print_heading(kStage, options, session);
  KvPool pool(*session.device, session.config, options.kv_type, session.longest_request());
  if (!options.logits.empty()) {
    session.files.write_logits(prompt_logits(*session.model, pool, session.requests.front().tokens),
                               session.config.vocabulary);
  }

  TextPrinter printer(stdout, options.json_to_standard_output() ? 0 : int(session.requests.size()));
  NoTextSink nowhere;
  TextSink& sink = options.json_to_standard_output() ? static_cast<TextSink&>(nowhere) : printer;
  RunLog log = serve(session, pool, sink, [&] { return interrupt.requested() || printer.reader_gone(); });

  RunReport report = make_report(kStage, options, session, pool, std::move(log));
  report.work = naive_work(report);
  fmt::print(stderr, "\n{}", latency_table(report));
  session.files.write(report);
  return interrupt.requested() ? kExitInterrupted : kExitDone;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(kStage.program.data(), [&] {
    CommandLine command_line(kStage);
    const std::optional<Options> options = command_line.parse(argc, argv);
    return options ? run(*options) : kExitDone;
  });
}
