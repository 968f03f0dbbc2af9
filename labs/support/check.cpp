#include "labs/support/check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace stagecraft::labs {
namespace {

/// FNV-1a (Fowler, Noll, Vo): a check's inputs do not depend on the other checks.
uint64_t hash(std::string_view text) {
  uint64_t value = 0xcbf29ce484222325u;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return value;
}

std::string count_text(std::string_view what, size_t count) { return fmt::format("{} has {} elements", what, count); }

void expect_same_length(std::string_view what, size_t expected, size_t got) {
  if (expected != got) throw Failed{count_text(what, expected), count_text(what, got)};
}

template <class Value>
[[noreturn]] void fail_at(std::string_view what, size_t index, Value expected, Value got, size_t wrong, size_t all) {
  const std::string others = wrong > 1 ? fmt::format("   ({} of {} elements are wrong)", wrong, all) : "";
  throw Failed{fmt::format("{}[{}] = {}", what, index, expected), fmt::format("{}{}", got, others)};
}

/// Fails at the first element for which `same` is false.
template <class Expected, class Got, class Same>
void expect_all(std::string_view what, const Expected& expected, const Got& got, Same same) {
  expect_same_length(what, expected.size(), got.size());
  size_t wrong = 0, first = 0;
  for (size_t i = expected.size(); i-- > 0;) {
    if (same(expected[i], got[i])) continue;
    ++wrong;
    first = i;
  }
  if (wrong == 0) return;
  fail_at(what, first, expected[first], static_cast<typename Expected::value_type>(got[first]), wrong, got.size());
}

}  // namespace

Check::Check(std::string id, CheckSettings settings)
    : id_(std::move(id)), settings_(std::move(settings)), random_(settings_.seed, hash(id_)) {}

std::vector<float> Check::random_floats(int64_t count, float low, float high) {
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = low + (high - low) * random_.uniform();
  return values;
}

std::vector<int64_t> Check::sizes(std::initializer_list<int64_t> usual) const {
  std::vector<int64_t> all(usual);
  all.insert(all.end(), settings_.more_sizes.begin(), settings_.more_sizes.end());
  return all;
}

Message Check::call(Message request) {
  if (!learner_) learner_ = std::make_unique<LearnerProcess>(settings_.runner, settings_.limits);
  request.set("schedule", int64_t(settings_.seed));
  if (settings_.profile) request.set("profile", std::string("yes"));
  Message answer = learner_->call(request);
  finding_ = answer.has_text("finding") ? answer.text("finding") : "";
  if (answer.has_text("profile")) profile_ = answer.text("profile");
  return answer;
}

void Check::expect_equal(std::string_view what, const std::vector<float>& expected,
                         const std::vector<float>& got) const {
  expect_all(what, expected, got, [](float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; });
}

void Check::expect_equal(std::string_view what, const std::vector<int64_t>& expected,
                         const std::vector<int64_t>& got) const {
  expect_all(what, expected, got, [](int64_t a, int64_t b) { return a == b; });
}

void Check::expect_equal(std::string_view what, int64_t expected, int64_t got) const {
  expect(expected == got, fmt::format("{} = {}", what, expected), fmt::format("{}", got));
}

void Check::expect_close(std::string_view what, const std::vector<double>& expected, const std::vector<float>& got,
                         double tolerance) const {
  double scale = 0.0;
  for (const double value : expected) scale = std::max(scale, std::abs(value));
  // A NaN is not close to anything.
  expect_all(what, expected, got, [&](double a, float b) { return std::abs(a - double(b)) <= tolerance * scale; });
}

void Check::expect_at_most(std::string_view what, int64_t most, int64_t got) {
  if (most > 0) shares_used_.push_back(double(got) / double(most));
  expect(got <= most, fmt::format("{} <= {}", what, most), fmt::format("{}", got));
}

void Check::expect_at_least(std::string_view what, int64_t least, int64_t got) const {
  expect(got >= least, fmt::format("{} >= {}", what, least), fmt::format("{}", got));
}

std::optional<double> Check::share_used() const {
  if (shares_used_.empty()) return std::nullopt;
  return std::accumulate(shares_used_.begin(), shares_used_.end(), 0.0) / double(shares_used_.size());
}

void Check::expect_kills(const std::vector<Verdict>& verdicts) const {
  size_t right = 0, killed = 0;
  std::string refused, survivors;
  for (const Verdict& verdict : verdicts) {
    right += verdict.right;
    killed += !verdict.right && !verdict.accepted;
    if (verdict.right == verdict.accepted) continue;
    std::string& list = verdict.right ? refused : survivors;
    list += (list.empty() ? "" : "; ") + verdict.name;
  }
  const size_t faulty = verdicts.size() - right;
  std::string got = fmt::format("{} of {} killed", killed, faulty);
  if (!survivors.empty()) got += "; survived: " + survivors;
  if (!refused.empty()) got += "; rejected though right: " + refused;
  expect(refused.empty() && survivors.empty(),
         fmt::format("{} right implementation{} accepted, {} faulty one{} rejected", right, right == 1 ? "" : "s",
                     faulty, faulty == 1 ? "" : "s"),
         got);
}

void Check::expect_no_findings(const Message& answer) const {
  if (answer.integer("findings") == 0) return;
  throw Failed{"no finding of the simulator",
               fmt::format("{} finding{}: {}", answer.integer("findings"), answer.integer("findings") == 1 ? "" : "s",
                           answer.text("finding"))};
}

std::vector<std::pair<std::string, std::function<void(Check&)>>>& registered_checks() {
  static std::vector<std::pair<std::string, std::function<void(Check&)>>> all;
  return all;
}

std::vector<std::pair<std::string, std::function<double(Check&)>>>& registered_questions() {
  static std::vector<std::pair<std::string, std::function<double(Check&)>>> all;
  return all;
}

RegisterCheck::RegisterCheck(const char* id, void (*body)(Check&)) { registered_checks().emplace_back(id, body); }

RegisterQuestion::RegisterQuestion(const char* id, double (*measure)(Check&)) {
  registered_questions().emplace_back(id, measure);
}

}  // namespace stagecraft::labs
