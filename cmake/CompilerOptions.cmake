# What every target of the project is compiled with: link `stagecraft_options`.
#
# -ffp-contract=off is part of the exactness contract (R10): a*b+c is two roundings unless fmaf is written out.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

set(STAGECRAFT_SANITIZE "" CACHE STRING "sanitizers for all targets, e.g. address,undefined or thread")

find_package(Threads REQUIRED)

add_library(stagecraft_options INTERFACE)
target_include_directories(stagecraft_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(stagecraft_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  -ffp-contract=off)
target_link_libraries(stagecraft_options INTERFACE Threads::Threads)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 11 and 12 warn falsely about std::string inside optional and variant at -O2.
  target_compile_options(stagecraft_options INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
endif()

if(STAGECRAFT_SANITIZE)
  # -O1 -g1, after the flags of the build type: half the time to compile, and reports still name functions and lines.
  # Assertions of the standard library see an index between a vector's size and its capacity, which is valid memory.
  target_compile_options(stagecraft_options INTERFACE
    -fsanitize=${STAGECRAFT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -O1 -g1)
  target_compile_definitions(stagecraft_options INTERFACE _GLIBCXX_ASSERTIONS)
  if(STAGECRAFT_SANITIZE MATCHES "undefined")
    # Three checks that cost a third of the time to compile, of errors that AddressSanitizer stops at.
    target_compile_options(stagecraft_options INTERFACE -fno-sanitize=vptr,null,object-size)
  endif()
  target_link_options(stagecraft_options INTERFACE -fsanitize=${STAGECRAFT_SANITIZE})
endif()
