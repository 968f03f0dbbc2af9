#pragma once
/// @file
/// Who holds which slots of the KV pool. A store hands out places for tokens; it never touches keys or values, so it is
/// plain bookkeeping that runs and is tested without a model.
///
/// | implementation | a request holds                                   | stage |
/// |----------------|---------------------------------------------------|-------|
/// | SlotKvStore    | one region of a fixed length, from first to last  | 2 - 4 |
/// | PagedKvStore   | blocks, behind a table, as many as it needs now   | 5, 6  |
///
/// Running out of room is an answer, never an exception: the scheduler asks with reserve() and lives with "no".
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kv_address.h"
#include "stages/core/request.h"

namespace stagecraft {

/// Memory that is taken from everybody else, and the part of it that holds a token's keys and values.
struct KvUsage {
  int64_t reserved_bytes = 0;
  int64_t used_bytes = 0;
};

/// Requests are told apart by Request::id. Only a store that shares what is stored reads more of them: their tokens.
class KvStore {
 public:
  virtual ~KvStore() = default;

  /// Why a request that grows to `length` stored tokens can never be served, even alone; nothing if it can.
  virtual std::optional<std::string> refusal(int64_t length) const = 0;

  /// Makes sure that positions [0, upto) of `request` have a place. False: there is no room, and nothing has changed.
  /// Keeps what is stored; a smaller `upto` than before changes nothing.
  [[nodiscard]] virtual bool reserve(const Request& request, int64_t upto) = 0;

  /// Forgets what lies at positions >= `length`: from now on it is garbage that nothing may read (EXACTNESS R7).
  /// `length` is at most what was reserved.
  virtual void truncate(const Request& request, int64_t length) = 0;

  /// Gives everything back. A request that holds nothing may be released, too.
  virtual void release(const Request& request) = 0;

  /// How many positions of `request`, counted from 0, have a place; 0 if it holds nothing.
  virtual int64_t reserved(const Request& request) const = 0;

  /// The slot of the KV pool where `position` of `request` lies. `position` has been reserved.
  virtual int64_t slot(const Request& request, int64_t position) const = 0;

  /// The slots of a request lie in blocks of this length, each a run of slots that begins at a multiple of it. Nothing:
  /// all slots of a request are one run.
  virtual std::optional<int64_t> block_size() const { return std::nullopt; }

  /// `request`, which holds nothing, takes over what is stored already of its tokens. Returns how many positions it now
  /// holds, all of them stored; less than it has tokens, for the last one has to be computed to draw the next.
  virtual int64_t match_prefix(const Request&) { return 0; }

  /// Positions [0, length) of `request` are stored now, and its tokens there are final: others may share them.
  virtual void commit(const Request&, int64_t /*length*/) {}

  /// Copies that must be done on the device, in any order, before the next pass writes. Each is told once.
  [[nodiscard]] virtual std::vector<BlockCopy> take_copies() { return {}; }

  /// How many requests hold something.
  virtual int holders() const = 0;

  virtual KvUsage usage() const = 0;

  /// Throws std::logic_error if a slot is lost, or belongs to two.
  virtual void check_invariants() const = 0;
};

}  // namespace stagecraft
