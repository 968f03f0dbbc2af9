/// @file
/// What ends a request, what then belongs to its output, and which chunks its client saw.
#include "stages/core/generation.h"

#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/core/tales_tokenizer.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

class CollectingSink : public TextSink {
 public:
  void text(int, std::string_view piece) override { pieces.emplace_back(piece); }
  void finished(int) override { ++times_finished; }

  std::vector<std::string> pieces;
  int times_finished = 0;
};

Request request_for(int64_t max_tokens, std::vector<std::string> stop = {}) {
  Request request;
  request.id = 3;
  request.tokens = {id_of_byte('H'), id_of_byte('i')};
  request.prompt_tokens = 2;
  request.max_tokens = max_tokens;
  request.stop = std::move(stop);
  return request;
}

Generation start(CollectingSink& sink, Request request, std::vector<TokenId> end_of_text = {kTalesEndOfText}) {
  return Generation(std::move(request), tales_tokenizer(), std::move(end_of_text), Clock::now(), sink);
}

std::vector<TokenId> ids_of(const std::string& text) {
  std::vector<TokenId> ids;
  for (const char byte : text) ids.push_back(id_of_byte(static_cast<unsigned char>(byte)));
  return ids;
}

std::vector<int64_t> chunk_sizes(const RequestRecord& record) {
  std::vector<int64_t> sizes;
  for (const Chunk& chunk : record.chunks) sizes.push_back(chunk.tokens);
  return sizes;
}

}  // namespace

TEST_CASE("the last token asked for ends a request by length", "[generation]") {
  CollectingSink sink;
  Generation generation = start(sink, request_for(2));
  generation.accept(ids_of("a"));
  CHECK_FALSE(generation.finished());
  generation.accept(ids_of("b"));
  CHECK(generation.record().finish_reason == FinishReason::length);
  CHECK(generation.record().text == "ab");
  CHECK(generation.record().output_ids == ids_of("ab"));
  CHECK(sink.times_finished == 1);
}

TEST_CASE("an end-of-text token ends by stop; it is kept as an id and not printed", "[generation]") {
  CollectingSink sink;
  Generation generation = start(sink, request_for(9));
  generation.accept(ids_of("a"));
  generation.accept(std::vector<TokenId>{kTalesEndOfText});
  const RequestRecord record = generation.record();
  CHECK(record.finish_reason == FinishReason::stop);
  CHECK(record.text == "a");
  CHECK(record.output_ids == std::vector<TokenId>{id_of_byte('a'), kTalesEndOfText});
  CHECK(chunk_sizes(record) == std::vector<int64_t>{1, 1});
}

TEST_CASE("an ignored end-of-text token ends nothing", "[generation]") {
  CollectingSink sink;
  Generation generation = start(sink, request_for(9), {});
  generation.accept(std::vector<TokenId>{kTalesEndOfText});
  CHECK_FALSE(generation.finished());
}

TEST_CASE("a stop text stays out of the text but not out of the ids", "[generation][stop]") {
  CollectingSink sink;
  Generation generation = start(sink, request_for(9, {"END"}));
  for (const char* piece : {"a", "E", "N", "D"}) generation.accept(ids_of(piece));
  const RequestRecord record = generation.record();
  CHECK(record.finish_reason == FinishReason::stop);
  CHECK(record.text == "a");
  CHECK(record.output_ids == ids_of("aEND"));
  CHECK(sink.pieces == std::vector<std::string>{"a"});
}

TEST_CASE("an end in the middle of a step's tokens drops those after it", "[generation]") {
  CollectingSink sink;
  Generation by_stop = start(sink, request_for(9, {"."}));
  CHECK(by_stop.accept(ids_of("ab.cd")) == 3);
  CHECK(by_stop.record().output_ids == ids_of("ab."));
  Generation by_length = start(sink, request_for(2));
  CHECK(by_length.accept(ids_of("abcd")) == 2);
  CHECK(by_length.record().text == "ab");
}

TEST_CASE("the tokens of one step are one chunk", "[generation][metrics]") {
  CollectingSink sink;
  Generation generation = start(sink, request_for(5));
  for (const char* step : {"a", "bc", "de"}) generation.accept(ids_of(step));
  CHECK(chunk_sizes(generation.record()) == std::vector<int64_t>{1, 2, 2});
}

TEST_CASE("a token whose text is held back counts with the chunk that shows it", "[generation][metrics]") {
  CollectingSink sink;
  Generation generation = start(sink, request_for(4));
  for (const char byte : std::string("x\u00E9y")) generation.accept(ids_of(std::string(1, byte)));
  CHECK(sink.pieces == std::vector<std::string>{"x", "\u00E9", "y"});
  CHECK(chunk_sizes(generation.record()) == std::vector<int64_t>{1, 2, 1});
}

TEST_CASE("cancelling hands out what was held back, once", "[generation]") {
  CollectingSink sink;
  Generation generation = start(sink, request_for(9, {"END"}));
  generation.accept(ids_of("aEN"));
  generation.cancel();
  generation.cancel();
  CHECK(generation.record().finish_reason == FinishReason::cancelled);
  CHECK(generation.record().text == "aEN");
  CHECK(sink.times_finished == 1);
}

TEST_CASE("what a prompt left torn is not printed as output when nothing was generated", "[generation]") {
  CollectingSink sink;
  Request request = request_for(9);
  request.tokens.back() = id_of_byte(0xC3);
  Generation generation = start(sink, request);
  generation.cancel();
  CHECK(generation.record().text.empty());
  CHECK(sink.pieces.empty());
}

TEST_CASE("a request for no tokens is finished before it starts", "[generation]") {
  CollectingSink sink;
  const Generation generation = start(sink, request_for(0));
  CHECK(generation.finished());
  CHECK(generation.record().finish_reason == FinishReason::length);
  CHECK(generation.record().chunks.empty());
  CHECK(sink.times_finished == 1);
}

TEST_CASE("only the first schedule counts", "[generation][metrics]") {
  CollectingSink sink;
  Generation generation = start(sink, request_for(2));
  CHECK_FALSE(generation.record().scheduled);
  const TimePoint first = Clock::now();
  generation.schedule(first);
  generation.schedule(first + std::chrono::seconds(1));
  CHECK(generation.record().scheduled == first);
}

TEST_CASE("a finished request takes no more tokens: that is a bug of the engine", "[generation]") {
  CollectingSink sink;
  Generation generation = start(sink, request_for(1));
  generation.accept(ids_of("a"));
  CHECK_THROWS_AS(generation.accept(ids_of("b")), std::logic_error);
}
