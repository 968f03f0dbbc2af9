#include "kernels/simulator/runtime/access_reports.h"

#include <fmt/format.h>

#include "kernels/simulator/runtime/simulator.h"
#include "kernels/simulator/runtime/symbols.h"
#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {
namespace {

/// Adds a finding about one access, unless it is known. `text` is called only then.
template <class Text>
void report(Worker& worker, FindingKind kind, const Access& access, Text&& text, const char* hint) {
  FindingLog& log = simulator().findings;
  const void* kernel = worker.job().call.kernel;
  const CodePlace place{access.code};
  if (log.repeated(kind, kernel, place)) return;
  log.add({kind, kernel, actor_of(worker, place, action_of(access)), std::nullopt, text(), hint});
}

std::string described(const Allocation& block) {
  return fmt::format("the {}-byte allocation of {}:{}", block.bytes, block.site.file, block.site.line);
}

/// Where [address, address + bytes) lies relative to [begin, begin + size).
std::string distance(uintptr_t address, size_t bytes, uintptr_t begin, size_t size, const std::string& what) {
  if (address < begin) return fmt::format("{} bytes before {}", begin - address, what);
  if (address == begin + size) return fmt::format("just past the end of {}", what);
  if (address > begin + size) return fmt::format("{} bytes past the end of {}", address - (begin + size), what);
  return fmt::format("it starts inside {} but ends {} bytes past it", what, address + bytes - (begin + size));
}

const char* order_of(const Race& race, const Access& access) {
  if (!race.earlier_writes) return "one thread overwrites what another reads";
  return access.is_write() ? "two threads write the same bytes" : "one thread reads what another writes";
}

RawActor other_actor(const Worker& worker, const Race& race, const Segments& segments) {
  const SegmentId segment = race.earlier.segment;
  RawActor actor = actor_of(worker, segments.warp_of(segment) * kWarpSize + race.earlier.lane,
                            {code_address(race.earlier.code)}, race.earlier_writes ? "writes them" : "reads them");
  const uint3 block = worker.job().block_at(segments.block_of(segment));
  actor.block = {block.x, block.y, block.z};
  if (race.earlier.atomic) actor.action = "changes them atomically";
  return actor;
}

std::string name_of_variable(const Symbol* variable) {
  return variable ? readable(variable->name) : "dynamic shared memory";
}

}  // namespace

std::string action_of(const Access& access) {
  const char* bytes = access.bytes == 1 ? "byte" : "bytes";
  if (access.is_atomic()) return fmt::format("changes {} {} atomically", access.bytes, bytes);
  return fmt::format("{} {} {}", access.is_write() ? "writes" : "reads", access.bytes, bytes);
}

void report_bad_global_address(Worker& worker, const Access& access, const DeviceMemory& memory) {
  const Allocation* block = memory.find(access.address);
  if (block && !block->live) {
    report(
        worker, FindingKind::use_after_free, access,
        [&] { return fmt::format("byte {} of {}, which was freed", access.address - block->begin, described(*block)); },
        "free it after the last kernel that uses it, or look for a copy of an old pointer");
    return;
  }
  const auto text = [&] {
    block = memory.nearest(access.address);
    if (!block) return fmt::format("device address {:#x}, far from any allocation", access.address);
    return distance(access.address, access.bytes, block->begin, block->bytes, described(*block));
  };
  report(worker, FindingKind::out_of_bounds, access, text,
         "compare the index with the number of elements: a grid has often more threads than there are elements");
}

void report_misaligned(Worker& worker, const Access& access) {
  report(
      worker, FindingKind::misaligned, access,
      [&] {
        return fmt::format("an access of {} bytes at an address that is no multiple of {} (it is {} too high)",
                           access.bytes, access.bytes, access.address % access.bytes);
      },
      "a vector load needs an aligned address: check that row lengths and offsets are multiples of the vector");
}

void report_host_address(Worker& worker, const Access& access) {
  report(
      worker, FindingKind::host_pointer, access,
      [&] {
        return access.address < 4096
                   ? fmt::format("address {:#x}: a null pointer, or an index into one", access.address)
                   : std::string("the address is not of device memory but of the host's");
      },
      "pass pointers from cudaMalloc, and copy host data there with cudaMemcpy");
}

