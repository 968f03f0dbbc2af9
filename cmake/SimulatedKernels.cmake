# stagecraft_simulated_kernels(NAME file.cu ...) compiles kernels for the simulator, twice:
#
#   NAME_fast      -O2, no checks, blocks spread over all cores
#   NAME_checked   -O1 with -fsanitize=thread as instrumentation: the runtime defines the functions it calls, and finds
#                  races and bad addresses and counts memory traffic with them; libtsan is not linked
#
# Both define the same functions: a program links one of them. The target NAME_checked is missing where the whole build
# is sanitized already. Neither exists where the simulator is left out: ask with if(TARGET NAME_fast).
# A GPU build of the same files is kernels/cuda's business, where nvcc is found.

# What makes the compiler call the hooks.
set(hooks -O1 -g -fsanitize=thread -fno-optimize-sibling-calls)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND hooks "SHELL:--param tsan-instrument-func-entry-exit=0")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    list(APPEND hooks -fno-section-anchors)  # keeps each red zone before its variable
  endif()
  # -fno-weak: inline functions that plain code has too keep their hooks, instead of being merged with the plain ones.
  # It warns of every inline variable, without a name to switch that off by: -w. The fast build gives the warnings.
  # (Type information stays merged all the same, which libstdc++ would not think.)
  set(own_inline_functions -fno-weak -w -D__GXX_TYPEINFO_EQUALITY_INLINE=1)
else()
  list(APPEND hooks "SHELL:-mllvm -tsan-instrument-func-entry-exit=0" "SHELL:-mllvm -tsan-instrument-read-before-write=1"
    -fno-vectorize -fno-slp-vectorize -fno-unroll-loops)
  set(own_inline_functions "")
endif()
set(STAGECRAFT_HOOK_FLAGS ${hooks} CACHE INTERNAL "what makes the compiler call the simulator's hooks")
set(STAGECRAFT_CHECKED_FLAGS ${hooks} ${own_inline_functions} CACHE INTERNAL "what makes a kernel checked")

function(stagecraft_simulated_kernels name)
  if(NOT TARGET stagecraft_simulator)
    return()
  endif()
  set(variants fast)
  if(STAGECRAFT_SANITIZE)
    message(STATUS "simulator: ${name}_checked left out, the build is sanitized with ${STAGECRAFT_SANITIZE}")
  else()
    list(APPEND variants checked)
  endif()
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX)
  foreach(variant ${variants})
    add_library(${name}_${variant} STATIC ${ARGN})
    target_compile_options(${name}_${variant} PRIVATE "SHELL:-x c++")
    target_link_libraries(${name}_${variant} PUBLIC stagecraft_options stagecraft_simulator)
    # LTO would drop the hooks without a word.
    set_target_properties(${name}_${variant} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
  endforeach()
  target_compile_options(${name}_fast PRIVATE -O2 -g)
  if(TARGET ${name}_checked)
    target_compile_options(${name}_checked PRIVATE ${STAGECRAFT_CHECKED_FLAGS})
  endif()
endfunction()
