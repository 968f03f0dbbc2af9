/// @file
/// simt::runtime::SourceLines by way of the check.
#include "labs/support/line_client.h"

#include "kernels/simulator/runtime/source_lines.h"
#include "kernels/simulator/runtime/symbols.h"
#include "labs/support/message.h"
#include "labs/support/pipes.h"

namespace stagecraft::labs {
namespace {

bool& asking() {
  static bool on = true;
  return on;
}

}  // namespace

void ask_for_lines(bool yes) { asking() = yes; }

}  // namespace stagecraft::labs

namespace simt::runtime {

using stagecraft::labs::kAnswerPipe;
using stagecraft::labs::kRequestPipe;
using stagecraft::labs::kWhichLines;
using stagecraft::labs::Message;

SourceLines::SourceLines(const std::vector<uintptr_t>& addresses) {
  for (const uintptr_t address : addresses) lines_[address];
  if (lines_.empty() || !stagecraft::labs::asking()) return;
  const uintptr_t load_address = Symbols::of_this_program().load_address();
  std::vector<int64_t> in_file;
  for (const auto& [address, line] : lines_) in_file.push_back(int64_t(address - load_address - 1));
  if (!send(kAnswerPipe, Message(kWhichLines).set("addresses", in_file))) return;
  const Message answer = stagecraft::labs::receive(kRequestPipe);
  size_t next = 0;
  for (auto& [address, line] : lines_) {
    line = {answer.text("file " + std::to_string(next)), int(answer.integers("lines")[next])};
    ++next;
  }
}

const SourceLine& SourceLines::at(uintptr_t address) const { return lines_.at(address); }

std::string function_name(const void* function) {
  const Symbol* symbol = Symbols::of_this_program().function_at(reinterpret_cast<uintptr_t>(function));
  return symbol ? readable(symbol->name) : "kernel";
}

}  // namespace simt::runtime
