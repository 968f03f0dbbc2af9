#pragma once
/// @file
/// Inter-token latency over the tokens of an output, as SVG: flat where each token costs the same, rising where it
/// costs more the longer the text is.
#include <string>
#include <vector>

#include "stages/core/run_log.h"

namespace stagecraft {

/// One dot a chunk after the first: how many tokens were out before it, and how long the client waited for it. Colours
/// come from the page. Empty if no request has two chunks.
std::string itl_chart(const std::vector<RequestRecord>& requests);

}  // namespace stagecraft
