#pragma once
/// @file
/// In which order waiting requests are let in.
///
/// | policy                | next is                            | good for        | bad for                 |
/// |-----------------------|------------------------------------|-----------------|-------------------------|
/// | fcfs                  | who came first                     | fairness        | short ones behind long  |
/// | shortest_prompt_first | the shortest prompt                | mean TTFT       | long prompts            |
/// | priority              | the smallest Priority, as in vLLM  | who is paying   | who is not              |
///
/// The last two alone would let a request starve while better ones keep coming. So the scheduler counts how often a
/// waiting request is overtaken by a later one, and serves it next once that has happened `max_overtakes` times.
#include <string_view>

namespace stagecraft {

enum class Policy { fcfs, shortest_prompt_first, priority };

/// Smaller is more urgent.
using Priority = int;

/// "fcfs", "shortest-prompt-first" or "priority".
std::string_view name_of(Policy policy);

/// The reverse. Throws BadInput that lists the names.
Policy policy_from(std::string_view name);

}  // namespace stagecraft
