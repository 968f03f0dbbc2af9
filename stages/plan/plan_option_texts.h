#pragma once
/// @file
/// The values of plan's options as they were written, with their defaults.
#include <algorithm>
#include <string>
#include <thread>

#include "stages/plan/plan_options.h"

namespace stagecraft {

struct PlanOptions::Texts {
  std::string model, gpu, gpu_memory, gpu_bandwidth, gpu_tflops, gpus = "1", weights = "bf16", kv = "bf16";
  std::string prompt = "512", output = "256", longest, workload, requests, prefix_share = "0";
  std::string rate, peak = "1", ttft = "2000", tpot = "100", price;
  std::string bandwidth_share = "0.70", flop_share = "0.65", overhead = "200", all_reduce = "17", memory_share = "0.9",
              step_tokens = "2048";
  std::string lever_prefix = "0.5", drafted = "4", acceptance = "0.7", draft_cost = "0.05";
  std::string api_input, api_output, api_cached, per_day = "0";
  std::string agent_steps, agent_system = "1000", agent_answer = "200", agent_tool = "800", agent_window;
  std::string json, report;
  std::string threads = std::to_string(std::max(1u, std::thread::hardware_concurrency())), rounds = "3",
              check_seconds = "8";
  bool list = false, published = false, check = false, processor_time = false;
};

}  // namespace stagecraft
