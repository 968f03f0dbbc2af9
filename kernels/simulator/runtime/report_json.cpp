#include <nlohmann/json.hpp>

#include "kernels/simulator/report.h"

namespace simt {
namespace {

using Json = nlohmann::ordered_json;

Json counts_json(MemoryOperation operation, const MemoryCounts& counts) {
  const char* unit = is_shared(operation) ? "wavefronts" : "sectors";
  return {
      {"operation", name_of(operation)}, {"requests", counts.requests}, {"lanes", counts.lanes},
      {"bytes", counts.bytes},           {unit, counts.moved},          {std::string("ideal_") + unit, counts.ideal}};
}

Json kernel_json(const KernelProfile& kernel) {
  Json json = {{"name", kernel.name},
               {"launches", kernel.launches},
               {"blocks", kernel.blocks},
               {"threads", kernel.threads},
               {"barriers", kernel.barriers},
               {"warp_barriers", kernel.warp_barriers},
               {"shuffles", kernel.shuffles},
               {"sectors_touched_by_loads", kernel.sectors_touched_by_loads},
               {"sectors_touched_by_stores", kernel.sectors_touched_by_stores},
               {"memory", Json::array()},
               {"lines", Json::array()}};
  for (int i = 0; i < kMemoryOperations; ++i)
    if (kernel.memory[i].requests != 0) json["memory"].push_back(counts_json(MemoryOperation(i), kernel.memory[i]));
  for (const LineProfile& line : kernel.lines) {
    Json entry = {{"file", line.file}, {"line", line.line}};
    entry.update(counts_json(line.operation, line.counts));
    json["lines"].push_back(entry);
  }
  return json;
}

Json actor_json(const Actor& actor) {
  return {{"block", {actor.block.x, actor.block.y, actor.block.z}},
          {"thread", {actor.thread.x, actor.thread.y, actor.thread.z}},
          {"action", actor.action},
          {"file", actor.file},
          {"line", actor.line}};
}

Json finding_json(const Finding& finding) {
  Json json = {{"kind", name_of(finding.kind)}, {"kernel", finding.kernel}, {"text", finding.text},
               {"hint", finding.hint},          {"count", finding.count},   {"actor", actor_json(finding.actor)}};
  if (finding.other) json["other"] = actor_json(*finding.other);
  return json;
}

Json estimate_json(const KernelProfile& kernel, const Gpu& gpu) {
  const TimeEstimate time = estimate(kernel, gpu);
  return {{"gpu", gpu.name},
          {"is", "an estimate"},
          {"seconds_at_best", time.at_best()},
          {"seconds_at_worst", time.at_worst()}};
}

}  // namespace

std::string report_json(const std::vector<Finding>& findings, const std::vector<KernelProfile>& kernels,
                        const Gpu* gpu) {
  Json json = {{"findings", Json::array()}, {"kernels", Json::array()}};
  for (const Finding& finding : findings) json["findings"].push_back(finding_json(finding));
  for (const KernelProfile& kernel : kernels) {
    Json entry = kernel_json(kernel);
    if (gpu) entry["estimate"] = estimate_json(kernel, *gpu);
    json["kernels"].push_back(entry);
  }
  return json.dump(2) + "\n";
}

}  // namespace simt
