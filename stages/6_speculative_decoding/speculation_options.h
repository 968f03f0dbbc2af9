#pragma once
/// @file
/// Options of speculation on the command line, and the drafter that they ask for.
#include <filesystem>
#include <optional>
#include <string>

#include "stages/6_speculative_decoding/engine.h"
#include "stages/6_speculative_decoding/ngram_drafter.h"
#include "stages/6_speculative_decoding/scripted_drafter.h"
#include "stages/core/command_line.h"

namespace stagecraft {

/// Who drafts: exactly one of the first three, or nobody.
struct DrafterChoice {
  std::optional<NgramOptions> ngram;
  std::optional<Script> script;                      // the truth is found by a run without drafts
  std::optional<std::filesystem::path> draft_model;  // a model folder
  PagedPoolOptions draft_pool;                       // of the draft model's K/V
};

class SpeculationOptions {
 public:
  /// Adds the options to `command_line`, which must outlive this; before parse.
  explicit SpeculationOptions(CommandLine& command_line);
  SpeculationOptions(const SpeculationOptions&) = delete;
  SpeculationOptions& operator=(const SpeculationOptions&) = delete;

  // After parse. All throw BadInput for what is out of range, or would have no effect.
  DrafterChoice drafter(int64_t block_size) const;
  DraftLengthOptions length() const;
  Verifier verifier() const;

 private:
  bool given(const char* name) const;
  void refuse_without(const char* drafter, bool chosen, std::initializer_list<const char*> names) const;

  CommandLine& command_line_;
  std::string drafter_, draft_model_, draft_kv_memory_, length_ = "4", most_ = "16", verifier_ = "exact";
  std::string ngram_min_ = "1", ngram_max_ = "3";
  bool adaptive_ = false;
};

/// What makes the drafters of `choice`, for a target in folder `target`. Throws BadInput if the draft model does not
/// suit it. `paged`: the run without drafts by which a script learns the truth.
MakeDrafter make_drafters(const DrafterChoice& choice, const std::filesystem::path& target, Verifier verifier,
                          const PagedOptions& paged);

}  // namespace stagecraft
