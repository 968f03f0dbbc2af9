#pragma once
/// @file
/// Catch2 in its second or third version: the one place where they differ.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // which the second version declares itself
#else
#include <catch2/catch.hpp>
#endif
