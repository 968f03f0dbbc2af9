/// @file
/// Regions of a fixed length: a stack of free ones, and who holds the others.
#include "stages/core/slot_kv_store.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {

SlotKvStore::SlotKvStore(const SlotKvShape& shape) : shape_(shape) {
  if (shape.max_running < 1) {
    throw BadInput(fmt::format("max running requests is {}, which leaves nobody to serve", shape.max_running),
                   "1 is the smallest that works");
  }
  if (shape.slots_per_request < 1) {
    throw BadInput(fmt::format("a request's KV region of {} tokens holds nothing", shape.slots_per_request),
                   "1 is the smallest that works");
  }
  for (int index = shape.max_running - 1; index >= 0; --index) free_.push_back(index);
}

std::optional<std::string> SlotKvStore::refusal(int64_t length) const {
  if (length <= shape_.slots_per_request) return std::nullopt;
  return fmt::format("it needs room for {} tokens in the KV cache, and a request may have {}", length,
                     shape_.slots_per_request);
}

bool SlotKvStore::reserve(const Request& request, int64_t upto) {
  check(upto >= 0, "a request cannot reserve less than nothing");
  if (upto > shape_.slots_per_request) return false;
  const auto held = regions_.find(request.id);
  if (held != regions_.end()) {
    held->second.used = std::max(held->second.used, upto);
    return true;
  }
  if (free_.empty()) return false;
  regions_.emplace(request.id, Region{free_.back(), upto});
  free_.pop_back();
  return true;
}

void SlotKvStore::truncate(const Request& request, int64_t length) {
  check(length >= 0 && length <= shape_.slots_per_request, "a request is truncated to a length inside its region");
  const auto held = regions_.find(request.id);
  check(held != regions_.end(), "only a request that holds a region can be truncated");
  held->second.used = std::min(held->second.used, length);
}

void SlotKvStore::release(const Request& request) {
  const auto held = regions_.find(request.id);
  if (held == regions_.end()) return;
  free_.push_back(held->second.index);
  regions_.erase(held);
}

int64_t SlotKvStore::reserved(const Request& request) const {
  return regions_.count(request.id) ? shape_.slots_per_request : 0;
}

int64_t SlotKvStore::slot(const Request& request, int64_t position) const {
  check(position >= 0 && position < shape_.slots_per_request, "a position lies inside its request's region");
  return first_slot(request) + position;
}

int64_t SlotKvStore::first_slot(const Request& request) const {
  return region_of(request).index * shape_.slots_per_request;
}

KvUsage SlotKvStore::usage() const {
  int64_t used = 0;
  for (const auto& [id, region] : regions_) used += region.used;
  return {holders() * shape_.slots_per_request * shape_.bytes_per_token, used * shape_.bytes_per_token};
}

void SlotKvStore::check_invariants() const {
  check(free_.size() + regions_.size() == size_t(shape_.max_running), "every region is either free or held");
  std::vector<bool> seen(size_t(shape_.max_running), false);
  const auto see = [&](int index) {
    check(index >= 0 && index < shape_.max_running, "a region lies inside the pool");
    check(!seen[size_t(index)], "a region has one holder, or is free once");
    seen[size_t(index)] = true;
  };
  for (const int index : free_) see(index);
  for (const auto& [id, region] : regions_) {
    see(region.index);
    check(region.used >= 0 && region.used <= shape_.slots_per_request, "what is stored lies inside the region");
  }
}

const SlotKvStore::Region& SlotKvStore::region_of(const Request& request) const {
  const auto held = regions_.find(request.id);
  check(held != regions_.end(), "a request without a region has no slots");
  return held->second;
}

}  // namespace stagecraft
