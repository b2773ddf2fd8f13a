#include "account/jitter.h"

#include <map>
#include <string>

#include "base/random.h"
#include "virtual/world.h"

namespace fairlead::account {
namespace {

// The Workload that the object is, or whose pod it says it is; empty: none.
std::string GangOf(const objects::Object& object) {
  const objects::Meta& meta = objects::MetaOf(object);
  if (std::holds_alternative<objects::Workload>(object)) return meta.Key();
  if (!std::holds_alternative<objects::Pod>(object)) return {};
  const std::string* workload = objects::FindLabel(meta.labels, virtual_cluster::kWorkloadLabel);
  return workload == nullptr ? std::string() : meta.name_space + "/" + *workload;
}

}  // namespace

void Jitter(std::vector<objects::Object>& objects, std::uint64_t seed, Duration most) {
  const auto bound = static_cast<std::uint64_t>(most.WholeSeconds()) + 1;
  Random random(seed);
  std::map<std::string, Duration> of_gangs;
  const auto draw = [&] {
    return Duration::Seconds(static_cast<std::int64_t>(random.Below(bound)));
  };
  for (objects::Object& object : objects) {
    if (std::holds_alternative<objects::Node>(object)) continue;
    for (auto& [key, value] : objects::MetaOf(object).annotations) {
      if (key != virtual_cluster::kArrivesAt) continue;
      const Result<Duration> arrives = ParseDuration(value);
      Duration later = draw();
      if (const std::string gang = GangOf(object); !gang.empty()) {
        later = of_gangs.try_emplace(gang, later).first->second;
      }
      // One that is no duration is refused where it is submitted.
      if (arrives) value = FormatDuration(*arrives + later);
    }
  }
}

}  // namespace fairlead::account
