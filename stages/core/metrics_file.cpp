/// @file
/// A new file beside the old one, then its name.
#include "stages/core/metrics_file.h"

#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/generation.h"

namespace stagecraft {
namespace {

constexpr std::chrono::milliseconds kInterval{1000};

}  // namespace

MetricsFile::MetricsFile(std::filesystem::path file, MetricsNames names, int64_t kv_capacity_bytes)
    : file_(std::move(file)), names_(std::move(names)), kv_capacity_bytes_(kv_capacity_bytes) {
  try {
    finish({});
  } catch (const Failure&) {
    throw BadInput(fmt::format("--metrics: cannot write '{}'", file_.string()),
                   "name a file in a folder that exists and that you may write to");
  }
}

void MetricsFile::update(const RunProgress& progress) {
  if (std::chrono::steady_clock::now() - written_ < kInterval) return;
  RunSnapshot snapshot{progress.now, {}, {}, &progress.steps, kv_capacity_bytes_};
  for (const Generation& generation : progress.requests) {
    RequestRecord record = generation.record();
    if (record.arrival > progress.now) break;  // requests are in the order of arrival
    snapshot.requests.push_back(std::move(record));
    snapshot.ended.push_back(generation.finished());
  }
  write(snapshot);
}

void MetricsFile::finish(const RunLog& log) {
  write({log.end, log.requests, std::vector<bool>(log.requests.size(), true), &log.steps, kv_capacity_bytes_});
}

void MetricsFile::write(const RunSnapshot& snapshot) {
  const std::filesystem::path fresh = file_.string() + ".new";
  std::ofstream stream(fresh, std::ios::binary);
  stream << metrics_of(snapshot, names_);
  stream.close();
  std::error_code failed;
  if (stream) std::filesystem::rename(fresh, file_, failed);
  if (!stream || failed) throw Failure(fmt::format("cannot write '{}'", file_.string()), "is the disk full?");
  written_ = std::chrono::steady_clock::now();
}

}  // namespace stagecraft
