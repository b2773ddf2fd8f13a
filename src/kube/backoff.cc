#include "kube/backoff.h"

#include <algorithm>

namespace fairlead::kube {

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
