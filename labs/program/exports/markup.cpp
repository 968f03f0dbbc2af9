#include "labs/program/exports/markup.h"

namespace stagecraft::labs {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (byte >= 0x20 || c == '\n' || c == '\t')
      result += c;
  }
  return result;
}

}  // namespace stagecraft::labs
