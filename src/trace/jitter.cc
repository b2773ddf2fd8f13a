#include "trace/jitter.h"

#include <string>

#include "base/random.h"

namespace fairlead::trace {
namespace {

constexpr std::string_view kArrivesAt = "fairlead.dev/arrives-at";

}  // namespace

void Jitter(std::vector<objects::Object>& objects, std::uint64_t seed, Duration most) {
  const auto bound = static_cast<std::uint64_t>(most.WholeSeconds()) + 1;
  Random random(seed);
  for (objects::Object& object : objects) {
    for (auto& [key, value] : objects::MetaOf(object).annotations) {
      if (key != kArrivesAt) continue;
      const Result<Duration> arrives = ParseDuration(value);
      // One that is no duration is refused where it is submitted.
      const Duration later = Duration::Seconds(static_cast<std::int64_t>(random.Below(bound)));
      if (arrives) value = FormatDuration(*arrives + later);
    }
  }
}

}  // namespace fairlead::trace
