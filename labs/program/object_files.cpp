#include "labs/program/object_files.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>

namespace stagecraft::labs {
namespace {

namespace fs = std::filesystem;

/// When the file came to be what and where it is, in nanoseconds; nothing if it is not there. Not the time of the last
/// write: a file that is put in another's place may be an old one.
std::optional<int64_t> changed_at(const Path& file) {
  struct stat about {};
  if (::stat(file.c_str(), &about) != 0) return std::nullopt;
  constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;
  return about.st_ctim.tv_sec * kNanosecondsPerSecond + about.st_ctim.tv_nsec;
}

/// The headers that the compiler wrote down as a makefile rule.
bool newer_than_its_sources(const ObjectFile& object) {
  const std::optional<int64_t> made = changed_at(object.file);
  if (!made || !fs::exists(object.list_of_headers)) return false;
  std::istringstream rule(read_file(object.list_of_headers));
  for (std::string word; rule >> word;) {
    if (word == "\\" || word.back() == ':') continue;
    const std::optional<int64_t> changed = changed_at(word);
    if (!changed || *changed > *made) return false;
  }
  return true;
}

std::string words(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& word : list) text += word + " ";
  return text;
}

}  // namespace

ObjectFile object_file(const Path& source, const Path& into, const Path& shared, const std::string& compiler,
                       const std::vector<std::string>& flags) {
  ObjectFile object;
  object.source = source;
  const size_t key = std::hash<std::string>{}(words(flags) + (shared.empty() ? source.string() : read_file(source)));
  object.file = (shared.empty() ? into : shared) / fmt::format("{}-{:016x}.o", source.filename().string(), key);
  object.list_of_headers = object.file.string() + ".d";
  object.command = {compiler};
  object.command.insert(object.command.end(), flags.begin(), flags.end());
  object.draft = fmt::format("{}.{:x}", object.file.string(), std::hash<std::string>{}(source.string()));
  object.command.insert(object.command.end(), {"-MMD", "-MF", object.draft.string() + ".d", "-c", source.string(), "-o",
                                               object.draft.string()});
  return object;
}

bool compile(std::vector<ObjectFile>& objects) {
  std::vector<ObjectFile*> old;
  for (ObjectFile& object : objects) {
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

}  // namespace stagecraft::labs
