#include "kernels/simulator/runtime/symbols.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <tuple>

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace simt::runtime {
namespace {

/// The program's file, mapped for reading; empty, if it cannot be.
class ProgramFile {
 public:
  ProgramFile() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file >= 0 && fstat(file, &status) == 0) {
      bytes_ = static_cast<size_t>(status.st_size);
      void* mapped = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
      if (mapped != MAP_FAILED) data_ = static_cast<const char*>(mapped);
    }
    if (file >= 0) close(file);
  }
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;
  ~ProgramFile() {
    if (data_) munmap(const_cast<char*>(data_), bytes_);
  }

  explicit operator bool() const { return data_ != nullptr; }
  template <class T>
  const T* at(size_t offset) const {
    return reinterpret_cast<const T*>(data_ + offset);
  }

 private:
  const char* data_ = nullptr;
  size_t bytes_ = 0;
};

const Symbol* find(const std::vector<Symbol>& sorted, uintptr_t address) {
  auto after = std::upper_bound(sorted.begin(), sorted.end(), address,
                                [](uintptr_t a, const Symbol& symbol) { return a < symbol.begin; });
  if (after == sorted.begin()) return nullptr;
  const Symbol& candidate = *--after;
  return candidate.holds(address) ? &candidate : nullptr;
}

size_t round_up(size_t bytes, size_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

/// Where the parameter list that starts at or after `from` begins, outside of template arguments.
size_t parameters_begin(const std::string& name) {
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    // "(anonymous namespace)" is a name, no parameter list.
    if (name[i] == '(' && depth == 0 && name.compare(i, 10, "(anonymous") != 0) return i;
  }
  return name.size();
}

void erase_all(std::string& text, const std::string& what) {
  for (size_t at; (at = text.find(what)) != std::string::npos;) text.erase(at, what.size());
}

}  // namespace

const Symbols& Symbols::of_this_program() {
  static const Symbols& symbols = *new Symbols;
  return symbols;
}

Symbols::Symbols() {
  read_layout();
  read_names();
}

void Symbols::read_layout() {
  const auto visit = [](dl_phdr_info* program, size_t, void* self) {
    Symbols& symbols = *static_cast<Symbols*>(self);
    symbols.load_address_ = program->dlpi_addr;
    for (int i = 0; i < program->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = program->dlpi_phdr[i];
      if (part.p_type != PT_TLS) continue;
      symbols.thread_local_bytes_ = part.p_memsz;
      symbols.thread_local_alignment_ = std::max<size_t>(part.p_align, 1);
    }
    return 1;  // the first one visited is the program itself: that is enough
  };
  dl_iterate_phdr(visit, this);
  std::tie(image_begin_, image_end_) = program_image();
}

std::pair<uintptr_t, uintptr_t> program_image() {
  std::pair<uintptr_t, uintptr_t> image{~uintptr_t{0}, 0};
  const auto visit = [](dl_phdr_info* program, size_t, void* result) {
    auto& [begin, end] = *static_cast<std::pair<uintptr_t, uintptr_t>*>(result);
    for (int i = 0; i < program->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = program->dlpi_phdr[i];
      if (part.p_type != PT_LOAD) continue;
      begin = std::min<uintptr_t>(begin, program->dlpi_addr + part.p_vaddr);
      end = std::max<uintptr_t>(end, program->dlpi_addr + part.p_vaddr + part.p_memsz);
    }
    return 1;
  };
  dl_iterate_phdr(visit, &image);
  return image;
}

void Symbols::read_names() {
  const ProgramFile file;
  if (!file) return;
  const auto* header = file.at<ElfW(Ehdr)>(0);
  const auto* sections = file.at<ElfW(Shdr)>(header->e_shoff);
  for (int s = 0; s < header->e_shnum; ++s) {
    if (sections[s].sh_type != SHT_SYMTAB) continue;
    const auto* symbols = file.at<ElfW(Sym)>(sections[s].sh_offset);
    const char* names = file.at<char>(sections[sections[s].sh_link].sh_offset);
    for (size_t i = 0; i < sections[s].sh_size / sizeof *symbols; ++i) {
      const ElfW(Sym)& symbol = symbols[i];
      if (symbol.st_size == 0) continue;
      const char* name = names + symbol.st_name;
      const unsigned type = ELF64_ST_TYPE(symbol.st_info);
      if (type == STT_FUNC) functions_.push_back({load_address_ + symbol.st_value, symbol.st_size, name});
      if (type == STT_TLS) thread_locals_.push_back({symbol.st_value, symbol.st_size, name});
    }
  }
  const auto by_address = [](const Symbol& a, const Symbol& b) { return a.begin < b.begin; };
  std::sort(functions_.begin(), functions_.end(), by_address);
  std::sort(thread_locals_.begin(), thread_locals_.end(), by_address);
}

const Symbol* Symbols::function_at(uintptr_t address) const { return find(functions_, address); }

const Symbol* Symbols::thread_local_at(size_t offset) const { return find(thread_locals_, offset); }

// ELF handling for thread-local storage (Drepper 2013): the program's block ends at the thread pointer on x86-64
// (variant II) and starts 16 bytes above it on aarch64 (variant I).
uintptr_t Symbols::thread_local_block() const {
  const uintptr_t thread_pointer = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
#if defined(__x86_64__)
  return thread_pointer - round_up(thread_local_bytes_, thread_local_alignment_);
#else
  constexpr size_t kControlBlock = 16;
  return thread_pointer + round_up(kControlBlock, thread_local_alignment_);
#endif
}

uintptr_t code_address(uint32_t low_bits) {
  const uintptr_t begin = program_image().first;
  return begin + static_cast<uint32_t>(low_bits - static_cast<uint32_t>(begin));
}

std::string readable(const std::string& linker_name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(linker_name.c_str(), nullptr, nullptr, &status), std::free);
  std::string name = status == 0 ? demangled.get() : linker_name;
  erase_all(name, "(anonymous namespace)::");
  // A template's name starts with its return type; a kernel's is void.
  if (name.compare(0, 5, "void ") == 0) name.erase(0, 5);
  const size_t parameters = parameters_begin(name);
  const size_t local = name.find(")::", parameters);
  const std::string variable = local == std::string::npos ? "" : name.substr(local + 1);
  return name.substr(0, parameters) + variable;
}

}  // namespace simt::runtime
