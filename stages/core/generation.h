#pragma once
/// @file
/// A request while it is served: its state, the text it has produced, and the record of when. All stages commit the
/// tokens they draw through this, so what ends a request is decided in one place:
///
/// | what came                                  | finish reason | in output_ids | in the text          |
/// |--------------------------------------------|---------------|---------------|----------------------|
/// | the last token that was asked for          | length        | yes           | yes                  |
/// | an end-of-text token of the model          | stop          | yes           | special: not printed |
/// | the last token of a stop text              | stop          | yes           | not the stop text    |
/// | Ctrl-C, a reader that went away            | cancelled     |               |                      |
/// | nothing: it can never be served            | refused       |               |                      |
#include <span>
#include <vector>

#include "stages/core/request.h"
#include "stages/core/run_log.h"
#include "stages/core/text_output.h"
#include "stages/core/text_sink.h"

namespace stagecraft {

class Generation {
 public:
  /// `request` arrives at `arrival`; one with max_tokens 0 is finished at once. `tokenizer` and `sink` must outlive
  /// this.
  Generation(Request request, const Tokenizer& tokenizer, std::vector<TokenId> end_of_text, TimePoint arrival,
             TextSink& sink);

  Request& request() { return request_; }
  const Request& request() const { return request_; }
  bool finished() const { return request_.finished.has_value(); }

  /// A forward pass for it starts now. Only the first call counts.
  void schedule(TimePoint now);

  /// Takes the tokens that one step drew, in order, and hands their text to the client as one chunk, at `now`. Returns
  /// how many belong to the output: fewer than all if one of them ends the request.
  size_t accept(std::span<const TokenId> tokens, TimePoint now = Clock::now());

  /// Ends it early; the text held back is handed out.
  void cancel(TimePoint now = Clock::now());

  /// It will never run, for this `reason`.
  void refuse(std::string reason);

  /// The record as of now.
  RequestRecord record() const;

 private:
  void finish(FinishReason reason, TimePoint now);
  bool is_end_of_text(TokenId id) const;
  void deliver(TimePoint now);

  Request request_;
  std::vector<TokenId> end_of_text_;
  TextOutput output_;
  TextSink* sink_;
  RequestRecord record_;
  std::string undelivered_text_;
  int64_t undelivered_tokens_ = 0;
};

}  // namespace stagecraft
