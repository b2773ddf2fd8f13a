#include "engine/rights_bound.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "policy/victims.h"

namespace fairlead::engine {

using state::NodeId;
using state::ShapeId;

std::int64_t PodsOf(const RoomStep& step) {
  std::int64_t pods = 0;
  for (const GangPart& part : step.parts) pods += part.count();
  return pods;
}

std::int64_t PodsOf(const RoomStep& step, ShapeId shape) {
  std::int64_t pods = 0;
  for (const GangPart& part : step.parts) pods += part.shape == shape ? part.count() : 0;
  return pods;
}

void RightsBound::Start(const RoomField& widest) {
  widest_ = &widest;
  ++number_;
  surveys_.resize(cluster_.nodes().size());
}

bool RightsBound::MightServe(const RoomField& field, const RoomStep& step) {
  return !field.bounded() || !widest_->bounded() ||
         std::all_of(step.parts.begin(), step.parts.end(), [&](const GangPart& part) {
           return MightHold(field, part.shape, PodsOf(step, part.shape));
         });
}

// What must leave for the pods that need the least, `pods` of them.
bool RightsBound::MightHold(const RoomField& field, ShapeId s, std::int64_t pods) {
  const state::Shape& shape = cluster_.shapes()[s];
  const state::ResourceId bounded = *field.bounded();
  const std::int64_t asked = state::AmountOf(shape.request, bounded);
  const auto wanted = static_cast<std::size_t>(pods);
  std::priority_queue<std::int64_t> needs;  // the most on top
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
    const NodeId n(i);
    if (!cluster_.nodes().exists(n) || !placer_.classes().Fits(s, n)) continue;
    std::int64_t more = Judge(field, shape, SurveyOf(n)).pods;
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
    if (needs.size() == wanted && sum <= field.MostInAll()) return true;
  }
  return false;
}

RightsBound::OfNode RightsBound::Of(const RoomField& field, ShapeId s, NodeId n) {
  if (!cluster_.nodes().exists(n) || !placer_.classes().Fits(s, n)) return {};
  Look(field, n, now_);
  return Judge(field, cluster_.shapes()[s], now_);
}

const RightsBound::Survey& RightsBound::SurveyOf(NodeId n) {
  Survey& survey = surveys_[n.value()];
  if (std::exchange(survey.number, number_) != number_) Look(*widest_, n, survey);
  return survey;
}

void RightsBound::Look(const RoomField& field, NodeId n, Survey& survey) const {
  const state::ResourceId bounded = *field.bounded();
  survey.units.clear();
  survey.room.assign(cluster_.nodes().later(n),
                     cluster_.nodes().later(n) + cluster_.nodes().stride());
  boost::container::small_vector<std::pair<state::WorkloadId, std::size_t>, 8> gangs;
  for (state::PodId p : cluster_.nodes().pods(n)) {
    if (!policy::MayBeEvicted(cluster_, p)) continue;
    const state::Pod& pod = cluster_.pods()[p];
    const state::Workload& workload = cluster_.workloads()[pod.workload];
    if (!workload.preemptible) continue;
    const auto giver = field.GiverOfQueue(workload.queue);
    if (!giver) continue;
    std::int64_t amount = 0;
    for (const state::Amount& a : cluster_.shapes()[pod.shape].request) {
      if (a.resource == bounded) {
        amount = a.amount;
      } else {
        survey.room[a.resource.value()] += a.amount;
      }
    }
    // A gang leaves together; an elastic one, pod by pod.
    const bool whole = !workload.solo() && !cluster_.workloads().gang(pod.workload).elastic;
    if (whole) {
      const auto gang = std::find_if(gangs.begin(), gangs.end(), [&](const auto& known) {
        return known.first == pod.workload;
      });
      if (gang != gangs.end()) {
        survey.units[gang->second].amount += amount;
        continue;
      }
      gangs.emplace_back(pod.workload, survey.units.size());
    }
    survey.units.push_back({.giver = *giver, .amount = amount});
  }
  std::sort(survey.units.begin(), survey.units.end(), [](const Unit& a, const Unit& b) {
    return a.giver != b.giver ? a.giver < b.giver : a.amount < b.amount;
  });
}

// The largest sum of one giver's units that may leave: of some of them all but the largest leave it
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
    std::sort(sums_.begin(), sums_.end());
    sums_.erase(std::unique(sums_.begin(), sums_.end()), sums_.end());
  }
  return most;
}

RightsBound::OfNode RightsBound::Judge(const RoomField& field, const state::Shape& shape,
                                       const Survey& survey) {
  const state::ResourceId bounded = *field.bounded();
  room_ = survey.room;
  std::int64_t refused = 0;
  for (auto first = survey.units.begin(); first != survey.units.end();) {
    const auto last = std::find_if(first, survey.units.end(),
                                   [&](const Unit& unit) { return unit.giver != first->giver; });
    if (first->giver >= field.givers().size()) break;
    const std::int64_t most = MostOf({first, last}, field.LeaveOf(first->giver));
    room_[bounded.value()] += most;
    refused -= most;
    for (; first != last; ++first) refused += first->amount;
  }
  if (const std::int64_t pods = PodsInRoom(shape); pods > 0) return {.pods = pods};
  room_[bounded.value()] += refused;
  return {.refused = PodsInRoom(shape) > 0};
}

// Devices that are shared come free as a sum: a bound.
std::int64_t RightsBound::PodsInRoom(const state::Shape& shape) {
  room_[state::kGpuWhole.value()] = room_[state::kGpu.value()] / 1000;
  return PodsIn(room_.data(), shape);
}

}  // namespace fairlead::engine
