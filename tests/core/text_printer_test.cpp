/// @file
/// Several requests on one stream: in order, with headings, and no piece lost.
#include "stages/core/text_printer.h"

#include <csignal>
#include <memory>
#include <string>

#include <unistd.h>

#include "kernels/check.h"
#include "tests/catch.h"

using namespace stagecraft;

namespace {

/// A stream whose content can be looked at.
class MemoryStream {
 public:
  MemoryStream() : file_(::open_memstream(&data_, &size_)) {}
  ~MemoryStream() {
    std::fclose(file_);
    std::free(data_);
  }
  std::FILE* file() { return file_; }
  std::string text() {
    std::fflush(file_);
    return {data_, size_};
  }

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
  std::FILE* file_;
};

}  // namespace

TEST_CASE("one request prints its text as it comes, and nothing else but a last line break", "[printer]") {
  MemoryStream out;
  TextPrinter printer(out.file(), 1);
  printer.text(0, "Once");
  CHECK(out.text() == "Once");
  printer.text(0, " upon");
  printer.finished(0);
  CHECK(out.text() == "Once upon\n");
}

TEST_CASE("requests that run at the same time are printed one after the other", "[printer]") {
  MemoryStream out;
  TextPrinter printer(out.file(), 3);
  printer.text(1, "b1 ");
  printer.text(0, "a1 ");
  printer.text(2, "c1 ");
  printer.finished(2);
  CHECK(out.text() == "=== prompt 1 of 3 ===\na1 ");
  printer.text(1, "b2");
  printer.finished(0);
  CHECK(out.text() == "=== prompt 1 of 3 ===\na1 \n=== prompt 2 of 3 ===\nb1 b2");
  printer.text(1, "!");
  printer.finished(1);
  CHECK(out.text() == "=== prompt 1 of 3 ===\na1 \n=== prompt 2 of 3 ===\nb1 b2!\n=== prompt 3 of 3 ===\nc1 \n");
}

TEST_CASE("a reader that has gone is noticed and not an error", "[printer]") {
  const auto previous = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  ::close(ends[0]);
  std::FILE* out = ::fdopen(ends[1], "w");
  TextPrinter printer(out, 1);
  CHECK_FALSE(printer.reader_gone());
  printer.text(0, "Once");
  CHECK(printer.reader_gone());
  printer.text(0, " upon");
  std::fclose(out);
  std::signal(SIGPIPE, previous);
}

TEST_CASE("a full disk is a failure", "[printer]") {
  std::FILE* out = std::fopen("/dev/full", "w");
  REQUIRE(out != nullptr);
  TextPrinter printer(out, 1);
  CHECK_THROWS_AS(printer.text(0, "Once"), Failure);
  std::fclose(out);
}
