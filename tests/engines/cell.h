#pragma once
/// @file
/// A cell of the matrix: an engine with all its options, a device, and a set of requests. Cells are not listed by hand:
/// each is drawn from a seed and a number, so there are as many as one has time for, and one that fails can be had again.
///
/// | what is drawn                                                            | EXACTNESS            |
/// |--------------------------------------------------------------------------|----------------------|
/// | batch, max_running, token budget: a row among 1 ... 12 requests' rows    | T1 (whole engine)    |
/// | stage 2 against stage 1: stored keys against computing everything again  | T2                   |
/// | chunk 1, 2, 7, 16, 63, 64, 65, all                                       | T3                   |
/// | stage 4 (runs of slots), stages 5 and 6 (blocks of 1, 2, 16, 32, 256)    | T4                   |
/// | stages, temperatures 0, 0.7, 1.5, arrivals, stop texts, ends of text     | T5                   |
/// | drafter, draft length 1, 2, 4, 7, 8, fixed or adaptive                   | T6                   |
/// | pool: barely the longest request ... all that is asked for               | T7 preemption        |
/// | prefix cache on or off, shared prefixes, equal prompts, samples          | T8                   |
/// | who else is there, in which row: the expected tokens are made one by one | T9                   |
/// | device: cpu at each instruction set, simulator; type of K and V          | T10                  |
/// | the broken kernels of matrix_control_test.cpp                            | T11                  |
/// | every eighth cell runs twice and must be the same step by step           | T12                  |
#include <optional>
#include <string>
#include <vector>

#include "stages/6_speculative_decoding/engine.h"
#include "stages/6_speculative_decoding/ngram_drafter.h"
#include "stages/core/job.h"

namespace stagecraft::testing {

enum class Drafting { none, oracle, always_wrong, accept_first, random, ngram, model };

struct Cell {
  uint64_t seed = 1;
  int number = 0;

  int stage = 2;
  std::string model = "models/tales-400k";
  std::string device = "cpu";  // a name that engine_model() knows
  NumberType kv_type = NumberType::bf16;
  std::vector<TokenId> end_of_text;  // what ends a request, if anything
  bool twice = false;                // runs twice, and both runs must be the same

  int batch = 1;               // stage 3
  SchedulerOptions scheduler;  // from stage 4 on
  int64_t token_budget = 256;

  int64_t block_size = PagedKvShape::kDefaultBlockSize;  // from stage 5 on
  std::optional<int64_t> pool_blocks;                    // absent: as many as all requests could need
  double watermark = PagedPoolOptions::kDefaultWatermark;
  bool prefix_cache = true;
  bool watched = false;  // the engine's parts, looked at after every step (watched_engine.h)

  Drafting drafting = Drafting::none;  // stage 6
  int right = 1;                       // accept_first
  std::string draft_model;             // Drafting::model
  std::optional<int64_t> draft_blocks;
  NgramOptions ngram;
  DraftLengthOptions length;

  std::vector<Job> jobs;
};

/// Cell `number` of `seed`: the same on every machine that has the same devices.
Cell draw_cell(uint64_t seed, int number);

PagedOptions paged_options(const Cell& cell, int64_t kv_bytes_per_token);

/// Options that differ from a plain run, and the requests, one a line.
std::string describe(const Cell& cell);

std::string_view name_of(Drafting drafting);

}  // namespace stagecraft::testing