void report_bad_static_shared(Worker& worker, const Access& access, size_t offset, const Symbols& symbols) {
  const auto text = [&] {
    const Symbol* nearest = nullptr;
    size_t least = ~size_t{0};
    for (const Symbol& symbol : symbols.thread_locals()) {
      if (is_red_zone(symbol) || is_compiler_variable(symbol)) continue;
      const size_t end = symbol.begin + symbol.bytes;
      const size_t miss = offset < symbol.begin ? symbol.begin - offset : offset >= end ? offset - end : 0;
      if (miss < least) {
        least = miss;
        nearest = &symbol;
      }
    }
    if (!nearest) return std::string("shared memory, but no variable of it");
    const std::string variable = fmt::format("the {} bytes of {}", nearest->bytes, readable(nearest->name));
    return "shared memory: " + distance(offset, access.bytes, nearest->begin, nearest->bytes, variable);
  };
  report(worker, FindingKind::out_of_bounds, access, text,
         "compare the index with the array's size; a padded row has its padding too");
}

void report_bad_dynamic_shared(Worker& worker, const Access& access, size_t offset, size_t size) {
  report(
      worker, FindingKind::out_of_bounds, access,
      [&] {
        return distance(offset, access.bytes, 0, size,
                        fmt::format("the {} bytes of dynamic shared memory that the launch asked for", size));
      },
      "the third number of the launch is in bytes: elements times sizeof");
}

void report_unwritten_global(Worker& worker, const Access& access, const Allocation& block) {
  report(
      worker, FindingKind::uninitialised_global, access,
      [&] { return fmt::format("byte {} of {} was never written", access.address - block.begin, described(block)); },
      "fill it with cudaMemcpy or cudaMemset, or look for an index that a kernel before left out");
}

void report_unwritten_shared(Worker& worker, const Access& access, const Symbol* variable, size_t offset) {
  report(
      worker, FindingKind::uninitialised_shared, access,
      [&] { return fmt::format("byte {} of {} was not written by this block", offset, name_of_variable(variable)); },
      "shared memory starts with anything in it: write each element before the barrier after which it is read");
}

void report_shared_race(Worker& worker, const Access& access, const Race& race, const Segments& segments,
                        const Symbol* variable, size_t offset) {
  FindingLog& log = simulator().findings;
  const void* kernel = worker.job().call.kernel;
  const CodePlace place{access.code}, other{code_address(race.earlier.code)};
  if (log.repeated(FindingKind::shared_race, kernel, place, other)) return;
  log.add({FindingKind::shared_race, kernel, actor_of(worker, place, action_of(access)),
           other_actor(worker, race, segments),
           fmt::format("{} (byte {} of {}) with no barrier between", order_of(race, access), offset,
                       name_of_variable(variable)),
           "put __syncthreads between the two, or __syncwarp if both are in one warp"});
}

void report_global_race(Worker& worker, const Access& access, const Race& race, const Segments& segments,
                        const Allocation& block) {
  FindingLog& log = simulator().findings;
  const void* kernel = worker.job().call.kernel;
  const CodePlace place{access.code}, other{code_address(race.earlier.code)};
  if (log.repeated(FindingKind::global_race, kernel, place, other)) return;
  const bool one_block = segments.block_of(race.earlier.segment) == worker.block_number();
  log.add({FindingKind::global_race, kernel, actor_of(worker, place, action_of(access)),
           other_actor(worker, race, segments),
           fmt::format("{} (byte {} of {}) with nothing that orders them", order_of(race, access),
                       access.address - block.begin, described(block)),
           one_block
               ? "put __syncthreads between the two, or let each thread write its own element"
               : "blocks run in any order: use atomicAdd, or a second kernel, or __threadfence and an atomic flag"});
}

bool is_compiler_variable(const Symbol& symbol) { return symbol.name.compare(0, 4, "_ZGV") == 0; }

bool is_red_zone(const Symbol& symbol) { return symbol.name.find("simt_redzone_") != std::string::npos; }

}  // namespace simt::runtime
