#pragma once
/// @file
/// Text inside XML and HTML.
#include <string>

namespace stagecraft::labs {

/// `text` with the characters that mean something to a parser written as entities, and those that XML forbids left out.
std::string escaped(const std::string& text);

}  // namespace stagecraft::labs
