/// @file
/// Commits tokens one by one: append, look for an end, hand out the text.
#include "stages/core/generation.h"

#include <algorithm>
#include <utility>

#include "kernels/check.h"

namespace stagecraft {

Generation::Generation(Request request, const Tokenizer& tokenizer, std::vector<TokenId> end_of_text, TimePoint arrival,
                       TextSink& sink)
    : request_(std::move(request)),
      end_of_text_(std::move(end_of_text)),
      output_(tokenizer, request_.tokens, request_.stop),
      sink_(&sink) {
  record_.id = request_.id;
  record_.prompt_tokens = request_.prompt_tokens;
  record_.arrival = arrival;
  if (request_.max_tokens == 0) finish(FinishReason::length, arrival);
}

void Generation::schedule(TimePoint now) {
  if (!record_.scheduled) record_.scheduled = now;
}

size_t Generation::accept(std::span<const TokenId> tokens, TimePoint now) {
  check(!finished(), "a finished request takes no more tokens");
  size_t taken = 0;
  while (taken < tokens.size() && !finished()) {
    const TokenId id = tokens[taken++];
    request_.tokens.push_back(id);
    ++undelivered_tokens_;
    undelivered_text_ += output_.push(id);
    if (output_.stopped() || is_end_of_text(id)) {
      finish(FinishReason::stop, now);
    } else if (request_.generated() >= request_.max_tokens) {
      finish(FinishReason::length, now);
    }
  }
  if (!finished() && !undelivered_text_.empty()) deliver(now);
  return taken;
}

void Generation::cancel(TimePoint now) {
  if (finished()) return;
  finish(FinishReason::cancelled, now);
}

void Generation::refuse(std::string reason) {
  check(request_.num_computed == 0 && request_.generated() == 0, "what has begun is not refused");
  if (!finished()) sink_->finished(request_.id);
  request_.finished = FinishReason::refused;
  record_.refusal = std::move(reason);
}

RequestRecord Generation::record() const {
  RequestRecord record = record_;
  record.output_ids.assign(request_.tokens.begin() + request_.prompt_tokens, request_.tokens.end());
  record.finish_reason = request_.finished.value_or(FinishReason::cancelled);
  return record;
}

void Generation::finish(FinishReason reason, TimePoint now) {
  if (request_.generated() > 0) undelivered_text_ += output_.finish();  // else it is a torn character of the prompt
  request_.finished = reason;
  if (undelivered_tokens_ > 0 || !undelivered_text_.empty()) deliver(now);
  sink_->finished(request_.id);
}

bool Generation::is_end_of_text(TokenId id) const {
  return std::find(end_of_text_.begin(), end_of_text_.end(), id) != end_of_text_.end();
}

/// A client sees text, not tokens: a chunk is due when there is text, or when the last token has come.
void Generation::deliver(TimePoint now) {
  if (!undelivered_text_.empty()) sink_->text(request_.id, undelivered_text_);
  record_.text += std::exchange(undelivered_text_, "");
  record_.chunks.push_back({now, std::exchange(undelivered_tokens_, 0)});
}

}  // namespace stagecraft
