#pragma once
/// @file
/// The symbol table of the running program: names of functions, and names and sizes of shared variables (which are
/// thread-local variables to the host compiler).
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace simt::runtime {

struct Symbol {
  uintptr_t begin;  // of a function: its address; of a thread-local variable: its offset in the program's block
  size_t bytes;
  std::string name;  // as the linker knows it

  bool holds(uintptr_t address) const { return address - begin < bytes; }
};

class Symbols {
 public:
  /// Reads the program's file at the first call: a program that never needs names does not pay for them.
  static const Symbols& of_this_program();

  const Symbol* function_at(uintptr_t address) const;
  /// Local thread-local variables, ordered by offset; none, if the program was stripped.
  const std::vector<Symbol>& thread_locals() const { return thread_locals_; }
  const Symbol* thread_local_at(size_t offset) const;

  /// What is added to the addresses in the file; 0 for a program that is not position-independent.
  uintptr_t load_address() const { return load_address_; }
  /// The program's own code and data.
  bool image_holds(uintptr_t address) const { return address - image_begin_ < image_end_ - image_begin_; }
  /// Where the calling OS thread's copy of the program's thread-local block lies.
  uintptr_t thread_local_block() const;
  size_t thread_local_bytes() const { return thread_local_bytes_; }

 private:
  Symbols();
  void read_layout();
  void read_names();

  std::vector<Symbol> functions_, thread_locals_;
  uintptr_t load_address_ = 0;
  uintptr_t image_begin_ = 0, image_end_ = 0;
  size_t thread_local_bytes_ = 0;
  size_t thread_local_alignment_ = 1;
};

/// Where the program's own code and data lie: from, to. Does not read the program's file.
std::pair<uintptr_t, uintptr_t> program_image();

/// The code address of this program whose low 32 bits these are: a program is smaller than that.
uintptr_t code_address(uint32_t low_bits);

/// A linker's name as written in the source, without return type and parameters: "transpose<32>", "sum(...)::part" is
/// "sum::part".
std::string readable(const std::string& linker_name);

}  // namespace simt::runtime
