#include "state/kubelet_refusals.h"

#include <algorithm>
#include <utility>

namespace fairlead::state {

Time KubeletRefusals::Avoidance::Until() const {
  constexpr int kMostDoublings = 4;  // the fifth is more than an hour
  constexpr Duration kFirst = Duration::Seconds(5 * 60), kMost = Duration::Seconds(60 * 60);
  const int doublings = std::clamp(times - 1, 0, kMostDoublings);
  return newest + std::min(Duration{kFirst.us << doublings}, kMost);
}

void KubeletRefusals::Add(const std::string& pod, Place place, Time at,
                          const std::string& message) {
  const auto [known, is_new] = by_pod_.try_emplace(pod);
  if (!is_new && known->second.place == place && known->second.at == at) return;
  const Place before = is_new ? place : known->second.place;
  known->second = {.place = place, .at = at, .message = message};
  if (before != place) Recount(before);
  Recount(place);
}

void KubeletRefusals::Remove(const std::string& pod) {
  const auto known = by_pod_.find(pod);
  if (known == by_pod_.end()) return;
  const Place place = known->second.place;
  by_pod_.erase(known);
  Recount(place);
}

// Another refusal begins it anew; one that is forgotten does not.
void KubeletRefusals::Recount(Place place) {
  Avoidance& avoidance = places_[place];
  const bool was_refused = avoidance.times > 0;
  const Time newest_before = avoidance.newest;
  avoidance.times = 0;
  for (const auto& [pod, refusal] : by_pod_) {
    if (refusal.place != place) continue;
    if (avoidance.times++ > 0 && refusal.at < avoidance.newest) continue;
    avoidance.newest = refusal.at;
    avoidance.message = refusal.message;
  }
  if (avoidance.times == 0) {
    End(place, avoidance);
    places_.erase(place);
  } else if (!was_refused || avoidance.newest > newest_before) {
    avoidance.is_over = false;
    changed_.push_back(place);
  }
}

void KubeletRefusals::End(Place place, Avoidance& avoidance) {
  if (!std::exchange(avoidance.is_over, true)) changed_.push_back(place);
}

void KubeletRefusals::NodeChanged(NodeId n) {
  for (auto& [place, avoidance] : places_) {
    if (place.node == n) End(place, avoidance);
  }
}

void KubeletRefusals::PassTo(Time now) {
  for (auto& [place, avoidance] : places_) {
    if (avoidance.Until() <= now) End(place, avoidance);
  }
}

const KubeletRefusals::Avoidance* KubeletRefusals::Find(Place place) const {
  const auto at = places_.find(place);
  return at == places_.end() || at->second.is_over ? nullptr : &at->second;
}

std::optional<Time> KubeletRefusals::NextEnd() const {
  std::optional<Time> next;
  for (const auto& [place, avoidance] : places_) {
    if (!avoidance.is_over) next = std::min(next.value_or(avoidance.Until()), avoidance.Until());
  }
  return next;
}

std::vector<KubeletRefusals::Place> KubeletRefusals::TakeChanged() {
  return std::exchange(changed_, {});
}

}  // namespace fairlead::state
