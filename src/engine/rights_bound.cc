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
  survey.standings.clear();
  survey.room.assign(cluster_.nodes().later(n),
                     cluster_.nodes().later(n) + cluster_.nodes().stride());
  boost::container::small_vector<std::pair<state::WorkloadId, std::int64_t>, 8> gangs;
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
    auto at = std::find_if(survey.standings.begin(), survey.standings.end(),
                           [&](const Standing& known) { return known.giver == *giver; });
    if (at == survey.standings.end()) {
      survey.standings.push_back({.giver = *giver});
      at = survey.standings.end() - 1;
    }
    at->all += amount;
    if (!workload.solo()) {
      auto gang = std::find_if(gangs.begin(), gangs.end(),
                               [&](const auto& known) { return known.first == pod.workload; });
      if (gang == gangs.end()) gang = gangs.insert(gangs.end(), {pod.workload, 0});
      amount = gang->second += amount;
    }
    at->largest = std::max(at->largest, amount);
  }
}

RightsBound::OfNode RightsBound::Judge(const RoomField& field, const state::Shape& shape,
                                       const Survey& survey) {
  const state::ResourceId bounded = *field.bounded();
  room_ = survey.room;
  std::int64_t refused = 0;
  for (const Standing& standing : survey.standings) {
    if (standing.giver >= field.givers().size()) continue;
    const policy::Entitlement::Leave& leave = field.LeaveOf(standing.giver);
    const std::int64_t by_turns = leave.in_all == 0 ? 0 : leave.before_last + standing.largest;
    const std::int64_t most = std::min({standing.all, by_turns, leave.in_all});
    room_[bounded.value()] += most;
    refused += standing.all - most;
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
