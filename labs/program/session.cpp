#include "labs/program/session.h"

#include <cstdio>
#include <memory>

namespace stagecraft::labs {

const LabInfo& Session::lab(const std::string& id) const {
  if (!id.empty()) return lab_of(labs, id);
  if (const std::optional<std::string> last = current()) return lab_of(labs, *last);
  throw BadInput("no lab was started yet", "labs/lab start 0 begins with the first");
}

std::string Session::full_id(const LabInfo& lab, const std::string& id) const {
  return id.empty() || id.find('.') == std::string::npos ? lab.id : lab.id + id.substr(id.find('.'));
}

std::optional<std::string> Session::current() const {
  const Path file = places.work / ".current";
  if (!std::filesystem::exists(file)) return std::nullopt;
  return read_file(file);
}

void Session::set_current(const LabInfo& lab) const { write_file(places.work / ".current", lab.id); }

bool Session::is_started(const LabInfo& lab) const { return std::filesystem::exists(places.copy_of(lab.id)); }

void build_project(const Session& session, const std::string& target) {
  if (!session.build) return;
  const std::string command =
      fmt::format("{} --build '{}' --target {} 2>&1", LAB_CMAKE, session.places.binary.string(), target);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), [](FILE*) { return 0; });
  if (!pipe) throw Failure("cannot start CMake", "labs/lab doctor says what is missing");
  std::string log, line;
  bool shown_any = false;
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, pipe.get())) {
    line = buffer;
    log += line;
    if (!session.console.is_terminal() || line[0] != '[') continue;
    constexpr size_t kWidth = 70;
    fmt::print("\r{:<70}", line.substr(0, std::min(kWidth, line.find('\n'))));
    std::fflush(stdout);
    shown_any = true;
  }
  if (shown_any) fmt::print("\r{:<70}\r", "");
  if (pclose(pipe.get()) == 0) return;
  constexpr size_t kEnd = 2000;
  throw Failure(fmt::format("the project's own build fails:\n{}", log.substr(log.size() - std::min(kEnd, log.size()))),
                "labs/lab doctor says what is missing");
}

LearnerBuild build_copy(const Session& session, const LabInfo& lab, BuildKind kind) {
  if (!session.is_started(lab)) {
    throw BadInput(fmt::format("{} was not started", lab.id), "labs/lab start " + lab.id);
  }
  build_project(session, kind == BuildKind::bench ? lab.id + "_bench_ready" : lab.id + "_ready");
  LearnerBuild build =
      build_learner(session.places, lab, session.places.copy_of(lab.id),
                    session.places.state_of(lab.id) / (kind == BuildKind::bench ? "bench" : "build"), kind);
  fmt::print("{}", build.messages);
  if (build.ok) return build;
  throw DoesNotCompile(lab.id, build.messages);
}

std::string as_typed(const Session& session, const Path& path) {
  const Path relative = path.lexically_relative(std::filesystem::current_path());
  return relative.empty() || *relative.begin() == ".." ? shown(session.places, path) : relative.string();
}

}  // namespace stagecraft::labs
