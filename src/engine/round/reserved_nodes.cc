#include "engine/round/reserved_nodes.h"

#include <algorithm>
#include <utility>

#include "base/sorted_set.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;

void ReservedNodes::Add(NodeId n, PodId p) {
  std::vector<PodId>& pods = by_node_[n.value()].pods;
  const auto at = std::lower_bound(pods.begin(), pods.end(), p);
  if (at == pods.end() || *at != p) pods.insert(at, p);
  Touch(n);
}

void ReservedNodes::Set(NodeId n, std::vector<PodId> pods, std::optional<Time> lapse) {
  Entry& entry = by_node_[n.value()];
  SetLapse(n, entry, pods.empty() ? Time::Max() : lapse.value_or(Time::Max()));
  std::sort(pods.begin(), pods.end());
  entry.pods = std::move(pods);
  if (entry.pods.empty()) by_node_.erase(n.value());
}

void ReservedNodes::SetLapse(NodeId n, Entry& entry, Time lapse) {
  if (entry.lapse == lapse) return;
  if (entry.lapse != Time::Max()) lapses_.erase({entry.lapse, n});
  if (lapse != Time::Max()) lapses_.insert({lapse, n});
  entry.lapse = lapse;
}

const std::vector<PodId>& ReservedNodes::On(NodeId n) const {
  static const std::vector<PodId> kNone;
  const auto at = by_node_.find(n.value());
  return at == by_node_.end() ? kNone : at->second.pods;
}

std::vector<NodeId> ReservedNodes::Nodes() const {
  std::vector<NodeId> nodes;
  nodes.reserve(by_node_.size());
  for (const auto& [n, entry] : by_node_) nodes.emplace_back(n);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

void ReservedNodes::Touch(NodeId n) {
  const auto at = by_node_.find(n.value());
  if (at == by_node_.end() || at->second.touched) return;
  at->second.touched = true;
  touched_.push_back(n);
}

void ReservedNodes::TouchAll() {
  for (NodeId n : Nodes()) Touch(n);
}

void ReservedNodes::TouchLapsed(Time now) {
  for (auto at = lapses_.begin(); at != lapses_.end() && at->first <= now; ++at) {
    Touch(at->second);
  }
}

void ReservedNodes::TouchRestless() {
  for (NodeId n : std::exchange(restless_, {})) Touch(n);
}

std::vector<NodeId> ReservedNodes::TakeTouched() {
  std::vector<NodeId> touched;
  touched.swap(touched_);
  std::erase_if(touched, [this](NodeId n) {
    const auto at = by_node_.find(n.value());
    if (at == by_node_.end()) return true;
    at->second.touched = false;
    return false;
  });
  MakeSet(touched);
  return touched;
}

std::optional<Time> ReservedNodes::NextLapse() const {
  if (lapses_.empty()) return std::nullopt;
  return lapses_.begin()->first;
}

}  // namespace fairlead::engine
