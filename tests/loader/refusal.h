#pragma once
/// @file
/// What a refusal has to look like: BadInput, one line that names what is wrong, and a hint.
#include <initializer_list>
#include <string>
#include <string_view>

#include "kernels/check.h"
#include "tests/catch.h"

namespace stagecraft::testing {

/// Fails the test unless `work` throws BadInput whose message holds all of `parts`, on one line, with a hint. Returns
/// the hint.
template <class Work>
std::string require_refusal(Work&& work, std::initializer_list<std::string_view> parts) {
  try {
    work();
  } catch (const BadInput& error) {
    const std::string message = error.what();
    INFO("message: " << message << "\nhint: " << error.hint());
    for (const std::string_view part : parts) {
      INFO("must name: " << part);
      CHECK(message.find(part) != std::string::npos);
    }
    CHECK(message.find('\n') == std::string::npos);
    CHECK_FALSE(error.hint().empty());
    return error.hint();
  }
  FAIL("was accepted");
  return {};
}

}  // namespace stagecraft::testing
