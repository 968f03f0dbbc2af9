/// @file
/// Texts become a choice of drafter.
#include "stages/6_speculative_decoding/speculation_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/5_paged_attention/paging_options.h"
#include "stages/core/parse_number.h"

namespace stagecraft {
namespace {

constexpr std::string_view kAcceptPrefix = "accept-";

std::optional<Script> script_from(const std::string& name) {
  if (name == "oracle") return Script{Script::Kind::oracle};
  if (name == "wrong") return Script{Script::Kind::always_wrong};
  if (name == "random") return Script{Script::Kind::random};
  if (name == "none") return Script{Script::Kind::empty};
  if (!name.starts_with(kAcceptPrefix)) return std::nullopt;
  const std::string_view right = std::string_view(name).substr(kAcceptPrefix.size());
  return Script{Script::Kind::accept_first, parse_number("--drafter accept-N", right, 0, DraftLengthOptions::kLongest)};
}

}  // namespace

SpeculationOptions::SpeculationOptions(CommandLine& command_line) : command_line_(command_line) {
  const auto add = [&](const char* name, std::string& value, const char* type, const char* help) {
    command_line.app().add_option(name, value, help)->type_name(type)->capture_default_str()->group("Speculation");
  };
  add("--drafter", drafter_, "NAME",
      "ngram (the default), model (the default with --draft-model), none; for experiments, after a run that finds the "
      "truth: oracle, wrong, random, accept-N (the first N of a draft are right)");
  add("--draft-model", draft_model_, "DIR", "a small model with the tokenizer of --model");
  add("--draft-kv-memory", draft_kv_memory_, "BYTES",
      "size of the draft model's KV pool; else by need and free memory");
  add("--draft-length", length_, "N", "tokens of a draft; with --adaptive, of the first one");
  command_line.app()
      .add_flag("--adaptive", adaptive_, "a request's drafts grow while all is accepted and shrink when not")
      ->group("Speculation");
  add("--draft-most", most_, "N", "the longest draft that --adaptive grows to");
  add("--ngram-min", ngram_min_, "N", "tokens at the end that must have come before, at least");
  add("--ngram-max", ngram_max_, "N", "and at most");
  add("--verifier", verifier_, "NAME", "exact: the bits of stage 1; rejection: rejection sampling, its distribution");
}

bool SpeculationOptions::given(const char* name) const { return command_line_.app().count(name) > 0; }

void SpeculationOptions::refuse_without(const char* drafter, bool chosen,
                                        std::initializer_list<const char*> names) const {
  for (const char* name : names) {
    if (chosen || !given(name)) continue;
    throw BadInput(fmt::format("{} has no effect without --drafter {}", name, drafter), "leave it out, or choose it");
  }
}

DrafterChoice SpeculationOptions::drafter(int64_t block_size) const {
  const std::string name = !drafter_.empty() ? drafter_ : draft_model_.empty() ? "ngram" : "model";
  DrafterChoice choice;
  refuse_without("ngram", name == "ngram", {"--ngram-min", "--ngram-max"});
  refuse_without("model", name == "model", {"--draft-model", "--draft-kv-memory"});
  if (name == "ngram") {
    choice.ngram = {parse_number("--ngram-min", ngram_min_, 1, NgramOptions::kLongestMatch),
                    parse_number("--ngram-max", ngram_max_, 1, NgramOptions::kLongestMatch)};
  } else if (name == "model") {
    if (draft_model_.empty()) {
      throw BadInput("--drafter model: which one?", "name its folder with --draft-model, such as models/tales-400k");
    }
    choice.draft_model = draft_model_;
    choice.draft_pool.block_size = block_size;
    if (!draft_kv_memory_.empty()) choice.draft_pool.kv_bytes = parse_bytes("--draft-kv-memory", draft_kv_memory_);
  } else {
    choice.script = script_from(name);
    if (!choice.script) {
      throw BadInput(fmt::format("--drafter: there is none called '{}'", name),
                     "ngram, model, none, oracle, wrong, random, or accept-N such as accept-2");
    }
  }
  return choice;
}

DraftLengthOptions SpeculationOptions::length() const {
  if (!adaptive_ && given("--draft-most")) {
    throw BadInput("--draft-most has no effect without --adaptive", "leave it out, or add --adaptive");
  }
  const int length = parse_number("--draft-length", length_, 1, DraftLengthOptions::kLongest);
  return {adaptive_, length, parse_number("--draft-most", most_, 1, DraftLengthOptions::kLongest)};
}

Verifier SpeculationOptions::verifier() const {
  if (verifier_ == "exact") return Verifier::exact_match;
  if (verifier_ == "rejection") return Verifier::rejection_sampling;
  throw BadInput(fmt::format("--verifier: there is none called '{}'", verifier_), "exact or rejection");
}

}  // namespace stagecraft
