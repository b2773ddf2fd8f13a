// A gang whose pods demand something of each other's domains.
//
// 1. Greedy: pods in their order (pod set, then as they are listed), each on its best node. Where
//    no node has whom it wants beside it, and one that is still to be placed could be that, its
//    best node otherwise. At the end everybody must have what he wants. For pods of one shape that
//    nothing but one column of domains keeps apart or even this is exact: whichever domain takes a
//    pod, no other takes fewer for that.
// 2. By domain: those who want others of the gang beside them all go to one domain of their key,
//    the domain with the best node first.
// 3. Depth first: for each pod every node, its best first, until all are placed and everybody has
//    what he wants. Given up as soon as somebody wants whom nobody to come can be. Where a spread
//    is kept among pods of several shapes, or volumes are taken, the order of placing makes a
//    difference: each of the shapes is tried next. Bounded by kMostLooks looks at a node; an end
//    before that is a proof. With volumes, too: where any choice of volumes serves, one does in
//    which each takes the smallest, in some order (nobody in it can have a smaller one unless
//    another has a larger one for it). That is so where each takes one at most; else it is no
//    proof.
//
// Worked: zones a (room for 1) and b (room for 3); x and y are app=x and want app=x in their zone.
// Greedy by binpack puts x into a, as the first of its series; y finds no room there, and in b
// nobody whom it wants: nobody is left to come, so greedy fails. By domain: a takes x alone; b
// takes both.

#include "engine/place/demanding_gang.h"

#include <algorithm>

#include "base/check.h"
#include "base/sorted_set.h"
#include "engine/place/gang_part.h"
#include "state/favour.h"

namespace fairlead::engine {

using policy::Asked;
using state::ColumnId;
using state::DomainId;
using state::NodeId;
using state::PodId;
using state::TermId;
using state::When;

namespace {

constexpr std::int64_t kMostLooks = 200'000;
constexpr std::int64_t kMostPods = 256;  // pods of a gang that is searched depth first

}  // namespace

DemandingGang::DemandingGang(Placer& placer, state::Cluster& cluster, state::WorkloadId w,
                             const std::vector<GangPart>& parts, When when, state::Trial& trial)
    : placer_(placer),
      cluster_(cluster),
      workload_(w),
      parts_(parts),
      when_(when),
      trial_(trial),
      start_(trial.Mark()),
      placed_(parts.size(), 0) {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const state::DynamicDemands& demands = *ShapeOf(k).dynamic;
    terms_.insert(terms_.end(), demands.refused_by.begin(), demands.refused_by.end());
    terms_.insert(terms_.end(), demands.attracted_by.begin(), demands.attracted_by.end());
    for (const auto& each : demands.spread) terms_.push_back(each.term);
  }
  MakeSet(terms_);
  for (const TermId term : terms_) columns_.push_back(cluster_.terms().ColumnOf(term));
  MakeSet(columns_);
}

GangVerdict DemandingGang::Run() {
  DCHECK(DependOnDomains(cluster_, parts_));
  // What is claimed here counts in favour of the others as if it were placed now.
  const state::Favour favour(cluster_,
                             when_ == When::kLater ? workload_ : cluster_.demands().favoured());
  if (Greedy(std::nullopt)) return GangVerdict::kPlaced;
  if (GreedyIsExact()) return GangVerdict::kNoRoom;
  if (ByDomain()) return GangVerdict::kPlaced;
  std::int64_t pods = 0;
  for (const GangPart& part : parts_) pods += part.count();
  if (pods > kMostPods || steps_ >= kMostLooks) return GangVerdict::kNotFound;
  if (Deep()) return GangVerdict::kPlaced;
  const bool all_tried = steps_ < kMostLooks && MostVolumes(cluster_, parts_) <= 1;
  return all_tried ? GangVerdict::kNoRoom : GangVerdict::kNotFound;
}

bool DemandingGang::GreedyIsExact() const {
  if (!AreOfOneShape(parts_) || MostVolumes(cluster_, parts_) > 0) return false;
  const state::DynamicDemands& demands = *ShapeOf(0).dynamic;
  const auto shared = std::count_if(
      demands.alone_in.begin(), demands.alone_in.end(),
      [this](ColumnId column) { return !cluster_.demands().columns().IsByNode(column); });
  return demands.attracted_by.empty() && shared + std::ssize(demands.spread) <= 1;
}

