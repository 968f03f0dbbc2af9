/// @file
/// Lab 6 in the learner's process: a request decoded step by step, and all that can be seen of it after each.
#include <algorithm>

#include "labs/support/calls.h"
#include "labs/support/device_vector.h"
#include "toy_model.h"

namespace {

using lab06::Token;
using stagecraft::labs::as;
using stagecraft::labs::as_integers;

/// What a step leaves, one list a step behind the other.
struct Trace {
  std::vector<int64_t> calls, rows;     // of the target, in this step
  std::vector<int64_t> sizes, stored;   // tokens known; positions stored
  std::vector<int64_t> content;         // of the stored positions
  std::vector<int64_t> held, held_ids;  // blocks in the table: how many, which
  std::vector<int64_t> free, free_ids;  // blocks that are free

  void add(const lab06::Request& request, const lab06::BlockTable& table, const lab06::Pool& pool, toy::Model& model) {
    sizes.push_back(int64_t(request.tokens.size()));
    stored.push_back(table.stored);
    for (int64_t position = 0; position < table.stored; ++position) content.push_back(model.at(table, position));
    held.push_back(int64_t(table.blocks.size()));
    held_ids.insert(held_ids.end(), table.blocks.begin(), table.blocks.end());
    free.push_back(int64_t(pool.free.size()));
    free_ids.insert(free_ids.end(), pool.free.begin(), pool.free.end());
  }
};

}  // namespace

LAB_CALL(decode) {
  const int64_t blocks = in.integer("blocks"), block_size = in.integer("block_size");
  toy::Model model(uint64_t(in.integer("language")), in.integer("vocabulary"), blocks, block_size);
  lab06::Pool pool{block_size, std::vector<int32_t>(size_t(blocks), 0), as<int32_t>(in.integers("free"))};
  lab06::BlockTable table;
  lab06::Request request;
  request.tokens = as<Token>(in.integers("prompt"));
  request.prompt_tokens = int64_t(request.tokens.size());
  request.max_tokens = in.integer("max_tokens");
  request.end_of_text = Token(in.integer("end_of_text"));

  const std::vector<Token> drafted = as<Token>(in.integers("drafts"));
  const std::vector<int64_t>& lengths = in.integers("draft_lengths");
  size_t from = 0;
  Trace trace;
  constexpr int64_t kMoreSteps = 3;  // than can be needed: a request that does not end is seen to do so
  for (int64_t i = 0; i < request.max_tokens + kMoreSteps && !request.finished; ++i) {
    const size_t length = size_t(i) < lengths.size() ? size_t(lengths[size_t(i)]) : 0;
    const std::vector<Token> draft(drafted.begin() + std::ptrdiff_t(from),
                                   drafted.begin() + std::ptrdiff_t(from + length));
    from += length;
    model.spoil_what_is_not_stored(table);
    const int64_t calls = model.calls(), rows = model.rows();
    lab06::step(request, table, pool, model, draft);
    trace.calls.push_back(model.calls() - calls);
    trace.rows.push_back(model.rows() - rows);
    trace.add(request, table, pool, model);
  }
  out.set("tokens", as_integers(request.tokens));
  out.set("finished", int64_t(request.finished));
  out.set("calls", trace.calls).set("rows", trace.rows).set("sizes", trace.sizes);
  out.set("stored", trace.stored).set("content", trace.content);
  out.set("held", trace.held).set("held_ids", trace.held_ids);
  out.set("free", trace.free).set("free_ids", trace.free_ids);
}
