#include "virtual/world.h"

#include <algorithm>
#include <utility>

namespace fairlead::virtual_cluster {

void World::Emit(const Event& event) {
  digest.Add(event.time.us);
  digest.Add(static_cast<std::int64_t>(event.type));
  digest.Add(event.pod);
  digest.Add(event.node);
  digest.Add(event.workload);
  digest.Add(event.object);
  digest.Add(event.beneficiary);
  for (const engine::PodSetCount& set : event.pod_sets) {
    digest.Add(set.name);
    digest.Add(set.count);
  }
  driver.Tell(event);
}

void World::WantSync(SlotId owner) {
  if (!owner.valid() || store[owner].sync_wanted) return;
  store[owner].sync_wanted = true;
  to_sync.push_back(HandleOf(owner));
}

void World::Stamp(objects::Meta& meta) {
  ++objects_made;
  if (!meta.creation_time) meta.creation_time = now;
  if (!meta.uid.empty()) return;
  // Looks like a uid, and counts: the same run gives the same uids.
  static constexpr char kDigits[] = "0123456789abcdef";
  meta.uid = "00000000-0000-4000-8000-000000000000";
  std::uint64_t rest = objects_made;
  for (std::size_t i = meta.uid.size(); rest != 0 && i > 24; --i, rest >>= 4) {
    meta.uid[i - 1] = kDigits[rest & 15];
  }
}

void SetLabel(objects::Labels& labels, std::string_view key, std::string value) {
  const auto at =
      std::lower_bound(labels.begin(), labels.end(), key,
                       [](const auto& label, std::string_view k) { return label.first < k; });
  if (at != labels.end() && at->first == key) {
    at->second = std::move(value);
  } else {
    labels.emplace(at, std::string(key), std::move(value));
  }
}

void DropLabel(objects::Labels& labels, std::string_view key) {
  std::erase_if(labels, [key](const auto& label) { return label.first == key; });
}

}  // namespace fairlead::virtual_cluster
