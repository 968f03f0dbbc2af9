#pragma once
/// @file
/// The table that every stage prints on standard error when it is done.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stages/core/run_report.h"

namespace stagecraft {

/// The rows of the latency table by name, as far as the run has values for them.
std::vector<std::pair<std::string_view, Summary>> latency_rows(const RunReport& report);

/// Throughput, MBU and MFU, as far as they are known, in one line.
std::string throughput_line(const Totals& totals);

/// How many requests were served within the targets, and their rate; empty if there are no targets.
std::string goodput_line(const RunReport& report);

/// Latencies, throughput, and the stage's own lines; several lines of text.
std::string latency_table(const RunReport& report);

inline constexpr std::string_view kUnreliableP99 =
    "~ a p99 of fewer than 1,000 values is little more than the largest of them";

}  // namespace stagecraft
