/// Attacks from inside the learner's process. Whatever it does, the check gets an answer that it can trust or a reason.
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "labs/support/learner_process.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

namespace {

using namespace stagecraft::labs;
using Kind = Ended::Kind;

const std::string kAttacks = STAGECRAFT_BINARY_DIR "/bin/lab_attacks";
constexpr Limits kLimits{30.0, 100, 256, {}};    // enough on a busy machine
constexpr Limits kImpatient{1.0, 100, 256, {}};  // where the time is to run out

Message request(const std::string& name) { return Message(name).set("schedule", int64_t{0}); }

Message answer_of(const Message& call) { return LearnerProcess(kAttacks, kLimits).call(call); }

Ended end_of(const std::string& attack, const Limits& limits = kLimits) {
  LearnerProcess process(kAttacks, limits);
  try {
    process.call(request(attack));
  } catch (const Ended& ended) {
    return ended;
  }
  FAIL(attack << " came back with an answer");
  return {Kind::todo, ""};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("fence: it is there on this kernel; else the tests below would prove nothing") {
  REQUIRE(fence_is_available());
}

TEST_CASE("fence: honest code gets through, many times in one process") {
  LearnerProcess process(kAttacks, kLimits);
  for (int64_t i = 0; i < 100; ++i) {
    REQUIRE(process.call(request("honest").set("a", i).set("b", int64_t{2})).integer("sum") == i + 2);
  }
}

TEST_CASE("fence: exit(0) is a crash and no pass, whatever was printed before") {
  const Ended exits = end_of("exits_with_zero");
  REQUIRE(exits.kind == Kind::crash);
  REQUIRE(has(exits.text, "ended itself with exit code 0"));
  REQUIRE(end_of("says_passed").kind == Kind::crash);
}

TEST_CASE("fence: another program in its place is refused, or gives no answer") {
  if (fence_hides_files()) {
    REQUIRE(answer_of(request("becomes_another_program")).integer("errno") == EACCES);
  } else {
    REQUIRE(end_of("becomes_another_program").kind == Kind::crash);
  }
}

TEST_CASE("fence: crashes and exceptions are told apart and named") {
  REQUIRE(has(end_of("crashes").text, "signal 11"));
  const Ended exception = end_of("throws");
  REQUIRE(exception.kind == Kind::exception);
  REQUIRE(has(exception.text, "three of four"));
  REQUIRE(end_of("throws_a_number").kind == Kind::crash);
}

TEST_CASE("fence: endless work and endless waiting end with a time-out") {
  REQUIRE(end_of("loops", kImpatient).kind == Kind::timeout);
  REQUIRE(end_of("sleeps", kImpatient).kind == Kind::timeout);
}

TEST_CASE("fence: a process that closes its pipes and lives on is ended") {
  REQUIRE(end_of("closes_its_pipes").kind == Kind::crash);
}

TEST_CASE("fence: memory is limited") {
  REQUIRE(has(end_of("takes_all_memory").text, "100 MB"));
  REQUIRE(end_of("asks_for_a_petabyte").kind == Kind::exception);
}

TEST_CASE("fence: some threads are welcome, a thread bomb is ended") {
  REQUIRE(answer_of(request("works_in_a_thread")).integer("sum") == 5);
  REQUIRE(has(end_of("starts_threads").text, "more than 256 threads"));
}

TEST_CASE("fence: who catches all signals is ended all the same") {
  REQUIRE(end_of("catches_all_signals", kImpatient).kind == Kind::timeout);
}

TEST_CASE("fence: a fork bomb cannot make its first fork") {
  REQUIRE(answer_of(request("fork_bomb")).integer("errno") == EPERM);
}

TEST_CASE("fence: the check cannot be killed, traced or read") {
  const Message kill = answer_of(request("kills_the_check"));
  REQUIRE(kill.integer("errno") == EPERM);
  REQUIRE(kill.integer("all") == EPERM);
  REQUIRE(answer_of(request("traces_the_check")).integer("errno") == EPERM);
  REQUIRE(answer_of(request("reads_the_checks_memory")).integer("errno") != 0);
}

TEST_CASE("fence: there is no network") { REQUIRE(answer_of(request("opens_a_socket")).integer("errno") == EPERM); }

TEST_CASE("fence: files are neither written nor removed") {
  const stagecraft::testing::TemporaryFolder folder;
  const auto path = folder.path() / "results.json";
  REQUIRE(answer_of(request("writes_a_file").set("path", path.string())).integer("errno") == EPERM);
  REQUIRE_FALSE(std::filesystem::exists(path));
  std::ofstream(path) << "0 points";
  const Message removed = answer_of(request("removes_a_file").set("path", path.string()));
  REQUIRE(removed.integer("errno") == EPERM);
  REQUIRE(removed.integer("renamed") == EPERM);
  REQUIRE(std::filesystem::exists(path));
}

TEST_CASE("fence: the disk cannot be filled") {
  const stagecraft::testing::TemporaryFolder folder;
  std::ofstream(folder.path() / "tests.cpp") << "short";
  const Message tried = answer_of(request("fills_the_disk").set("path", folder.path().string()));
  for (const char* way : {"nameless", "large", "in memory", "made longer"}) {
    INFO(way);
    REQUIRE(tried.integer(way) == EPERM);
  }
  REQUIRE(std::filesystem::file_size(folder.path() / "tests.cpp") == 5);
}

TEST_CASE("fence: tests cannot be edited, replaced or opened to others") {
  const stagecraft::testing::TemporaryFolder folder;
  const auto path = folder.path() / "warmup_checks.cpp";
  std::ofstream(path) << "LAB_CHECK";
  const Message tried = answer_of(request("edits_the_tests").set("path", path.string()));
  for (const char* way : {"written", "replaced", "mode", "link"}) {
    INFO(way);
    REQUIRE(tried.integer(way) == EPERM);
  }
  REQUIRE(std::filesystem::file_size(path) == 9);
}

TEST_CASE("fence: hidden tests and solutions are out of sight, where the kernel can hide files") {
  const stagecraft::testing::TemporaryFolder folder;
  const auto path = folder.path() / "hidden.json";
  std::ofstream(path) << "{}";
  const bool hides = fence_hides_files();
  if (!hides) WARN("this kernel has no Landlock: files can be read");
  const int64_t expected = hides ? EACCES : 0;
  REQUIRE(answer_of(request("reads_a_file").set("path", path.string())).integer("errno") == expected);
  REQUIRE(answer_of(request("lists_a_folder").set("path", folder.path().string())).integer("errno") == expected);
  // What the fence names can be read on any kernel.
  Limits open = kLimits;
  open.readable = {folder.path().string()};
  LearnerProcess process(kAttacks, open);
  REQUIRE(process.call(request("reads_a_file").set("path", path.string())).integer("errno") == 0);
}

TEST_CASE("fence: the pipe holds nothing but the call") {
  REQUIRE(answer_of(request("reads_the_pipe")).integer("errno") == EAGAIN);
}

TEST_CASE("fence: an answer without the call's token is no answer") {
  REQUIRE(end_of("forges_an_answer").kind == Kind::broken_answer);
  REQUIRE(end_of("sends_rubbish").kind == Kind::broken_answer);
}

TEST_CASE("fence: no other descriptor is open, so no result can be written") {
  REQUIRE(answer_of(request("looks_for_other_descriptors")).integer("found") == 0);
}

TEST_CASE("fence: a flood of output keeps nobody, and its end is kept") {
  LearnerProcess process(kAttacks, kLimits);
  REQUIRE(process.call(request("floods_its_output")).integer("sum") == 5);
  REQUIRE(process.printed().size() <= 2000);
  REQUIRE(has(process.printed(), "xxx"));
}

TEST_CASE("message: what was not encoded is not decoded") {
  const std::string bytes = Message("m").set("x", std::vector<float>{1, 2, 3}).set("t", std::string("text")).encode();
  REQUIRE(Message::decode(bytes).floats("x") == std::vector<float>{1, 2, 3});
  for (size_t length = 0; length < bytes.size(); ++length) {
    REQUIRE_THROWS_AS(Message::decode(bytes.substr(0, length)), std::runtime_error);
  }
  REQUIRE_THROWS_AS(Message::decode(bytes + "x"), std::runtime_error);
}
