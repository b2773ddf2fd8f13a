#include "kube/micro_time.h"

#include <fmt/format.h>

namespace fairlead::kube {

std::string MicroTimeText(Time time) {
  constexpr std::int64_t kSecond = 1'000'000;
  const std::int64_t fraction = ((time.us % kSecond) + kSecond) % kSecond;
  std::string text = FormatTime({time.us - fraction});
  text.pop_back();  // Z
  return fmt::format("{}.{:06}Z", text, fraction);
}

}  // namespace fairlead::kube
