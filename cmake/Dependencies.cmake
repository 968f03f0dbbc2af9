# Every dependency is a Debian package. One that is missing is named in one line, all of them at once.

set(STAGECRAFT_MISSING_PACKAGES "")

macro(stagecraft_need package header variable)
  find_path(${variable}_HEADER ${header})
  if(NOT ${variable}_HEADER)
    list(APPEND STAGECRAFT_MISSING_PACKAGES ${package})
  endif()
endmacro()

stagecraft_need(libfmt-dev fmt/format.h FMT)
stagecraft_need(nlohmann-json3-dev nlohmann/json.hpp JSON)
stagecraft_need(libcli11-dev CLI/CLI.hpp CLI11)
stagecraft_need(libpcre2-dev pcre2.h PCRE2)
stagecraft_need(libutf8proc-dev utf8proc.h UTF8PROC)
stagecraft_need(libhwy-dev hwy/highway.h HIGHWAY)
if(NOT DEFINED STAGECRAFT_TESTS OR STAGECRAFT_TESTS)
  find_path(CATCH2_HEADER NAMES catch2/catch.hpp catch2/catch_all.hpp)
  if(NOT CATCH2_HEADER)
    list(APPEND STAGECRAFT_MISSING_PACKAGES catch2)
  endif()
endif()

if(STAGECRAFT_MISSING_PACKAGES)
  list(JOIN STAGECRAFT_MISSING_PACKAGES " " packages)
  message(FATAL_ERROR "missing packages; install them with: sudo apt-get install -y ${packages}")
endif()

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

# PCRE2, utf8proc and Highway ship no CMake package on the oldest distribution we support.
function(stagecraft_library name header_directory library)
  find_library(${name}_LIBRARY ${library} REQUIRED)
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE ${header_directory})
  target_link_libraries(${name} INTERFACE ${${name}_LIBRARY})
endfunction()

stagecraft_library(pcre2_8 ${PCRE2_HEADER} pcre2-8)
stagecraft_library(utf8proc ${UTF8PROC_HEADER} utf8proc)
stagecraft_library(highway ${HIGHWAY_HEADER} hwy)
