/// @file
/// simt run FILE.cu: compiles one CUDA C++ file for the simulator, runs it, and reports what was found and counted.
#include <cstdio>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "kernels/check.h"
#include "kernels/simulator/command/exit_codes.h"
#include "kernels/simulator/command/process.h"
#include "kernels/simulator/command/source_check.h"
#include "kernels/simulator/gpu_estimate.h"

namespace simt::command {
namespace {

struct Options {
  std::string file;
  bool fast = false;
  bool checked = false;  // the default, spelled out
  bool profile = false;
  std::string json;
  std::string gpu;
  std::string seed;
  std::string seconds;
  std::vector<std::string> program_arguments;
};

/// A list that CMake passed: entries separated by bars.
std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> entries;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find('|', begin), list.size());
    if (end > begin) entries.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return entries;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<std::string> compile_command(const Options& options, const std::string& object) {
  std::vector<std::string> command = {SIMT_COMPILER, "-std=c++20", "-g", "-ffp-contract=off"};
  append(command, options.fast ? std::vector<std::string>{"-O2"} : split(SIMT_CHECKED_FLAGS));
  append(command, {"-I", SIMT_SOURCE_DIR, "-I", SIMT_SOURCE_DIR "/kernels/simulator/command/include"});
  append(command, {"-x", "c++", "-c", options.file, "-o", object});
  return command;
}

/// Apart from compiling: with the sanitizer's flag a compiler would link the sanitizer's own runtime.
std::vector<std::string> link_command(const std::string& object, const std::string& program) {
  std::vector<std::string> command = {SIMT_COMPILER, object, "-o", program};
  append(command, {"-Wl,--whole-archive", SIMT_REPORT_LIBRARY, "-Wl,--no-whole-archive"});
  append(command, split(SIMT_LIBRARIES));
  command.push_back("-pthread");
  return command;
}

void check_options(const Options& options) {
  if (options.fast && (options.profile || !options.json.empty() || !options.gpu.empty()))
    throw stagecraft::BadInput("--fast counts nothing, so it has no profile, JSON or estimate",
                               "leave --fast out: --checked is the default");
  if (options.gpu.empty() || find_gpu(options.gpu)) return;
  std::string names;
  for (const Gpu& gpu : known_gpus()) names += std::string(names.empty() ? "" : ", ") + gpu.name;
  throw stagecraft::BadInput(fmt::format("--gpu {}: no numbers are known for it", options.gpu), "known are " + names);
}

std::map<std::string, std::string> environment_of(const Options& options) {
  std::map<std::string, std::string> environment = {{"SIMT_PROFILE", options.profile ? "1" : "0"},
                                                    {"SIMT_FAST", options.fast ? "1" : "0"},
                                                    {"SIMT_GPU", options.gpu},
                                                    {"SIMT_SEED", options.seed},
                                                    {"SIMT_SECONDS", options.seconds},
                                                    {"SIMT_JSON", ""}};
  if (!options.json.empty()) environment["SIMT_JSON"] = std::filesystem::absolute(options.json).string();
  return environment;
}

int run(const Options& options) {
  check_options(options);
  check_source(options.file);
  const TemporaryFolder folder;
  const std::string program = folder.path(std::filesystem::path(options.file).stem().string());
  const std::string object = program + ".o";
  if (run_process(compile_command(options, object)) != 0 || run_process(link_command(object, program)) != 0)
    throw stagecraft::Failure(fmt::format("{} does not compile", options.file),
                              "docs/simulator.md lists what differs from nvcc");
  std::vector<std::string> command = {program};
  append(command, options.program_arguments);
  const int code = run_process(command, environment_of(options));
  if (code > 128) std::fprintf(stderr, "simt: the program was ended by signal %d\n", code - 128);
  return code;
}

}  // namespace
}  // namespace simt::command

int main(int argc, char** argv) {
  using namespace simt::command;
  CLI::App app("Runs CUDA C++ on the CPU: finds races and bad addresses, counts memory traffic");
  app.require_subcommand(1);
  Options options;
  CLI::App* command = app.add_subcommand("run", "compile, run and report one .cu file with a main()");
  command->add_option("file", options.file, "the .cu file")->required();
  command->add_flag("--profile", options.profile, "print requests and traffic of each kernel and source line");
  command->add_option("--json", options.json, "write findings and profile to this file");
  command->add_option("--gpu", options.gpu, "estimate the time on this GPU, such as A100");
  command->add_option("--seed", options.seed, "run blocks and warps in a random order drawn from this number");
  command->add_option("--seconds", options.seconds, "CPU time a block may take before it is called endless");
  CLI::Option* fast = command->add_flag("--fast", options.fast, "without checks and counts, on all cores");
  command->add_flag("--checked", options.checked, "with checks and counts (the default)")->excludes(fast);
  command->add_option("arguments", options.program_arguments, "what the program gets (after --)");
  try {
    app.parse(argc, argv);
    return run(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kBadInput;
  } catch (const stagecraft::Error& error) {
    std::fprintf(stderr, "simt: %s\n", error.what());
    if (!error.hint().empty()) std::fprintf(stderr, "hint: %s\n", error.hint().c_str());
    return dynamic_cast<const stagecraft::BadInput*>(&error) ? kBadInput : kFailed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simt: %s\n", error.what());
    return kFailed;
  }
}
