#pragma once
/// @file
/// Findings about single accesses and about pairs of them.
#include <string>

#include "kernels/simulator/runtime/access.h"
#include "kernels/simulator/runtime/race_cells.h"

namespace simt::runtime {

class Worker;
struct Allocation;
struct Symbol;
class Symbols;
class DeviceMemory;

/// "reads 4 bytes", "writes 16 bytes", "changes 4 bytes atomically".
std::string action_of(const Access& access);

void report_bad_global_address(Worker& worker, const Access& access, const DeviceMemory& memory);
void report_misaligned(Worker& worker, const Access& access);
void report_host_address(Worker& worker, const Access& access);
void report_bad_static_shared(Worker& worker, const Access& access, size_t offset, const Symbols& symbols);
void report_bad_dynamic_shared(Worker& worker, const Access& access, size_t offset, size_t size);
void report_unwritten_global(Worker& worker, const Access& access, const Allocation& block);
/// `variable` is null for dynamic shared memory; `offset` is from its start.
void report_unwritten_shared(Worker& worker, const Access& access, const Symbol* variable, size_t offset);
void report_shared_race(Worker& worker, const Access& access, const Race& race, const Segments& segments,
                        const Symbol* variable, size_t offset);
void report_global_race(Worker& worker, const Access& access, const Race& race, const Segments& segments,
                        const Allocation& block);

/// g++'s own guards of local static variables: their first initialisation, no data of the kernel.
bool is_compiler_variable(const Symbol& symbol);
/// The space that keywords.h puts before each shared variable.
bool is_red_zone(const Symbol& symbol);

}  // namespace simt::runtime
