#include "kube/backoff.h"

#include <algorithm>

namespace fairlead::kube {

std::uint64_t Random::Next() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Duration Random::Between(Duration low, Duration high) {
  const auto width = static_cast<std::uint64_t>((high - low).us) + 1;
  return low + Duration{static_cast<std::int64_t>(Below(width))};
}

Duration Backoff::Next(Time now) {
  if (rested(now)) failures_ = 0;
  last_ = now;
  constexpr int kMaxDoublings = 20;
  Duration bound = limits_.first;
  for (int i = 0; i < std::min(failures_, kMaxDoublings) && bound < limits_.most; ++i) {
    bound = std::min(bound + bound, limits_.most);
  }
  ++failures_;
  return random_.Between({}, bound);
}

}  // namespace fairlead::kube
