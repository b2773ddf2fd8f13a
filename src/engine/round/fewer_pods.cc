// Fewer pods for a job that may start with fewer (semantics.md §5): the smallest cut that serves.
//
// A cut is a number of steps from all that was asked down to the minimum; the configuration says
// which pods each step takes away (policy::CountsAfter). Amounts bound it first: below some cut
// nothing can serve, found by halving over additions. From there on a few more cuts are tried,
// nearly always the first, by an arrangement over amounts (filling.cc) or by placing the gang.
// Where others may be asked for room that is halved as well, as what serves many serves fewer.
// Then, if configured, single pod sets grow again as far as there is room.
//
// Worked: 10 workers, at least 4: cuts 0 to 6. Free in sum are 8 pods' worth, on nodes that hold 7.
// By amounts cut 2 is the least that may serve; it does not; cut 3 does: 7 workers, after two
// arrangements.

#include "engine/round/fewer_pods.h"

#include <algorithm>
#include <utility>

#include "base/halving.h"
#include "engine/place/topology_gang.h"
#include "policy/limits.h"
#include "state/trial.h"

namespace fairlead::engine {
namespace {

// Calls `take(part, pods)` with how many of the pod set's parts' pods are among the first `count`.
template <typename Take>
void ForEachPart(const std::vector<GangPart>& parts, std::size_t begin, std::size_t end,
                 std::int64_t count, Take take) {
  for (std::size_t k = begin; k < end; ++k) {
    const std::int64_t pods = std::clamp<std::int64_t>(count, 0, parts[k].count());
    count -= pods;
    if (pods > 0) take(parts[k], pods);
  }
}

// By pod set, where its parts begin; and where the last one's end.
std::vector<std::size_t> FirstParts(const std::vector<GangPart>& parts, std::size_t sets) {
  std::vector<std::size_t> first;
  std::size_t part = 0;
  for (std::size_t set = 0; set < sets; ++set) {
    first.push_back(part);
    while (part < parts.size() && parts[part].pod_set == set) ++part;
  }
  first.push_back(part);
  return first;
}

}  // namespace

RoomStep StepWith(const state::Cluster& cluster, const RoomStep& whole,
                  const std::vector<std::int32_t>& counts) {
  std::vector<GangPart> parts;
  const std::vector<state::PodSet>& sets = cluster.workloads().gang(whole.workload).sets;
  const std::vector<std::size_t> first = FirstParts(whole.parts, counts.size());
  for (std::size_t set = 0; set < counts.size(); ++set) {
    ForEachPart(whole.parts, first[set], first[set + 1], counts[set] - sets[set].succeeded,
                [&](const GangPart& part, std::int64_t pods) {
                  const auto existing = std::min<std::int64_t>(pods, std::ssize(part.pods));
                  parts.push_back({.pod_set = part.pod_set,
                                   .shape = part.shape,
                                   .pods = {part.pods.begin(), part.pods.begin() + existing},
                                   .expected = pods - existing});
                });
  }
  return WithParts(cluster, whole, std::move(parts));
}

FewerPods::FewerPods(state::Cluster& cluster, Placer& placer, const RoomStep& whole, AskOthers ask)
    : cluster_(cluster),
      placer_(placer),
      whole_(whole),
      ask_(std::move(ask)),
      sets_(cluster.workloads().gang(whole.workload).sets),
      first_part_(FirstParts(whole.parts, sets_.size())),
      filling_(cluster, placer, state::When::kNow) {
  for (const state::PodSet& set : sets_) {
    ranges_.push_back(
        {.count = set.asked, .min_count = std::min(set.min_asked, set.asked), .step = set.step});
  }
}

// What bounds every count: the room for each shape by itself, and what is free of each resource.
void FewerPods::Measure() {
  wanted_.clear();
  for (const GangPart& part : whole_.parts) AddPods(wanted_, part.shape, part.count());
  for (const ShapeCount& each : wanted_) room_.push_back(placer_.RoomFor(each.shape, each.pods));
  const state::NodeTable& nodes = cluster_.nodes();
  free_.assign(nodes.stride(), 0);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::int64_t* free = nodes.free(state::NodeId(i));
    for (std::uint32_t r = 0; r < nodes.stride(); ++r) {
      free_[r] += std::max<std::int64_t>(0, free[r]);
    }
  }
}

void FewerPods::Take(Counts counts) {
  counts_ = std::move(counts);
  for (ShapeCount& each : wanted_) each.pods = 0;
  for (std::size_t set = 0; set < counts_.size(); ++set) {
    ForEachPart(
        whole_.parts, first_part_[set], first_part_[set + 1], counts_[set] - sets_[set].succeeded,
        [&](const GangPart& part, std::int64_t pods) { AddPods(wanted_, part.shape, pods); });
  }
}

void FewerPods::Take(std::size_t set, std::int32_t count) {
  auto change = [&](std::int64_t sign) {
    ForEachPart(whole_.parts, first_part_[set], first_part_[set + 1],
                counts_[set] - sets_[set].succeeded, [&](const GangPart& part, std::int64_t pods) {
                  AddPods(wanted_, part.shape, sign * pods);
                });
  };
  change(-1);
  counts_[set] = count;
  change(1);
}

// The shape of the pod that the set would have next; invalid: of one that is done already.
state::ShapeId FewerPods::NextShape(std::size_t set) const {
  std::int64_t before = std::int64_t{counts_[set]} - sets_[set].succeeded;
  if (before < 0) return {};
  for (std::size_t k = first_part_[set]; k < first_part_[set + 1]; ++k) {
    if (before < whole_.parts[k].count()) return whole_.parts[k].shape;
    before -= whole_.parts[k].count();
  }
  return {};
}

