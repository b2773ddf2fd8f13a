#include "engine/round/freed_room.h"

#include <algorithm>

#include "policy/dynamic_demand.h"
#include "policy/entitlement.h"

namespace fairlead::engine {

using state::Figure;
using state::NodeId;
using state::QueueId;

void FreedRoom::Forget() {
  nodes_.clear();
  queues_.clear();
  at_.clear();
  known_.clear();
}

FreedRoom::OfNode& FreedRoom::On(NodeId n) {
  const auto [at, added] = at_.try_emplace(n.value(), static_cast<std::uint32_t>(nodes_.size()));
  if (added) nodes_.emplace_back().node = n;
  return nodes_[at->second];
}

// A step touches few queues.
FreedRoom::OfQueue& FreedRoom::In(QueueId q) {
  const auto at = std::find_if(queues_.begin(), queues_.end(),
                               [q](const OfQueue& of) { return of.queue == q; });
  if (at != queues_.end()) return *at;
  queues_.emplace_back().queue = q;
  return queues_.back();
}

void FreedRoom::Add(const state::Trial& trial) {
  using Act = state::Trial::Act;
  for (const state::Trial::Step& step : trial.steps()) {
    const std::int64_t times = step.act == Act::kEvict || step.act == Act::kRelease ? 1 : -1;
    const state::Pod& pod = cluster_.pods()[step.pod];
    const state::Shape& shape = cluster_.shapes()[pod.shape];
    OfNode& of_node = On(step.node);
    state::AddTo(of_node.amounts, shape.fit, times);
    of_node.devices |= shape.gpu_milli > 0;
    const state::QueueTree& queues = cluster_.queues();
    for (QueueId q = cluster_.workloads()[pod.workload].queue; q != state::QueueTree::Root();
         q = queues[q].parent) {
      state::AddTo(In(q).amounts, shape.request, times);
    }
  }
}

bool FreedRoom::any() const {
  auto more = [](const auto& of) {
    return std::any_of(of.amounts.begin(), of.amounts.end(),
                       [](const state::Amount& a) { return a.amount > 0; });
  };
  return std::any_of(nodes_.begin(), nodes_.end(), more) ||
         std::any_of(queues_.begin(), queues_.end(), more);
}

bool FreedRoom::MightServe(const Group& group) {
  if (HelpsRight(group)) return true;
  if (group.shape.valid()) return HelpsPods(group.shape, 1);
  return std::any_of(group.parts.begin(), group.parts.end(),
                     [this](const GangPart& part) { return HelpsPods(part.shape, part.count()); });
}

// A right or a limit that stood against the request, and leaves something of it by now.
bool FreedRoom::HelpsRight(const Group& group) const {
  const state::QueueTree& queues = cluster_.queues();
  return std::any_of(queues_.begin(), queues_.end(), [&](const OfQueue& of) {
    if (!state::IsWithin(queues, group.queue, of.queue)) return false;
    return std::any_of(group.request.begin(), group.request.end(), [&](const state::Amount& a) {
      const std::int64_t freed = state::AmountOf(of.amounts, a.resource);
      if (freed <= 0 || !queues.Counts(a.resource)) return false;
      const std::int64_t now = queues.Get(of.queue, Figure::kAllocated, a.resource);
      const std::int64_t lines[] = {
          queues.Get(of.queue, Figure::kLimit, a.resource),
          policy::ShareOf(queues, of.queue, a.resource, policy::Side::kTaker),
          queues.Get(of.queue, Figure::kGuaranteed, a.resource)};
      return std::ranges::any_of(
          lines, [&](std::int64_t line) { return now <= line && now + freed > line - a.amount; });
    });
  });
}

bool FreedRoom::HelpsPods(state::ShapeId s, std::int64_t pods) {
  const auto [known, added] = known_.try_emplace({s.value(), pods}, false);
  if (added) {
    const state::Shape& shape = cluster_.shapes()[s];
    const bool by_domains = policy::DependsOnDomains(cluster_, shape);
    const auto helps = [&](const OfNode& freed) {
      return HelpsOn(freed, shape, pods) && placer_.classes().Fits(s, freed.node);
    };
    known->second = by_domains || std::any_of(nodes_.begin(), nodes_.end(), helps);
  }
  return known->second;
}

// Of something that it asks the node had too little before, and has more now.
bool FreedRoom::HelpsOn(const OfNode& freed, const state::Shape& shape, std::int64_t pods) const {
  if (policy::IsWokenByLeaving(shape) || shape.gpu_milli > 0) return true;
  const std::int64_t* later = cluster_.nodes().later(freed.node);
  return std::any_of(shape.fit.begin(), shape.fit.end(), [&](const state::Amount& a) {
    const std::int64_t more = state::AmountOf(freed.amounts, a.resource);
    const bool of_devices = freed.devices && a.resource == state::kGpuWhole;
    return of_devices || (more > 0 && (later[a.resource.value()] - more) / pods < a.amount);
  });
}

}  // namespace fairlead::engine
