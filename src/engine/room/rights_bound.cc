// Bounds on what rights let donors give, before any victim is looked at.
//
// A donor's units leave as long as it is above its line when they do: so all that leave it but the
// last together stay within what it is above, and the last may go below. That bounds what comes
// free on a node by arithmetic over amounts: per donor the smallest units first, while they stay
// within the line, and the largest last. In sum over nodes likewise.
//
// Worked: a donor stands 5 GPUs above its fair share; its pods on the node hold 2, 2, 2 and 4. Two
// of 2 stay within the five, then one more may go, the largest: 8 GPUs at most. A pod that needs 16
// here is refused by a few additions.

#include "engine/room/rights_bound.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "base/sorted_set.h"
#include "policy/dynamic_demand.h"
#include "policy/victims.h"

namespace fairlead::engine {

using state::NodeId;
using state::ShapeId;

void RightsBound::Start(const VictimScope& widest) {
  widest_ = &widest;
  ++number_;
  all_units_.clear();
  surveys_.resize(cluster_.nodes().size());
}

bool RightsBound::MightServe(const VictimScope& scope, const RoomStep& step) {
  return !scope.bounded() || !widest_->bounded() ||
         std::all_of(step.parts.begin(), step.parts.end(), [&](const GangPart& part) {
           return MightHold(scope, part.shape, PodsOf(step, part.shape));
         });
}

// What must leave for the pods that need the least, `pods` of them.
bool RightsBound::MightHold(const VictimScope& scope, ShapeId s, std::int64_t pods) {
  const state::Shape& shape = cluster_.shapes()[s];
  const state::ResourceId bounded = *scope.bounded();
  const std::int64_t asked = state::AmountOf(shape.request, bounded);
  const auto wanted = static_cast<std::size_t>(pods);
  std::int64_t budget = scope.MostInAll();
  std::priority_queue<std::int64_t> needs;  // the most on top
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
    const NodeId n(i);
    if (!cluster_.nodes().exists(n) || !placer_.classes().Fits(s, n)) continue;
    std::int64_t more = Judge(scope, scope.leaves(), shape, n, SurveyOf(n)).pods;
    std::int64_t free = more > 0 ? cluster_.nodes().later(n)[bounded.value()] : 0;
    for (; more > 0; --more, free = std::max<std::int64_t>(0, free - asked)) {
      const std::int64_t need = std::max<std::int64_t>(0, asked - free);
      if (needs.size() == wanted && needs.top() <= need) break;
      needs.push(need);
      sum += need;
      if (needs.size() <= wanted) continue;
      sum -= needs.top();
      needs.pop();
    }
    if (needs.size() < wanted || sum > budget) continue;
    if (wanted == 1) return true;
    // What all of them may give is known only once all nodes have been looked at.
    budget = std::min(budget, Budget(scope));
    if (sum <= budget) return true;
  }
  return false;
}

// Of all donors together: each may go below its line with one unit, its last; and gives a multiple
// of what divides all its units.
std::int64_t RightsBound::Budget(const VictimScope& scope) {
  if (all_units_.empty()) SumUpUnits();
  std::int64_t budget = 0;
  for (std::size_t i = 0; i < scope.donors().size(); ++i) {
    const policy::Entitlement::Leave& leave = scope.leaves()[i];
    const AllUnits& all = all_units_[i];
    const std::int64_t most = std::min(leave.in_all, leave.before_last + all.largest);
    if (all.divisor > 0) budget += most / all.divisor * all.divisor;
  }
  return budget;
}

void RightsBound::SumUpUnits() {
  all_units_.resize(widest_->donors().size());
  for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
    if (!cluster_.nodes().exists(NodeId(i))) continue;
    for (const Unit& unit : SurveyOf(NodeId(i)).units) {
      AllUnits& all = all_units_[unit.donor];
      all.largest = std::max(all.largest, unit.everywhere);
      all.divisor = std::gcd(all.divisor, unit.amount);
    }
  }
}

RightsBound::OfNode RightsBound::Of(const VictimScope& scope, const VictimScope::Leaves& leaves,
                                    ShapeId s, NodeId n) {
  if (!cluster_.nodes().exists(n) || !placer_.classes().Fits(s, n)) return {};
  Look(scope, n, now_);
  return Judge(scope, leaves, cluster_.shapes()[s], n, now_);
}

