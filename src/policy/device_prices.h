#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "objects/objects.h"

namespace fairlead::policy {

// What the rest of a shared device is worth: the most that shares which are expected could earn on
// it, each at its price. A share that others complement to a whole device is worth all that it
// asks; one beside which much stays empty is worth less.
class DevicePrices {
 public:
  static constexpr std::int64_t kWhole = 1000;       // thousandths of a device
  static constexpr std::int64_t kWorth = 1'000'000;  // of a whole device that is used up

  // Cost: O(kinds of shares × 400,000) at most; nothing where they are the same as before.
  void Make(std::span<const objects::TypicalPod> typical);

  // Of so many thousandths that are free on one device. REQUIRES: 0 ≤ milli ≤ kWhole.
  std::int64_t WorthOf(std::int64_t milli) const { return worth_[static_cast<std::size_t>(milli)]; }

 private:
  std::vector<objects::TypicalPod> typical_;  // that worth_ was made of
  std::array<std::int64_t, kWhole + 1> worth_ = {};
};

}  // namespace fairlead::policy
