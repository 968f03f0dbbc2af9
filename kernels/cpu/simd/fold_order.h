#pragma once
/// @file
/// An order in which vectors of partial sums can be computed one after the other so that few of them wait. The fold adds
/// vector j + s to vector j for falling s. Visited in bit-reversed order (0 2 1 3) they arrive like the carries of a
/// binary counter: at most one waiting sum on each level.

namespace stagecraft::cpu {

constexpr int log2_of(int n) { return n == 1 ? 0 : 1 + log2_of(n / 2); }

/// The one of kCount vectors that is visited i-th: i with its bits reversed.
template <int kCount>
constexpr int visited(int i) {
  int vector = 0;
  for (int bit = 1; bit < kCount; bit *= 2) vector = vector * 2 + ((i & bit) ? 1 : 0);
  return vector;
}

/// How many waiting sums the vector visited i-th completes: they stand on levels 0 to level_of(i) - 1, and each is the
/// first operand of its addition.
constexpr int level_of(int i) {
  int level = 0;
  for (; i & 1; i /= 2) ++level;
  return level;
}

}  // namespace stagecraft::cpu
