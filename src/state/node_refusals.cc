#include "state/node_refusals.h"

#include <algorithm>
#include <utility>

namespace fairlead::state {

Time NodeRefusals::Avoidance::Until() const {
  constexpr int kMostDoublings = 4;  // the fifth is more than an hour
  constexpr Duration kFirst = Duration::Seconds(300), kMost = Duration::Seconds(3600);
  const int doublings = std::clamp(times - 1, 0, kMostDoublings);
  return newest + std::min(Duration{kFirst.us << doublings}, kMost);
}

NodeRefusals::Refusal* NodeRefusals::FindOf(const std::string& pod, Place place) {
  const auto known = by_pod_.find(pod);
  if (known == by_pod_.end()) return nullptr;
  const auto at = std::ranges::find(known->second, place, &Refusal::place);
  return at == known->second.end() ? nullptr : &*at;
}

void NodeRefusals::Add(const std::string& pod, Place place, Time at, const std::string& message) {
  const Refusal* known = FindOf(pod, place);
  if (known != nullptr && known->at == at) return;
  Remove(pod);  // it is another pod of that name
  by_pod_[pod].push_back({.place = place, .at = at, .message = message});
  Recount(place);
  BeginAnew(place);
}

void NodeRefusals::AddAgain(const std::string& pod, Place place, Time at,
                            const std::string& message) {
  if (Refusal* known = FindOf(pod, place)) {
    ++known->times;
    known->at = at;
    known->message = message;
  } else {
    by_pod_[pod].push_back({.place = place, .at = at, .message = message});
  }
  Recount(place);
  BeginAnew(place);
}

void NodeRefusals::Remove(std::string_view pod) {
  const auto known = by_pod_.find(pod);
  if (known == by_pod_.end()) return;
  const std::vector<Refusal> gone = std::move(known->second);
  by_pod_.erase(known);
  for (const Refusal& refusal : gone) Recount(refusal.place);
}

void NodeRefusals::RemoveFailed(std::string_view pod) {
  const auto known = by_pod_.find(pod);
  if (known == by_pod_.end()) return;
  const auto at = std::ranges::find(known->second, By::kKubelet,
                                    [](const Refusal& refusal) { return refusal.place.by; });
  if (at == known->second.end()) return;
  const Place place = at->place;
  known->second.erase(at);
  if (known->second.empty()) by_pod_.erase(known);
  Recount(place);
}

// Whenever it was: times in objects are whole seconds, and it may have ended within this one.
void NodeRefusals::BeginAnew(Place place) {
  places_.at(place).is_over = false;
  changed_.push_back(place);
}

void NodeRefusals::Recount(Place place) {
  Avoidance& avoidance = places_[place];
  avoidance.times = 0;
  for (const auto& [pod, refusals] : by_pod_) {
    const auto refusal = std::ranges::find(refusals, place, &Refusal::place);
    if (refusal == refusals.end()) continue;
    const bool is_newest = avoidance.times == 0 || refusal->at >= avoidance.newest;
    avoidance.times += refusal->times;
    if (!is_newest) continue;
    avoidance.newest = refusal->at;
    avoidance.message = refusal->message;
  }
  if (avoidance.times == 0) {
    End(place, avoidance);
    places_.erase(place);
  }
}

void NodeRefusals::End(Place place, Avoidance& avoidance) {
  if (!std::exchange(avoidance.is_over, true)) changed_.push_back(place);
}

void NodeRefusals::NodeChanged(NodeId n) {
  for (auto& [place, avoidance] : places_) {
    if (place.node == n) End(place, avoidance);
  }
}

void NodeRefusals::PassTo(Time now) {
  for (auto& [place, avoidance] : places_) {
    if (avoidance.Until() <= now) End(place, avoidance);
  }
}

const NodeRefusals::Avoidance* NodeRefusals::Find(Place place) const {
  const auto at = places_.find(place);
  return at == places_.end() || at->second.is_over ? nullptr : &at->second;
}

std::optional<Time> NodeRefusals::NextEnd() const {
  std::optional<Time> next;
  for (const auto& [place, avoidance] : places_) {
    if (!avoidance.is_over) next = std::min(next.value_or(avoidance.Until()), avoidance.Until());
  }
  return next;
}

std::vector<NodeRefusals::Place> NodeRefusals::TakeChanged() { return std::exchange(changed_, {}); }

}  // namespace fairlead::state
