/// @file
/// Lab 6 in the learner's process: kernels and single functions. Steps of decoding: step_calls.cpp.
#include "labs/support/calls.h"

#include "labs/support/device_vector.h"
#include "speculation.h"

namespace {

using lab06::Distribution;
using lab06::Token;
using stagecraft::labs::as;
using stagecraft::labs::as_integers;
using stagecraft::labs::DeviceVector;
using stagecraft::labs::Message;

int number(const Message& in, const char* key) { return int(in.integer(key)); }

float fraction(const Message& in, const char* key) { return in.floats(key).at(0); }

/// Distributions of `vocabulary` tokens each, from weights in whole numbers.
std::vector<Distribution> distributions(const Message& in, const char* key) {
  const auto vocabulary = size_t(in.integer("vocabulary"));
  const std::vector<int64_t>& units = in.integers(key);
  std::vector<Distribution> all(units.size() / vocabulary);
  for (size_t i = 0; i < all.size(); ++i) {
    int64_t sum = 0;
    for (size_t id = 0; id < vocabulary; ++id) sum += units[i * vocabulary + id];
    for (size_t id = 0; id < vocabulary; ++id) {
      all[i].push_back(double(units[i * vocabulary + id]) / double(sum));
    }
  }
  return all;
}

/// `count` of `all`, those that the indices from `from` on name.
std::vector<Distribution> chosen(const std::vector<Distribution>& all, const std::vector<int64_t>& indices, size_t from,
                                 size_t count) {
  std::vector<Distribution> some;
  for (size_t i = from; i < from + count; ++i) some.push_back(all.at(size_t(indices.at(i))));
  return some;
}

}  // namespace

LAB_CALL(verify) {
  const DeviceVector<Token> drawn(as<Token>(in.integers("drawn"))), draft(as<Token>(in.integers("draft")));
  const DeviceVector<int32_t> row_start(as<int32_t>(in.integers("row_start")));
  const int requests = int(in.integers("row_start").size()) - 1;
  DeviceVector<int32_t> accepted(static_cast<size_t>(requests));
  accepted.must_be_written();
  lab06::verify(drawn.data(), draft.data(), row_start.data(), accepted.data(), requests);
  out.set("accepted", as_integers(accepted.host()));
}

LAB_CALL(truncate) {
  lab06::Pool pool{in.integer("block_size"), as<int32_t>(in.integers("references")), as<int32_t>(in.integers("free"))};
  lab06::BlockTable table{as<int32_t>(in.integers("table")), in.integer("stored")};
  int64_t refused = 0;
  try {
    lab06::truncate(table, pool, in.integer("length"));
  } catch (const std::out_of_range&) {
    refused = 1;
  }
  out.set("refused", refused);
  out.set("table", as_integers(table.blocks));
  out.set("stored", table.stored);
  out.set("references", as_integers(pool.references));
  out.set("free", as_integers(pool.free));
}

LAB_CALL(propose) {
  const std::vector<Token> tokens = as<Token>(in.integers("tokens"));
  lab06::NgramIndex index;
  std::vector<int64_t> drafts, lengths;
  int64_t reads = 0;
  for (const int64_t size : in.integers("sizes")) {
    const auto known = std::span(tokens).first(size_t(size));
    const lab06::Text text(known);
    const std::vector<Token> draft =
        lab06::propose(text, index, {number(in, "min_match"), number(in, "max_match")}, number(in, "length"));
    drafts.insert(drafts.end(), draft.begin(), draft.end());
    lengths.push_back(int64_t(draft.size()));
    reads += text.reads();
  }
  out.set("drafts", drafts);
  out.set("lengths", lengths);
  out.set("reads", reads);
}

LAB_CALL(residual) {
  const std::vector<Distribution> p = distributions(in, "p"), q = distributions(in, "q");
  const Distribution rest = lab06::residual(p.at(0), q.at(0));
  out.set("residual", std::vector<float>(rest.begin(), rest.end()));
}

LAB_CALL(reject) {
  const std::vector<Distribution> p = distributions(in, "p"), q = distributions(in, "q");
  const std::vector<Token> tokens = as<Token>(in.integers("draft"));
  const std::vector<float>& numbers = in.floats("noise");
  const auto drafted = size_t(in.integer("drafted"));
  const size_t judged = drafted + 1, cases = numbers.size() / (2 * judged);
  std::vector<int64_t> accepted, counts, verdicts;
  for (size_t i = 0; i < cases; ++i) {
    std::vector<lab06::JudgingNoise> noise;
    for (size_t k = i * judged; k < (i + 1) * judged; ++k) {
      noise.push_back({double(numbers[2 * k]), double(numbers[2 * k + 1])});
    }
    const lab06::Verdict verdict = lab06::verify_by_rejection(
        std::span(tokens).subspan(i * drafted, drafted), chosen(q, in.integers("q_rows"), i * drafted, drafted),
        chosen(p, in.integers("p_rows"), i * judged, judged), noise);
    accepted.push_back(verdict.accepted);
    counts.push_back(int64_t(verdict.tokens.size()));
    verdicts.insert(verdicts.end(), verdict.tokens.begin(), verdict.tokens.end());
  }
  out.set("accepted", accepted);
  out.set("counts", counts);
  out.set("tokens", verdicts);
}

LAB_CALL(tokens_per_call) {
  out.set("tokens",
          std::vector<float>{float(lab06::tokens_per_call(double(fraction(in, "acceptance")), number(in, "length")))});
}

LAB_CALL(speed_up) {
  const lab06::StepCost cost{double(fraction(in, "draft_token")), double(fraction(in, "verify"))};
  out.set("speed_up",
          std::vector<float>{float(lab06::speed_up(double(fraction(in, "acceptance")), number(in, "length"), cost))});
}

LAB_CALL(break_even_acceptance) {
  const std::optional<double> from = lab06::break_even_acceptance(
      number(in, "length"), {double(fraction(in, "draft_token")), double(fraction(in, "verify"))});
  out.set("exists", int64_t(from.has_value()));
  out.set("acceptance", std::vector<float>{float(from.value_or(0.0))});
}

LAB_CALL(best_length) {
  const std::vector<double> verify(in.floats("verify").begin(), in.floats("verify").end());
  out.set("length",
          int64_t(lab06::best_length(double(fraction(in, "acceptance")), double(fraction(in, "draft_token")), verify)));
}