// No is a proof, unless others make room.
bool FewerPods::MayServe() {
  request_.clear();
  bool holds = true;
  bool any = false;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    state::AddTo(request_, cluster_.shapes()[wanted_[i].shape].request, wanted_[i].pods);
    holds &= wanted_[i].pods <= room_[i];
    any |= wanted_[i].pods > 0;
  }
  for (const state::Amount& a : request_) holds &= a.amount <= free_[a.resource.value()];
  return any && holds && !policy::FirstBreach(cluster_, whole_.workload, request_);
}

// REQUIRES: MayServe().
bool FewerPods::HasArrangement() {
  const bool one_shape = std::count_if(wanted_.begin(), wanted_.end(),
                                       [](const ShapeCount& each) { return each.pods > 0; }) == 1;
  const bool near_each_other = AsksTopology(cluster_, whole_.workload);
  const bool by_amounts = !near_each_other && filling_.CanJudge(wanted_);
  if (by_amounts && (one_shape || filling_.Of(wanted_))) return true;
  std::int64_t pods = 0;
  for (const ShapeCount& each : wanted_) pods += each.pods;
  if (by_amounts && pods > kMostPlaced) return false;
  const RoomStep step = StepWith(cluster_, whole_, counts_);
  state::Trial trial(cluster_);
  return PlaceGang(placer_, cluster_, step.workload, step.parts, state::When::kNow, trial) ==
         GangVerdict::kPlaced;
}

FewerPods::Others FewerPods::AskForRoom() {
  if (!ask_) return Others::kGiveNothing;
  const RoomStep step = StepWith(cluster_, whole_, counts_);
  if (step.parts.empty()) return Others::kGiveNothing;
  const auto breach = policy::FirstBreach(cluster_, step.workload, step.request);
  return breach && breach->by_user() ? Others::kGiveNothing : ask_(step);
}

// Absent: not even all cuts serve.
std::optional<std::int64_t> FewerPods::SmallestCut() {
  const std::int64_t all = policy::CutsOf(ranges_);
  if (all == 0) return std::nullopt;
  if (!ask_) return SmallestCutWithoutVictims();
  // Where room for so many comes by itself there is some for fewer, too: only with that can the cut
  // be found by halving.
  auto might_serve = [&](std::int64_t cut) {
    Take(policy::CountsAfter(ranges_, cut, cluster_.configuration().partial_admission.reduce));
    return HasRoom() || AskForRoom() != Others::kGiveNothing;
  };
  if (!might_serve(all)) return std::nullopt;
  const std::int64_t cut = Halve(std::int64_t{0}, all, might_serve);
  Take(policy::CountsAfter(ranges_, cut, cluster_.configuration().partial_admission.reduce));
  if (Serves()) return cut;
  ask_ = nullptr;  // nobody has to go for fewer pods than those for which room comes
  return SmallestCutWithoutVictims();
}

std::optional<std::int64_t> FewerPods::SmallestCutWithoutVictims() {
  const objects::Reduction how = cluster_.configuration().partial_admission.reduce;
  const std::int64_t all = policy::CutsOf(ranges_);
  auto serves = [&](std::int64_t cut) {
    Take(policy::CountsAfter(ranges_, cut, how));
    return HasRoom();
  };
  auto may_serve = [&](std::int64_t cut) {
    Take(policy::CountsAfter(ranges_, cut, how));
    return MayServe();
  };
  if (!may_serve(all)) return std::nullopt;
  // Not with fewer cuts than these; with them or a few more, nearly always.
  const std::int64_t least = Halve(std::int64_t{0}, all, may_serve);
  if (serves(least)) return least;
  if (least == all || !serves(all)) return std::nullopt;
  std::int64_t fails = least;
  for (std::int64_t step = 1; least + step < all; step = 2 * step + 1) {
    if (serves(least + step)) return Halve(fails, least + step, serves);
    fails = least + step;
  }
  return Halve(fails, all, serves);
}

std::vector<std::int32_t> FewerPods::Find() {
  const objects::SchedulerConfiguration::PartialAdmission& rules =
      cluster_.configuration().partial_admission;
  Measure();
  const std::optional<std::int64_t> cut = SmallestCut();
  if (!cut) return {};
  Take(policy::CountsAfter(ranges_, *cut, rules.reduce));
  if (rules.fill || rules.reduce == objects::Reduction::kOrdered) {
    for (std::size_t k = 0; k < counts_.size(); ++k) Grow(k);
  }
  return counts_;
}

// By as many whole steps as there is room for.
void FewerPods::Grow(std::size_t set) {
  const std::int32_t most = ranges_[set].count;
  const std::int32_t unit = ranges_[set].step;
  std::int32_t grown = counts_[set];
  auto stuck = [&] {
    return std::find(stuck_.begin(), stuck_.end(), NextShape(set)) != stuck_.end();
  };
  auto serves = [&](std::int32_t count) {
    Take(set, count);
    return Serves();
  };
  if (grown == most || stuck()) return;
  std::int32_t step = unit;
  while (grown < most && serves(grown + std::min(step, most - grown))) {
    grown = counts_[set];
    step = step > most / 2 ? most : 2 * step;
  }
  if (grown == most) return;
  std::int32_t fails = counts_[set];
  while (fails - grown > unit) {
    const std::int32_t middle = grown + (fails - grown) / 2 / unit * unit;
    (serves(middle) ? grown : fails) = middle;
  }
  Take(set, grown);
  if (NextShape(set).valid()) stuck_.push_back(NextShape(set));
}

}  // namespace fairlead::engine
