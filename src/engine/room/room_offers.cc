// What the nodes would cost for one more pod, as a heap with the cheapest on top that is kept right
// lazily.
//
// An entry carries the version of its node. Whoever touches a node raises the version: the old
// entry is dead and is dropped when it comes up, the new one goes in beside it. A live entry may
// still be too cheap, since a donor that gave elsewhere may give less here: so it is worked out
// once more when it comes up, and goes back if it has become dearer. What comes up and is the same
// is the cheapest there is. What can make a node cheaper again, a donor that got more or a budget
// that eased, has all such nodes looked at anew.
//
// Worked: a costs 3, b costs 5. A pod goes to a; a is looked at again and costs 9 for the next.
// The heap holds a (3, dead), b (5), a (9): the first is dropped, b is the answer.

#include "engine/room/room_offers.h"

#include <algorithm>
#include <utility>

#include "base/sorted_set.h"
#include "policy/dynamic_demand.h"
#include "policy/preference.h"

namespace fairlead::engine {

using state::NodeId;

bool RoomOffers::Dearer(const Entry& a, const Entry& b) const {
  if (by_ == By::kRights && a.taken != b.taken) return a.taken > b.taken;
  if (a.cost != b.cost) return a.cost > b.cost;
  if (a.first != b.first && a.first.valid() && b.first.valid()) {
    return policy::GivesFirst(cluster_, b.first, a.first);
  }
  // Only a gang's pods are on several nodes.
  if (a.order != b.order) {
    return std::lexicographical_compare(b.order.begin(), b.order.end(), a.order.begin(),
                                        a.order.end(),
                                        [this](state::WorkloadId x, state::WorkloadId y) {
                                          return policy::GivesFirst(cluster_, x, y);
                                        });
  }
  if (a.place != b.place) return a.place > b.place;
  return cluster_.nodes().rank(a.node) > cluster_.nodes().rank(b.node);
}

bool RoomOffers::SameOffer(const Entry& a, const Entry& b) const {
  return a.taken == b.taken && a.cost == b.cost && a.first == b.first && a.order == b.order &&
         a.place == b.place;
}

RoomOffers::Entry RoomOffers::EntryOf(const VictimScope& scope, NodeId n,
                                      const NodeOffer& offer) const {
  Entry entry{.taken = 0,
              .cost = offer.cost,
              .first = offer.first,
              .order = {},
              .place = 0,
              .node = n,
              .version = versions_[n.value()]};
  if (const auto bounded = scope.bounded()) {
    for (const VictimUnit& unit : offer.units) {
      entry.taken += state::AmountOf(unit.amounts, *bounded);
    }
  }
  if (offer.gangs) {
    for (const VictimUnit& unit : offer.units) entry.order.push_back(unit.candidate.workload);
  }
  if (!offer.first.valid()) {
    // What is preferred is compared over all nodes that fit: it says which is the best.
    entry.place = n == preferred_ ? 0 : placer_.ScoreOf(shape_, n, state::When::kLater) + 1ULL;
  }
  return entry;
}

// A few instructions a pod tell it of most nodes that do not serve.
bool RoomOffers::RightsRefuse(const VictimScope& scope, NodeId n) {
  if (!scope.bounded()) return false;
  const RightsBound::OfNode bound = rights_.Of(scope, leaves_, shape_, n);
  refused_by_right_ |= bound.refused;
  return bound.pods == 0;
}

bool RoomOffers::Solve(const VictimScope& scope, const Outstanding& outstanding, NodeId n,
                       NodeOffer& offer) {
  const bool serves = victims_.Solve(scope, shape_, n, max_priority_, outstanding, offer);
  if (victims_.refused_by_budget()) refused_by_budget_.push_back(n);
  return serves;
}

void RoomOffers::Look(const VictimScope& scope, const Outstanding& outstanding, NodeId n) {
  ++versions_[n.value()];
  if (RightsRefuse(scope, n)) return;
  const bool serves = Solve(scope, outstanding, n, scratch_);
  convex_ &= scratch_.convex;
  gangs_ |= victims_.had_gangs();
  met_ceiling_ |= victims_.met_ceiling();
  if (!serves) {
    refused_by_right_ |= victims_.refused_by_right();
    return;
  }
  refused_by_right_ |= scratch_.cheaper_refused;
  heap_.push_back(EntryOf(scope, n, scratch_));
  if (!fresh_ || Dearer(*fresh_, heap_.back())) {
    fresh_ = heap_.back();
    std::swap(fresh_offer_, scratch_);
  }
  if (built_) {
    std::push_heap(heap_.begin(), heap_.end(),
                   [this](const Entry& a, const Entry& b) { return Dearer(a, b); });
  }
}

// A donor that got more in the meantime may be able to give again; so may all where less is asked
// for, by a smaller gang of the same queue, than when they were refused, or more may be lost.
bool RoomOffers::RightsGrew(const VictimScope& scope, const Outstanding& outstanding) {
  bool grew = false;
  std::vector<std::int64_t> now;
  if (scope.right() != nullptr) {
    for (const Donor& donor : scope.donors()) {
      const state::QueueId preemptor = donor.own() ? scope.preemptor().queue : donor.beside;
      for (state::ResourceId r : scope.right()->looks_at()) {
        now.push_back(cluster_.queues().Get(donor.queue, state::Figure::kAllocated, r));
        now.push_back(-cluster_.queues().Get(preemptor, state::Figure::kAllocated, r) -
                      state::AmountOf(outstanding.request, r));
      }
    }
  }
  if (scope.ceiling().binds()) {
    constexpr policy::Work kMost = std::numeric_limits<std::int64_t>::max();
    now.push_back(static_cast<std::int64_t>(std::min(outstanding.may_lose, kMost)));
  }
  for (std::size_t i = 0; i < now.size() && i < figures_.size(); ++i) grew |= now[i] > figures_[i];
  figures_ = std::move(now);
  return grew;
}

// By number. Where there are more candidates than nodes all nodes are looked at.
std::vector<NodeId> RoomOffers::FirstNodes(const VictimScope& scope) const {
  const std::uint32_t all = cluster_.nodes().size();
  std::vector<NodeId> nodes;
  bool few = wanted_ == For::kOnePod && !ByDomains();
  if (few) {
    scope.ForEachCandidate(state::QueueTree::Root(), [&](state::WorkloadId w, std::uint32_t) {
      cluster_.ForEachPodOf(w, [&](state::PodId p) {
        if (cluster_.pods()[p].live()) nodes.push_back(cluster_.pods()[p].node);
      });
      return few = nodes.size() < all;
    });
  }
  if (few) {
    MakeSet(nodes);
    return nodes;
  }
  nodes.clear();
  placer_.classes().ForEachInReach([&](NodeId n) {
    nodes.push_back(n);
    return true;
  });
  return nodes;
}

// To look may try (shared devices, spread): what that touched is as it was before.
void RoomOffers::NoteSeen() {
  seen_ = cluster_.journal().touched.end();
  if (ByDomains()) version_ = policy::VersionOfDomains(cluster_, cluster_.shapes()[shape_]);
}

// What leaves one node then opens others.
bool RoomOffers::ByDomains() const {
  return policy::DependsOnDomains(cluster_, cluster_.shapes()[shape_]);
}

void RoomOffers::Heapify() {
  std::make_heap(heap_.begin(), heap_.end(),
                 [this](const Entry& a, const Entry& b) { return Dearer(a, b); });
}

void RoomOffers::Follow(const VictimScope& scope, const Outstanding& outstanding) {
  const state::Log<NodeId>& log = cluster_.journal().touched;
  const bool grew = RightsGrew(scope, outstanding);
  const std::uint64_t eased = cluster_.budgets().eased();
  const bool budgets_eased = std::exchange(budgets_eased_, eased) != eased;
  touched_.clear();
  if (budgets_eased) touched_.swap(refused_by_budget_);
  if (ByDomains()) {
    const std::uint64_t version = policy::VersionOfDomains(cluster_, cluster_.shapes()[shape_]);
    built_ = built_ && version_ == version;
  }
  if (!built_ || (grew && (refused_by_right_ || met_ceiling_)) || seen_ < log.begin() ||
      log.end() - seen_ > cluster_.nodes().size() / 2) {
    built_ = false;
    heap_.clear();
    refused_by_right_ = false;
    met_ceiling_ = false;
    refused_by_budget_.clear();
    versions_.resize(cluster_.nodes().size(), 0);
    for (const NodeId n : FirstNodes(scope)) Look(scope, outstanding, n);
    Heapify();
    built_ = true;
  } else if (seen_ < log.end() || !touched_.empty()) {
    const std::span<const NodeId> news = log.Since(seen_);
    touched_.insert(touched_.end(), news.begin(), news.end());
    MakeSet(touched_);
    for (NodeId n : touched_) Look(scope, outstanding, n);
  }
  NoteSeen();
  if (const auto lapse = scope.earliest_lapse()) {
    earliest_lapse_ = std::min(earliest_lapse_.value_or(*lapse), *lapse);
  }
}

NodeId RoomOffers::Best(const VictimScope& scope, const Outstanding& outstanding, By by,
                        NodeOffer& offer) {
  if (std::exchange(by_, by) != by) Heapify();
  fresh_.reset();
  if (scope.bounded()) leaves_ = scope.LeavesNow(outstanding.request);
  Follow(scope, outstanding);
  preferred_ = NodeId();
  const bool prefers = policy::HasPreferences(cluster_, cluster_.shapes()[shape_]);
  if (wanted_ == For::kOnePod || prefers) {
    const NodeId roomy = placer_.Best(shape_, state::When::kLater);
    if (prefers) preferred_ = roomy;
    if (roomy.valid()) Look(scope, outstanding, roomy);
  }
  auto dearer = [this](const Entry& a, const Entry& b) { return Dearer(a, b); };
  while (!heap_.empty()) {
    const Entry top = heap_.front();
    if (top.version == versions_[top.node.value()]) {
      if (fresh_ && fresh_->node == top.node && fresh_->version == top.version) {
        std::swap(offer, fresh_offer_);
        NoteSeen();
        return top.node;
      }
      const bool may_serve = !RightsRefuse(scope, top.node);
      if (may_serve && Solve(scope, outstanding, top.node, offer)) {
        refused_by_right_ |= offer.cheaper_refused;
        Entry now = EntryOf(scope, top.node, offer);
        if (SameOffer(top, now)) {
          NoteSeen();
          return top.node;
        }
        std::pop_heap(heap_.begin(), heap_.end(), dearer);
        heap_.back() = now;
        std::push_heap(heap_.begin(), heap_.end(), dearer);
        continue;
      }
      refused_by_right_ |= may_serve && victims_.refused_by_right();
    }
    std::pop_heap(heap_.begin(), heap_.end(), dearer);
    heap_.pop_back();
  }
  return NodeId();
}

}  // namespace fairlead::engine
