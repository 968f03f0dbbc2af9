#pragma once
/// @file
/// Stage 6, speculative decoding (Leviathan et al. 2023; Chen et al. 2023): a drafter guesses k tokens, and the target
/// computes them as it computes a prompt, in one pass. Reading the weights is what a small batch pays for, and k + 1 rows
/// read them once.
///
///     stage 5   a pass a token        the -> cat -> sat -> on -> the -> mat
///     stage 6   draft: cat sat in     the [cat sat in]  ->  cat sat on     one pass, three tokens
///               draft: the mat .      on  [the mat .]   ->  the mat , ...
///
/// Drafted tokens are pending tokens; a wrong one is truncated. With the exact verifier a token is committed only if it
/// is what the target samples at its position, so the output is stage 5's, bit for bit, whoever drafts.
#include <functional>
#include <memory>

#include "stages/6_speculative_decoding/speculative_service.h"

namespace stagecraft {

/// Makes the drafter of a run.
using MakeDrafter = std::function<std::unique_ptr<Drafter>(const RunInput&)>;

struct SpeculativeOptions {
  PagedOptions paged;
  DraftLengthOptions length;
  Verifier verifier = Verifier::exact_match;
};

/// What drafting cost in the latest run, and what went wrong with it.
struct DraftReport {
  std::string drafter;
  DraftWork work;
  std::optional<std::string> complaint;
};

class SpeculativeEngine final : public StageEngine {
 public:
  /// Throws BadInput for limits under which nothing could ever run.
  SpeculativeEngine(const SpeculativeOptions& options, MakeDrafter make_drafter);

  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory& memory) const override;
  RunLog run(const RunInput& input) override;

  /// Of the latest run; empty before the first.
  const DraftReport& latest_drafts() const { return latest_; }

 private:
  SpeculativeOptions options_;
  MakeDrafter make_drafter_;
  DraftReport latest_;
};

}  // namespace stagecraft
