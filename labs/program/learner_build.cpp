#include "labs/program/learner_build.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "labs/program/child.h"
#include "labs/program/forbidden_names.h"
#include "labs/program/object_files.h"

namespace stagecraft::labs {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> without_empty(std::vector<std::string> list) {
  list.erase(std::remove(list.begin(), list.end(), ""), list.end());
  return list;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<std::string> compile_flags(const Places& places, const LabInfo& lab, const Toolchain& toolchain,
                                       const std::string& file, BuildKind kind) {
  std::vector<std::string> flags = {"-std=c++20",
                                    "-g",
                                    "-ffp-contract=off",
                                    "-Wall",
                                    "-Wextra",
                                    "-Wno-unused",
                                    "-Wno-unused-parameter",
                                    "-I",
                                    places.source.string(),
                                    "-I",
                                    (lab.path(places) / "include").string()};
  const bool kernel = Path(file).extension() == ".cu";
  if (kernel) append(flags, {"-x", "c++"});
  if (kind == BuildKind::bench) {
    append(flags, {"-O2"});
  } else if (kernel) {
    append(flags, toolchain.hook_flags);
  } else {
    append(flags, {"-O1", "-D_GLIBCXX_ASSERTIONS", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"});
  }
  return flags;
}

/// Whether nothing that the build prepared has changed since `program` was linked.
bool newer_than_its_parts(const Path& program, const Toolchain& toolchain) {
  std::error_code error;
  const auto made = fs::last_write_time(program, error);
  if (error) return false;
  for (const auto* parts : {&toolchain.runner, &toolchain.archives, &toolchain.bench_objects}) {
    for (const std::string& part : *parts) {
      const auto changed = fs::last_write_time(part, error);  // what only `bench` needs may not have been built yet
      if (!error && changed > made) return false;
    }
  }
  return true;
}

std::vector<std::string> link_command(const Toolchain& toolchain, const LabInfo& lab,
                                      const std::vector<ObjectFile>& objects, BuildKind kind, const Path& program) {
  std::vector<std::string> command = {toolchain.compiler, "-o", program.string()};
  for (const ObjectFile& object : objects) command.push_back(object.file.string());
  if (kind == BuildKind::checked) {
    command.push_back("-Wl,--whole-archive");
    append(command, toolchain.runner);
    command.push_back("-Wl,--no-whole-archive");
    command.push_back("-fsanitize=undefined");
  } else {
    append(command, toolchain.bench_objects);
    for (const std::string& function : lab.bench->wrap) command.push_back("-Wl,--wrap=" + function);
  }
  command.push_back("-Wl,--start-group");
  append(command, toolchain.archives);
  command.push_back("-Wl,--end-group");
  append(command, toolchain.system);
  command.push_back("-pthread");
  return command;
}

}  // namespace

Toolchain read_toolchain(const Places& places, const LabInfo& lab) {
  const Path file = places.toolchain(lab.id);
  if (!fs::exists(file)) throw BadInput(fmt::format("{} is not built", lab.id), "labs/lab doctor says what is missing");
  const auto json = nlohmann::json::parse(read_file(file));
  return {json.at("compiler"),
          json.at("hook_flags"),
          json.at("checks"),
          json.at("runner"),
          json.at("archives"),
          json.at("system"),
          without_empty(json.at("bench_objects")),
          json.at("checks_archives")};
}

LearnerBuild build_learner(const Places& places, const LabInfo& lab, const Path& sources, const Path& into,
                           BuildKind kind, const Path& shared_objects) {
  const Toolchain toolchain = read_toolchain(places, lab);
  fs::create_directories(into);
  if (!shared_objects.empty()) fs::create_directories(shared_objects);
  std::vector<ObjectFile> objects;
  for (const std::string& file : lab.files) {
    if (!fs::exists(sources / file)) {
      throw BadInput(fmt::format("{} is missing", shown(places, sources / file)),
                     "labs/lab reset " + lab.id + " " + file + " brings it back");
    }
    objects.push_back(object_file(sources / file, into, shared_objects, toolchain.compiler,
                                  compile_flags(places, lab, toolchain, file, kind)));
  }
  LearnerBuild build;
  build.program = into / (kind == BuildKind::checked ? lab.id + "_runner" : lab.bench->program);
  const bool changed = compile(objects);
  bool compiled = true;
  for (const ObjectFile& object : objects) {
    build.messages += object.compiled.output;
    compiled = compiled && object.compiled.exit_code == 0;
  }
  if (!compiled) return build;
  build.refused = kind == BuildKind::checked ? forbidden_name([&] {
    std::vector<Path> files;
    for (const ObjectFile& object : objects) files.push_back(object.file);
    return files;
  }())
                                             : "";
  if (!changed && newer_than_its_parts(build.program, toolchain)) {
    build.ok = true;
    return build;
  }
  const ChildResult linked = run_child(link_command(toolchain, lab, objects, kind, build.program));
  build.messages += linked.output;
  build.ok = linked.exit_code == 0;
  return build;
}

}  // namespace stagecraft::labs
