#include "kernels/simulator/command/process.h"

#include <cstring>
#include <filesystem>
#include <system_error>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/check.h"

namespace simt::command {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// This process's environment with some variables set.
std::vector<std::string> with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    if (!variables.count(text.substr(0, text.find('=')))) result.push_back(text);
  }
  for (const auto& [name, value] : variables) result.push_back(name + "=" + value);
  return result;
}

}  // namespace

int run_process(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment) {
  std::vector<std::string> own_arguments = arguments;
  std::vector<std::string> own_environment = with(environment);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0].c_str(), nullptr, nullptr, pointers(own_arguments).data(),
                                 pointers(own_environment).data());
  if (error != 0) throw stagecraft::Failure(fmt::format("cannot start {}: {}", arguments[0], std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int kSignalled = 128;
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "simt-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw stagecraft::Failure(fmt::format("cannot make a temporary folder {}: {}", pattern, std::strerror(errno)));
  folder_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace simt::command
