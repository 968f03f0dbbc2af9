#pragma once
/// @file
/// Inputs for kernel tests: distinct random numbers with the values that break kernels mixed in, and memory with NaN
/// around everything that a kernel may read.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "kernels/device.h"

namespace stagecraft::testing {

inline constexpr float kPoison = std::numeric_limits<float>::quiet_NaN();

/// Elements of NaN behind every input.
inline constexpr size_t kGuard = 64;

class RandomNumbers {
 public:
  explicit RandomNumbers(uint32_t seed) : engine_(seed) {}

  /// Mostly of magnitude 2^-4 to 2^4; now and then a zero of either sign, something huge or something subnormal.
  float number() {
    const uint32_t kind = engine_() % 64;
    const float sign = engine_() % 2 ? 1.0f : -1.0f;
    if (kind == 0) return sign * 0.0f;
    if (kind == 1) return sign * 1e-41f;
    if (kind == 2) return sign * 3e4f;
    return sign * std::ldexp(1.0f + float(engine_() % (1u << 23)) * 0x1p-23f, int(engine_() % 9) - 4);
  }
  /// Standard normal: what logits and activations look like.
  float normal() { return std::normal_distribution<float>()(engine_); }
  int64_t below(int64_t n) { return int64_t(engine_() % uint64_t(n)); }

  std::vector<float> numbers(int64_t n) {
    std::vector<float> all(static_cast<size_t>(n));
    for (float& x : all) x = number();
    return all;
  }
  std::vector<float> normals(int64_t n) {
    std::vector<float> all(static_cast<size_t>(n));
    for (float& x : all) x = normal();
    return all;
  }

 private:
  std::mt19937_64 engine_;
};

/// Numbers as they lie in a file or a cache.
struct StoredNumbers {
  NumberType type = NumberType::fp32;
  std::vector<std::byte> bytes;

  StoredNumbers() = default;
  StoredNumbers(NumberType its_type, const std::vector<float>& values)
      : type(its_type), bytes(values.size() * size_t(bytes_of(its_type))) {
    for (size_t i = 0; i < values.size(); ++i) put(i, values[i]);
  }
  void put(size_t i, float value) {
    with_elements(type, nullptr, [&]<class T>(const T*) {
      const T stored = round_to<T>(value);
      std::memcpy(bytes.data() + i * sizeof(T), &stored, sizeof(T));
    });
  }
};

/// A copy of host data on a device, with NaN (or for integers a huge value) behind it.
template <class T>
DeviceArray<T> on_device(Device& device, std::vector<T> host) {
  host.resize(host.size() + kGuard);
  std::memset(static_cast<void*>(host.data() + host.size() - kGuard), 0x7F, kGuard * sizeof(T));
  if constexpr (std::is_same_v<T, float>) std::fill(host.end() - kGuard, host.end(), kPoison);
  DeviceArray<T> array(device, host.size());
  array.copy_from(host.data(), host.size());
  return array;
}

inline DeviceArray<std::byte> on_device(Device& device, const StoredNumbers& numbers) {
  std::vector<std::byte> bytes = numbers.bytes;
  bytes.resize(bytes.size() + kGuard * size_t(bytes_of(numbers.type)), std::byte{0xFF});  // all ones: NaN in each type
  DeviceArray<std::byte> array(device, bytes.size());
  array.copy_from(bytes.data(), bytes.size());
  return array;
}

/// `n` floats of NaN: an output that has not been written.
inline DeviceArray<float> poisoned(Device& device, int64_t n) {
  return on_device(device, std::vector<float>(static_cast<size_t>(n), kPoison));
}

/// The first `n` elements, brought back.
template <class T>
std::vector<T> on_host(const DeviceArray<T>& array, int64_t n) {
  std::vector<T> host(static_cast<size_t>(n));
  array.copy_to(host.data(), host.size());
  return host;
}

}  // namespace stagecraft::testing
