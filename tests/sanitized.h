#pragma once
/// @file
/// Whether this is a build for a sanitizer, which runs three to thirty times slower: long random runs are then shorter. Every
/// behaviour is still tested.

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STAGECRAFT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define STAGECRAFT_SANITIZED 1
#endif
#endif

namespace stagecraft::testing {

#ifdef STAGECRAFT_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// How often to repeat something: `full` times, but `fewer` under a sanitizer.
constexpr int repetitions(int full, int fewer) { return kSanitized ? fewer : full; }

}  // namespace stagecraft::testing
