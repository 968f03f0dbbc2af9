#pragma once
/// @file
/// The descriptors that connect a check with the learner's process, and the few names they agree on.
namespace stagecraft::labs {

inline constexpr int kRequestPipe = 3;  // the learner's process reads
inline constexpr int kAnswerPipe = 4;   // the learner's process writes

inline constexpr const char* kNoMoreCalls = "no more calls";
inline constexpr const char* kWhichLines = "which lines";  // asked in the middle of a call
inline constexpr const char* kToken = "call token";        // comes with a call and goes back with its answer

}  // namespace stagecraft::labs
