#include <algorithm>

#include "intake/intake.h"

namespace fairlead::intake {

Time NewestTime(const std::vector<objects::Object>& objects) {
  std::optional<Time> newest;
  for (const objects::Object& object : objects) {
    const std::optional<Time>& time = objects::MetaOf(object).newest_time;
    if (time && (!newest || *newest < *time)) newest = time;
  }
  constexpr Time kYear2000{946'684'800'000'000};  // 2000-01-01T00:00:00Z
  return newest.value_or(kYear2000);
}

}  // namespace fairlead::intake