bool DemandingGang::OrderMatters() const {
  return parts_.size() > 1 && std::any_of(parts_.begin(), parts_.end(), [this](const auto& part) {
           const state::DynamicDemands& demands = *cluster_.shapes()[part.shape].dynamic;
           return !demands.spread.empty() || demands.takes_volumes;
         });
}

// Whom to place ---------------------------------------------------------------------------------

void DemandingGang::PlaceOne(std::size_t k, NodeId n) {
  PutPod(trial_, workload_, parts_[k], placed_[k]++, n, when_);
}

void DemandingGang::UndoTo(std::size_t mark, std::size_t k) {
  trial_.UndoTo(mark);
  --placed_[k];
}

// Whether one of those who come after the part's next pod has what it wants.
bool DemandingGang::MayYetBeAttracted(std::size_t k) const {
  for (std::size_t j = 0; j < parts_.size(); ++j) {
    const std::int64_t left = parts_[j].count() - placed_[j] - (j == k ? 1 : 0);
    if (left > 0 && policy::MayAttract(ShapeOf(j), ShapeOf(k))) return true;
  }
  return false;
}

// Whether everybody who was placed since has what he wants.
bool DemandingGang::IsMet(std::size_t mark) const {
  const auto& steps = trial_.steps();
  return std::all_of(steps.begin() + static_cast<std::ptrdiff_t>(mark), steps.end(),
                     [this](const state::Trial::Step& step) {
                       return policy::OthersAllowPlaced(cluster_, step.pod, when_);
                     });
}

// The same, or may yet get it.
bool DemandingGang::CanBeMet(std::size_t mark) const {
  const auto may_come = [this](PodId p) {
    const state::Shape& shape = cluster_.shapes()[cluster_.pods()[p].shape];
    for (std::size_t j = 0; j < parts_.size(); ++j) {
      if (placed_[j] < parts_[j].count() && policy::MayAttract(ShapeOf(j), shape)) return true;
    }
    return false;
  };
  const auto& steps = trial_.steps();
  return std::all_of(steps.begin() + static_cast<std::ptrdiff_t>(mark), steps.end(),
                     [&](const state::Trial::Step& step) {
                       return policy::OthersAllowPlaced(cluster_, step.pod, when_) ||
                              may_come(step.pod);
                     });
}

// Greedy ----------------------------------------------------------------------------------------

NodeId DemandingGang::BestIn(std::size_t k, const Domain& domain, Asked asked) {
  std::vector<NodeId> fitting;
  for (const NodeId n : cluster_.demands().columns().NodesOf(domain.column, domain.domain)) {
    ++steps_;
    if (placer_.Fits(parts_[k].shape, n, when_, asked)) fitting.push_back(n);
  }
  placer_.SortByPlace(parts_[k].shape, when_, fitting);
  return fitting.empty() ? NodeId() : fitting.front();
}

NodeId DemandingGang::Pick(std::size_t k, const std::optional<Domain>& only) {
  const bool wants = !ShapeOf(k).dynamic->attracted_by.empty();
  const auto best = [&](Asked asked) {
    return only && wants ? BestIn(k, *only, asked) : placer_.Best(parts_[k].shape, when_, asked);
  };
  const NodeId n = best(Asked::kAll);
  if (n.valid() || !wants || !MayYetBeAttracted(k)) return n;
  return best(Asked::kAllButAffinity);
}

bool DemandingGang::Greedy(const std::optional<Domain>& only) {
  bool found = true;
  for (std::size_t k = 0; k < parts_.size() && found; ++k) {
    while (placed_[k] < parts_[k].count() && found) {
      const NodeId n = Pick(k, only);
      found = n.valid();
      if (found) PlaceOne(k, n);
    }
  }
  if (found && IsMet(start_)) return true;
  trial_.UndoTo(start_);
  placed_.assign(parts_.size(), 0);
  return false;
}

