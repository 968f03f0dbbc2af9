#include "labs/program/learner_build.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <sstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "labs/program/child.h"
#include "labs/program/forbidden_names.h"

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

/// One object: which source, and whether it must be made.
struct Object {
  Path source, file, list_of_headers;
  Path draft;  // what the compiler writes: builds in parallel may make the same object
  std::vector<std::string> command;
  ChildResult compiled;
};

/// The headers that the compiler wrote down as a makefile rule.
bool newer_than_its_sources(const Object& object) {
  std::error_code error;
  const auto made = fs::last_write_time(object.file, error);
  if (error || !fs::exists(object.list_of_headers)) return false;
  std::istringstream rule(read_file(object.list_of_headers));
  for (std::string word; rule >> word;) {
    if (word == "\\" || word.back() == ':') continue;
    const auto changed = fs::last_write_time(word, error);
    if (error || changed > made) return false;
  }
  return true;
}

std::string words(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& word : list) text += word + " ";
  return text;
}

Object object_for(const Path& source, const Path& into, const Path& objects, const std::string& compiler,
                  const std::vector<std::string>& flags) {
  Object object;
  object.source = source;
  const size_t key = std::hash<std::string>{}(words(flags) + (objects.empty() ? source.string() : read_file(source)));
  object.file = (objects.empty() ? into : objects) / fmt::format("{}-{:016x}.o", source.filename().string(), key);
  object.list_of_headers = object.file.string() + ".d";
  object.command = {compiler};
  append(object.command, flags);
  object.draft = fmt::format("{}.{:x}", object.file.string(), std::hash<std::string>{}(source.string()));
  append(object.command,
         {"-MMD", "-MF", object.draft.string() + ".d", "-c", source.string(), "-o", object.draft.string()});
  return object;
}

/// Compiles all that must be, on all cores. Returns whether any was.
bool compile(std::vector<Object>& objects) {
  std::vector<Object*> old;
  for (Object& object : objects) {
    if (!newer_than_its_sources(object)) old.push_back(&object);
  }
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < old.size(); i = next++) {
      old[i]->compiled = run_child(old[i]->command);
      if (old[i]->compiled.exit_code == 0) {
        fs::rename(old[i]->draft.string() + ".d", old[i]->list_of_headers);
        fs::rename(old[i]->draft, old[i]->file);
      } else {
        fs::remove(old[i]->file);
      }
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  return !old.empty();
}

/// Whether nothing that the build prepared has changed since `program` was linked.
bool newer_than_its_parts(const Path& program, const Toolchain& toolchain) {
  std::error_code error;
  const auto made = fs::last_write_time(program, error);
  if (error) return false;
  for (const auto* parts : {&toolchain.runner, &toolchain.archives, &toolchain.bench_objects}) {
    for (const std::string& part : *parts) {
      if (fs::last_write_time(part) > made) return false;
    }
  }
  return true;
}

std::vector<std::string> link_command(const Toolchain& toolchain, const LabInfo& lab,
                                      const std::vector<Object>& objects, BuildKind kind, const Path& program) {
  std::vector<std::string> command = {toolchain.compiler, "-o", program.string()};
  for (const Object& object : objects) command.push_back(object.file.string());
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
          without_empty(json.at("bench_objects"))};
}

LearnerBuild build_learner(const Places& places, const LabInfo& lab, const Path& sources, const Path& into,
                           BuildKind kind, const Path& shared_objects) {
  const Toolchain toolchain = read_toolchain(places, lab);
  fs::create_directories(into);
  if (!shared_objects.empty()) fs::create_directories(shared_objects);
  std::vector<Object> objects;
  for (const std::string& file : lab.files) {
    if (!fs::exists(sources / file)) {
      throw BadInput(fmt::format("{} is missing", shown(places, sources / file)),
                     "labs/lab reset " + lab.id + " " + file + " brings it back");
    }
    objects.push_back(object_for(sources / file, into, shared_objects, toolchain.compiler,
                                 compile_flags(places, lab, toolchain, file, kind)));
  }
  LearnerBuild build;
  build.program = into / (kind == BuildKind::checked ? lab.id + "_runner" : lab.bench->program);
  const bool changed = compile(objects);
  bool compiled = true;
  for (const Object& object : objects) {
    build.messages += object.compiled.output;
    compiled = compiled && object.compiled.exit_code == 0;
  }
  if (!compiled) return build;
  build.refused = kind == BuildKind::checked ? forbidden_name([&] {
    std::vector<Path> files;
    for (const Object& object : objects) files.push_back(object.file);
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
