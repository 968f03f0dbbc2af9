#pragma once
/// @file
/// CUDA spellings that no host compiler accepts, found before it answers with a page of errors.
#include <string>

namespace simt::command {

/// Throws stagecraft::BadInput at the first one, with the line and what to write instead.
void check_source(const std::string& file);

}  // namespace simt::command
