/// @file
/// The engine as a library, in thirty lines: generate MODEL_FOLDER PROMPT...
#include <cstdio>

#include "stages/5_paged_attention/engine.h"
#include "stages/core/engine.h"
#include "stages/core/program.h"

//! [generate]
int main(int argc, char** argv) {
  using namespace stagecraft;
  return run_program("generate", [&] {
    check(argc > 2, "usage: generate MODEL_FOLDER PROMPT...");
    const Engine engine = open_engine(argv[1]);
    PagedEngine stage({.scheduler = {.max_running = 8}, .pool = {}});  // or another stage: the same text

    GenerateOptions options;
    options.max_tokens = 40;
    options.sampling = {.temperature = 0.8f, .top_p = 0.95f, .seed = 7};
    const std::vector<std::string> prompts(argv + 2, argv + argc);
    for (const RequestRecord& answer : engine.generate(stage, prompts, options)) {
      std::printf("%s%s\n", prompts[size_t(answer.id)].c_str(), answer.text.c_str());
    }
    return kExitDone;
  });
}
//! [generate]
