/// @file
/// One table of formats: how the first line looks, and how a line becomes a request.
#include "stages/core/workload_reader.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "stages/core/parse_number.h"
#include "stages/core/workload_fields.h"

namespace stagecraft {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;

/// A line of a CSV file, field by field.
class Row {
 public:
  Row(std::string where, std::string_view header, std::string_view line)
      : where_(std::move(where)), names_(split_at_commas(header)), fields_(split_at_commas(line)) {
    if (fields_.size() != names_.size()) {
      throw BadInput(fmt::format("{}: {} columns where the first line has {}", where_, fields_.size(), names_.size()));
    }
  }

  std::string_view text(size_t column) const { return fields_[column]; }
  std::string where(size_t column) const {
    return fmt::format("{}, column {} ({})", where_, column + 1, names_[column]);
  }
  int64_t tokens(size_t column) const { return parse_token_count(where(column), text(column)); }

 private:
  std::string where_;
  std::vector<std::string_view> names_, fields_;
};

WorkloadRequest read_ours(const Row& row) {
  return {.arrival_ns = parse_seconds(row.where(0), row.text(0)),
          .prompt_tokens = row.tokens(1),
          .output_tokens = row.tokens(2)};
}

WorkloadRequest read_ours_with_priority(const Row& row) {
  constexpr int kMost = std::numeric_limits<int>::max();
  WorkloadRequest request = read_ours(row);
  request.priority = parse_number<int>(row.where(3), row.text(3), -kMost, kMost);
  return request;
}

WorkloadRequest read_azure(const Row& row) {
  return {.arrival_ns = parse_timestamp(row.where(0), row.text(0)),
          .prompt_tokens = row.tokens(1),
          .output_tokens = row.tokens(2)};
}

WorkloadRequest read_lengths(const Row& row) {
  return {.prompt_tokens = row.tokens(0), .output_tokens = row.tokens(1)};
}

struct CsvFormat {
  std::string_view header;
  WorkloadRequest (*read)(const Row&);
};

constexpr CsvFormat kCsvFormats[] = {
    {"arrival_s,prompt_tokens,output_tokens", read_ours},
    {"arrival_s,prompt_tokens,output_tokens,priority", read_ours_with_priority},
    {"TIMESTAMP,ContextTokens,GeneratedTokens", read_azure},
    {"num_prefill_tokens,num_decode_tokens,num_total_tokens,pd_ratio", read_lengths},
};

int64_t json_integer(const std::string& where, const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer()) {
    throw BadInput(fmt::format("{}, field '{}': there is no whole number", where, name));
  }
  return found->get<int64_t>();
}

// One id for each 512 tokens of the prompt, the last of which may be fewer: equal ids are equal text.
std::vector<SharedPiece> read_hash_ids(const std::string& where, const nlohmann::json& ids, int64_t prompt_tokens) {
  constexpr int64_t kTokensPerId = 512;
  const auto refuse = [&] {
    throw BadInput(
        fmt::format("{}, field 'hash_ids': not one id for every {} tokens of the prompt", where, kTokensPerId));
  };
  if (!ids.is_array() || int64_t(ids.size()) != (prompt_tokens - 1) / kTokensPerId + 1) refuse();
  std::vector<SharedPiece> pieces;
  for (const nlohmann::json& id : ids) {
    if (!id.is_number_unsigned()) refuse();
    pieces.push_back({id.get<uint64_t>(), std::min(prompt_tokens, kTokensPerId)});
    prompt_tokens -= pieces.back().tokens;
  }
  return pieces;
}

WorkloadRequest read_mooncake(const std::string& where, std::string_view line) {
  constexpr int64_t kMostMs = std::numeric_limits<int64_t>::max() / kNsPerMs;
  const nlohmann::json object = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) throw BadInput(fmt::format("{}: this is not a JSON object", where));
  const auto tokens = [&](const char* name) {
    return check_token_count(fmt::format("{}, field '{}'", where, name), json_integer(where, object, name));
  };
  const int64_t arrival_ms = json_integer(where, object, "timestamp");
  if (arrival_ms < 0 || arrival_ms > kMostMs) {
    throw BadInput(fmt::format("{}, field 'timestamp': {} ms is no time after the start", where, arrival_ms));
  }
  WorkloadRequest request = {.arrival_ns = arrival_ms * kNsPerMs,
                             .prompt_tokens = tokens("input_length"),
                             .output_tokens = tokens("output_length")};
  const auto ids = object.find("hash_ids");
  if (ids != object.end()) request.prefix = read_hash_ids(where, *ids, request.prompt_tokens);
  return request;
}

/// Lines of a text file with their numbers; ends of lines may be of Unix or Windows.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& file) : name_(file.string()), stream_(file) {
    std::error_code unknown;
    if (!stream_ || std::filesystem::is_directory(file, unknown)) {
      throw BadInput(fmt::format("{}: cannot be read", name_), "is it there, and a file?");
    }
  }

  bool next(std::string& line) {
    if (!std::getline(stream_, line)) return false;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    ++number_;
    return true;
  }

  std::string where() const { return fmt::format("{}, line {}", name_, number_); }

 private:
  std::string name_;
  std::ifstream stream_;
  int64_t number_ = 0;
};

const CsvFormat& format_of(const std::string& where, std::string_view header) {
  for (const CsvFormat& format : kCsvFormats) {
    if (format.header == header) return format;
  }
  throw BadInput(fmt::format("{}: '{}' is not the first line of a workload", where, header.substr(0, 80)),
                 fmt::format("a file of your own begins with '{}'", kCsvFormats[0].header));
}

void append(Workload& workload, WorkloadRequest request, const std::string& where) {
  if (!workload.requests.empty() && request.arrival_ns < workload.requests.back().arrival_ns) {
    throw BadInput(fmt::format("{}: this request arrives before the one in the line above", where),
                   "sort the lines by arrival");
  }
  workload.requests.push_back(std::move(request));
}

// Times of day become times since the first arrival.
void start_at_zero(Workload& workload) {
  const int64_t start_ns = workload.requests.front().arrival_ns;
  for (WorkloadRequest& request : workload.requests) request.arrival_ns -= start_ns;
}

}  // namespace

Workload read_workload(const std::filesystem::path& file, size_t limit) {
  Workload workload{file.filename().string(), {}};
  Lines lines(file);
  std::string line;
  if (!lines.next(line)) throw BadInput(fmt::format("{}: the file is empty", file.string()));
  if (line.rfind('{', 0) == 0) {
    do {
      append(workload, read_mooncake(lines.where(), line), lines.where());
    } while (workload.requests.size() < limit && lines.next(line));
    return workload;
  }
  const std::string header = line;
  const CsvFormat& format = format_of(lines.where(), header);
  while (workload.requests.size() < limit && lines.next(line)) {
    append(workload, format.read(Row(lines.where(), header, line)), lines.where());
  }
  if (workload.requests.empty()) throw BadInput(fmt::format("{}: no request follows the first line", file.string()));
  if (format.read == read_azure) start_at_zero(workload);
  return workload;
}

}  // namespace stagecraft
