/// @file
/// Workload files: every format, and every way in which a line can be wrong, named by file, line and column.
#include "stages/core/workload_reader.h"

#include <fstream>

#include "tests/catch.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft {
namespace {

const std::filesystem::path kTraces = std::filesystem::path(STAGECRAFT_SOURCE_DIR) / "workloads";
const std::filesystem::path kFile = std::filesystem::path(STAGECRAFT_BINARY_DIR) / "workload_reader_test.csv";

Workload read(const std::string& text, size_t limit = kAllRequests) {
  std::ofstream(kFile, std::ios::binary) << text;
  return read_workload(kFile, limit);
}

std::string complaint(const std::string& text) {
  return complaint_of([&] { read(text); });
}

const std::string kOurs = "arrival_s,prompt_tokens,output_tokens\n";
const std::string kAzure = "TIMESTAMP,ContextTokens,GeneratedTokens\n";

TEST_CASE("our format: seconds exactly, Windows line ends, no newline at the end", "[reader]") {
  const Workload workload =
      read("arrival_s,prompt_tokens,output_tokens\r\n0,5,1\r\n0.000000001,6,2\r\n12.5,7,2147483647");
  REQUIRE(workload.requests.size() == 3);
  CHECK(workload.name == "workload_reader_test.csv");
  CHECK(workload.requests[0].arrival_ns == 0);
  CHECK(workload.requests[1].arrival_ns == 1);
  CHECK(workload.requests[2].arrival_ns == 12'500'000'000);
  CHECK(workload.requests[1].prompt_tokens == 6);
  CHECK(workload.requests[2].output_tokens == 2147483647);
}

TEST_CASE("our format with priorities", "[reader]") {
  const Workload workload = read("arrival_s,prompt_tokens,output_tokens,priority\n1,5,1,-3\n1,6,2,7\n");
  CHECK(workload.requests[0].priority == -3);
  CHECK(workload.requests[1].priority == 7);
}

TEST_CASE("a limit reads the first requests, and looks no further", "[reader]") {
  CHECK(read(kOurs + "0,1,1\n1,1,1\nthis is never read\n", 2).requests.size() == 2);
}

TEST_CASE("Azure: times of day count from the first, over midnight and a leap day", "[reader]") {
  const Workload workload =
      read(kAzure + "2024-02-28 23:59:59.9000000,374,44\n2024-02-29 00:00:00.1234567,1,2\n2024-03-01 00:00:00,3,4\n");
  CHECK(workload.requests[0].arrival_ns == 0);
  CHECK(workload.requests[1].arrival_ns == 223'456'700);
  CHECK(workload.requests[2].arrival_ns == 86'400'100'000'000);
  CHECK(workload.requests[0].prompt_tokens == 374);
  CHECK(workload.requests[0].output_tokens == 44);
}

TEST_CASE("Mooncake: milliseconds, and an id for each 512 tokens of the prompt", "[reader]") {
  const Workload workload =
      read(R"({"timestamp": 3, "input_length": 1000, "output_length": 5, "hash_ids": [0, 4294967296]})"
           "\n"
           R"({"timestamp": 27000, "input_length": 3, "output_length": 1})");
  CHECK(workload.requests[0].arrival_ns == 3'000'000);
  REQUIRE(workload.requests[0].prefix.size() == 2);
  CHECK(workload.requests[0].prefix[0].tokens == 512);
  CHECK(workload.requests[0].prefix[1].tokens == 488);
  CHECK(workload.requests[0].prefix[1].content == 4294967296);
  CHECK(workload.requests[1].prefix.empty());
}

TEST_CASE("the traces in the repository are read whole", "[reader]") {
  const auto [file, requests, last_arrival_ns] = GENERATE(table<const char*, size_t, int64_t>({
      {"azure2023_conversation_1000.csv", 1000, 216'027'393'000},
      {"azure2023_code_1000.csv", 1000, 521'588'576'000},
      {"sharegpt_8k_lengths_1000.csv", 1000, 0},
      {"mooncake_conversation_230.jsonl", 230, 81'000'000'000},
  }));
  const Workload workload = read_workload(kTraces / file);
  CHECK(workload.requests.size() == requests);
  CHECK(workload.requests.back().arrival_ns == last_arrival_ns);
  CHECK_NOTHROW(validate(workload));
}

TEST_CASE("malformed CSV: file, line and column are named", "[reader][bad]") {
  const auto [text, expected] = GENERATE_COPY(table<std::string, std::string>({
      {kOurs + "0,1,1\n1,12a,1\n",
       "workload_reader_test.csv, line 3, column 2 (prompt_tokens): '12a' is not a whole number"},
      {kOurs + "0,,1\n", "line 2, column 2 (prompt_tokens): '' is not a whole number"},
      {kOurs + "0,1\n", "line 2: 2 columns where the first line has 3"},
      {kOurs + "0,1,1,1\n", "line 2: 4 columns where the first line has 3"},
      {kOurs + "0,1,1\n\n", "line 3: 1 columns where the first line has 3"},
      {kOurs + "0,\"1\",1\n", "column 2 (prompt_tokens): '\"1\"' is not a whole number"},
      {kOurs + "0,1,+1\n", "column 3 (output_tokens): '+1' is not a whole number"},
      {kOurs + "x,1,1\n", "line 2, column 1 (arrival_s): 'x' is not a whole number"},
      {kOurs + "1.5e3,1,1\n", "column 1 (arrival_s): '.5e3' is not a fraction of a second"},
      {kOurs + "1.,1,1\n", "column 1 (arrival_s): '.' is not a fraction of a second"},
      {kOurs + "1.0123456789,1,1\n", "up to 9 digits can follow the point"},
      {kOurs + "nan,1,1\n", "column 1 (arrival_s): 'nan' is not a whole number"},
      {"arrival_s,prompt_tokens,output_tokens,priority\n0,1,1,high\n",
       "column 4 (priority): 'high' is not a whole number"},
      {kAzure + "2023-11-16T18:15:46,1,1\n", "column 1 (TIMESTAMP): '2023-11-16T18:15:46' is not a time like"},
      {kAzure + "2023-02-29 18:15:46,1,1\n", "'2023-02-29 18:15:46' is not a time like"},
      {kAzure + "2023-11-16 24:00:00,1,1\n", "'2023-11-16 24:00:00' is not a time like"},
      {kAzure + "2023-11-16 18:15:46Z,1,1\n", "'2023-11-16 18:15:46Z' is not a time like"},
      {"{\"timestamp\": 1, \"input_length\": 5\n", "line 1: this is not a JSON object"},
      {"{\"timestamp\": 1, \"input_length\": 5}\n", "line 1, field 'output_length': there is no whole number"},
      {"{\"timestamp\": 1.5, \"input_length\": 5, \"output_length\": 1}\n",
       "field 'timestamp': there is no whole number"},
      {"{\"timestamp\": 1, \"input_length\": 5, \"output_length\": 1, \"hash_ids\": [1, 2]}\n",
       "field 'hash_ids': not one id"},
      {"{\"timestamp\": 1, \"input_length\": 5, \"output_length\": 1, \"hash_ids\": [-1]}\n",
       "field 'hash_ids': not one id"},
      {"{\"timestamp\": 1, \"input_length\": 513, \"output_length\": 1, \"hash_ids\": [4]}\n",
       "field 'hash_ids': not one id"},
      {"{\"timestamp\": 1, \"input_length\": 5, \"output_length\": 1, \"hash_ids\": 7}\n",
       "field 'hash_ids': not one id"},
  }));
  INFO(text);
  INFO(complaint(text));
  CHECK(contains(complaint(text), expected));
}

TEST_CASE("arrivals in the past, empty prompts and empty outputs: file, line and column are named", "[reader][bad]") {
  const auto [text, expected] = GENERATE_COPY(table<std::string, std::string>({
      {kOurs + "-1,1,1\n", "line 2, column 1 (arrival_s): an arrival at -1 s lies before the start"},
      {kOurs + "1,1,1\n0.999999999,1,1\n",
       "line 3: this request arrives before the one in the line above | sort the lines"},
      {kAzure + "2023-11-16 18:15:46,1,1\n2023-11-16 18:15:45,1,1\n", "line 3: this request arrives before"},
      {kOurs + "0,0,1\n", "line 2, column 2 (prompt_tokens): 0 tokens"},
      {kOurs + "0,-5,1\n", "line 2, column 2 (prompt_tokens): -5 tokens"},
      {kOurs + "0,1,0\n", "line 2, column 3 (output_tokens): 0 tokens"},
      {kOurs + "0,2147483648,1\n", "column 2 (prompt_tokens): 2147483648 tokens"},
      {kOurs + "0,99999999999999999999,1\n", "'99999999999999999999' is not a whole number"},
      {"{\"timestamp\": -1, \"input_length\": 5, \"output_length\": 1}\n", "field 'timestamp': -1 ms is no time after"},
      {"{\"timestamp\": 1, \"input_length\": 0, \"output_length\": 1}\n", "field 'input_length': 0 tokens"},
      {"{\"timestamp\": 1, \"input_length\": 5, \"output_length\": 0}\n", "field 'output_length': 0 tokens"},
  }));
  INFO(text);
  INFO(complaint(text));
  CHECK(contains(complaint(text), expected));
}

TEST_CASE("files that are absent, empty, without a request or of no known format", "[reader][bad]") {
  CHECK(contains(complaint_of([] { read_workload("no/such/file.csv"); }), "no/such/file.csv: cannot be read"));
  CHECK(contains(complaint_of([] { read_workload(STAGECRAFT_SOURCE_DIR); }), "cannot be read"));
  CHECK(contains(complaint(""), "the file is empty"));
  CHECK(contains(complaint(kOurs), "no request follows the first line"));
  CHECK(contains(complaint("prompt,output\n1,2\n"), "line 1: 'prompt,output' is not the first line of a workload"));
  CHECK(contains(complaint("prompt,output\n1,2\n"), "begins with 'arrival_s,prompt_tokens,output_tokens'"));
}

}  // namespace
}  // namespace stagecraft