std::vector<DemandingGang::Domain> DemandingGang::DomainsToTry() {
  std::vector<Domain> domains;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (!MayYetBeAttracted(k)) continue;
    for (const TermId term : ShapeOf(k).dynamic->attracted_by) {
      const ColumnId column = cluster_.terms().ColumnOf(term);
      std::vector<NodeId> fitting;
      for (const NodeId n : placer_.classes().nodes()) {
        const DomainId domain = cluster_.demands().columns().Of(column, n);
        if (!domain.valid() || ++steps_ >= kMostLooks) continue;
        if (placer_.Fits(parts_[k].shape, n, when_, Asked::kAllButAffinity)) fitting.push_back(n);
      }
      const auto places = placer_.PlacesOf(parts_[k].shape, when_, fitting);
      for (std::size_t i = 0; i < fitting.size(); ++i) {
        const DomainId domain = cluster_.demands().columns().Of(column, fitting[i]);
        const auto at = std::find_if(domains.begin(), domains.end(), [&](const Domain& each) {
          return each.column == column && each.domain == domain;
        });
        if (at == domains.end()) {
          domains.push_back({.column = column, .domain = domain, .place = places[i]});
        } else {
          at->place = std::min(at->place, places[i]);
        }
      }
    }
  }
  std::stable_sort(domains.begin(), domains.end(),
                   [](const Domain& a, const Domain& b) { return a.place < b.place; });
  return domains;
}

bool DemandingGang::ByDomain() {
  for (const Domain& domain : DomainsToTry()) {
    if (steps_ >= kMostLooks) return false;
    if (Greedy(domain)) return true;
  }
  return false;
}

// Depth first -----------------------------------------------------------------------------------

// Whether it makes no difference to any of them on which of the two the next one goes.
bool DemandingGang::AreTheSame(NodeId a, NodeId b) const {
  if (!LookTheSame(cluster_, placer_, parts_, a, b, when_)) return false;
  const state::DomainColumns& columns = cluster_.demands().columns();
  const bool same_domains = std::all_of(columns_.begin(), columns_.end(), [&](ColumnId column) {
    const DomainId at = columns.Of(column, a);
    const DomainId there = columns.Of(column, b);
    return at == there || (columns.IsByNode(column) && at.valid() && there.valid());
  });
  // Of domains that are nodes: who stands there.
  return same_domains && std::all_of(terms_.begin(), terms_.end(), [&](TermId term) {
           const state::DemandCounts& counts = cluster_.demands();
           const DomainId at = columns.Of(cluster_.terms().ColumnOf(term), a);
           const DomainId there = columns.Of(cluster_.terms().ColumnOf(term), b);
           return at == there ||
                  (counts.Against(term, at, when_) == counts.Against(term, there, when_) &&
                   counts.InFavour(term, at, when_) == counts.InFavour(term, there, when_) &&
                   counts.Matches(term, at) == counts.Matches(term, there));
         });
}

bool DemandingGang::Deep() {
  bool all = true;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (placed_[k] == parts_[k].count()) continue;
    all = false;
    if (DeepWith(k)) return true;
    if (!OrderMatters()) return false;
  }
  return all && IsMet(start_);
}

// Places the part's next pod and all that are left.
bool DemandingGang::DeepWith(std::size_t k) {
  std::vector<NodeId> choices, unmet;  // where whom it wants has yet to come
  const bool may_yet = MayYetBeAttracted(k);
  for (const NodeId n : placer_.classes().nodes()) {
    if (++steps_ >= kMostLooks) return false;
    const bool met = placer_.Fits(parts_[k].shape, n, when_);
    if (!met && !(may_yet && placer_.Fits(parts_[k].shape, n, when_, Asked::kAllButAffinity))) {
      continue;
    }
    (met ? choices : unmet).push_back(n);
  }
  placer_.SortByPlace(parts_[k].shape, when_, choices);
  placer_.SortByPlace(parts_[k].shape, when_, unmet);
  choices.insert(choices.end(), unmet.begin(), unmet.end());
  std::vector<NodeId> tried;
  for (const NodeId choice : choices) {
    if (++steps_ >= kMostLooks) return false;
    if (std::any_of(tried.begin(), tried.end(), [&](NodeId t) { return AreTheSame(t, choice); })) {
      continue;
    }
    tried.push_back(choice);
    const std::size_t mark = trial_.Mark();
    PlaceOne(k, choice);
    if (CanBeMet(start_) && Deep()) return true;
    UndoTo(mark, k);
  }
  return false;
}

}  // namespace fairlead::engine