const RightsBound::Survey& RightsBound::SurveyOf(NodeId n) {
  Survey& survey = surveys_[n.value()];
  if (std::exchange(survey.number, number_) != number_) Look(*widest_, n, survey);
  return survey;
}

void RightsBound::Look(const VictimScope& scope, NodeId n, Survey& survey) const {
  const state::ResourceId bounded = *scope.bounded();
  survey.units.clear();
  survey.room.assign(cluster_.nodes().later(n),
                     cluster_.nodes().later(n) + cluster_.nodes().stride());
  boost::container::small_vector<std::pair<state::WorkloadId, std::size_t>, 8> gangs;
  for (state::PodId p : cluster_.nodes().pods(n)) {
    if (!policy::MayBeEvicted(cluster_, p)) continue;
    const state::Pod& pod = cluster_.pods()[p];
    const state::Workload& workload = cluster_.workloads()[pod.workload];
    if (!workload.preemptible) continue;
    const auto donor = scope.DonorOfQueue(workload.queue);
    if (!donor) continue;
    std::int64_t amount = 0;
    for (const state::Amount& a : cluster_.shapes()[pod.shape].request) {
      if (a.resource == bounded) {
        amount = a.amount;
      } else {
        survey.room[a.resource.value()] += a.amount;
      }
    }
    // A gang leaves together; an elastic one, pod by pod, where it does not leave whole.
    const bool whole = !workload.solo() && !cluster_.workloads().gang(pod.workload).gives_singly();
    if (whole) {
      const auto gang = std::find_if(gangs.begin(), gangs.end(), [&](const auto& known) {
        return known.first == pod.workload;
      });
      if (gang != gangs.end()) {
        Unit& unit = survey.units[gang->second];
        unit.amount += amount;
        unit.everywhere = std::max(unit.everywhere, amount * workload.live);
        continue;
      }
      gangs.emplace_back(pod.workload, survey.units.size());
    }
    survey.units.push_back(
        {.donor = *donor, .amount = amount, .everywhere = whole ? amount * workload.live : amount});
  }
  std::sort(survey.units.begin(), survey.units.end(), [](const Unit& a, const Unit& b) {
    return a.donor != b.donor ? a.donor < b.donor : a.amount < b.amount;
  });
}

// The largest sum of one donor's units that may leave: of some of them all but the largest leave it
// above its line.
std::int64_t RightsBound::MostOf(std::span<const Unit> units,
                                 const policy::Entitlement::Leave& leave) {
  constexpr std::size_t kMostSums = 64;
  std::int64_t all = 0;
  for (const Unit& unit : units) all += unit.amount;
  const std::int64_t largest = units.back().amount;
  if (all <= leave.in_all && all - largest <= leave.before_last) return all;
  std::int64_t most = 0;
  sums_.assign(1, 0);
  for (const Unit& unit : units) {
    const std::size_t had = sums_.size();
    if (had > kMostSums) return std::min({all, leave.before_last + largest, leave.in_all});
    for (std::size_t i = 0; i < had; ++i) {
      const std::int64_t sum = sums_[i] + unit.amount;
      if (sums_[i] > leave.before_last || sum > leave.in_all) continue;
      most = std::max(most, sum);
      sums_.push_back(sum);
    }
    MakeSet(sums_);
  }
  return most;
}

RightsBound::OfNode RightsBound::Judge(const VictimScope& scope, const VictimScope::Leaves& leaves,
                                       const state::Shape& shape, state::NodeId n,
                                       const Survey& survey) {
  const state::ResourceId bounded = *scope.bounded();
  room_ = survey.room;
  std::int64_t refused = 0;
  for (auto first = survey.units.begin(); first != survey.units.end();) {
    const auto last = std::find_if(first, survey.units.end(),
                                   [&](const Unit& unit) { return unit.donor != first->donor; });
    if (first->donor >= leaves.size()) break;
    const std::int64_t most = MostOf({first, last}, leaves[first->donor]);
    room_[bounded.value()] += most;
    refused -= most;
    for (; first != last; ++first) refused += first->amount;
  }
  const std::int64_t pods = policy::MostOnNode(cluster_, shape, n, PodsInSum(room_, shape));
  if (pods > 0) return {.pods = pods};
  room_[bounded.value()] += refused;
  return {.refused = PodsInSum(room_, shape) > 0};
}

}  // namespace fairlead::engine
