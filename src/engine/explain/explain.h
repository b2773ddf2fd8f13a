#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/explain/explain_room.h"
#include "engine/explain/report.h"
#include "engine/explain/what_if.h"
#include "engine/place/node_survey.h"
#include "engine/room/room_in_time.h"
#include "engine/scheduler.h"
#include "state/cluster.h"
#include "state/reason.h"

namespace fairlead::engine {

// Whether the workload waits to be started: it has pods, or expects some, and its minimum is not
// placed. What merely could grow is not pending.
bool IsPending(const state::Cluster& cluster, state::WorkloadId w);

// Why things are pending, computed from the state as it is: nothing is stored for it, so it costs
// the rounds nothing. What is the same for many (a shape that fits nowhere) is computed once for
// the life of the explainer. REQUIRES: the scheduler does not change meanwhile.
class Explainer {
 public:
  // `now`: of the plan; protections are judged by it.
  explicit Explainer(const Scheduler& scheduler, Time now = {});

  // In the order in which one would mend them: what bars the workload itself, its queue, its pods,
  // limits, room. Empty when it is not pending.
  std::vector<state::Reason> Reasons(state::WorkloadId w);

  // The first of them, for those who show many: found without a search for room that others could
  // make, so that there is none where only that is left to say; and who passed a gang is not told.
  std::optional<state::Reason> First(state::WorkloadId w);

  // When there is room for it within its limits by the expected ends of what runs, if nobody takes
  // it first (engine/room/room_in_time.h). Empty: it is not pending, waits for something else, or
  // has room now, or not by those ends.
  std::optional<RoomInTime> RoomAt(state::WorkloadId w);

  // How many nodes and pods First has looked at, and some for each answer: for those who bound what
  // it costs. About 40 ns each.
  std::int64_t looks() const { return looks_; }

  // Workloads that were placed since the gang first had to wait for room, newest last: they passed
  // it because they fitted into what is free.
  std::vector<std::string> OvertakenBy(state::WorkloadId w) const;

 private:
  std::optional<state::Reason> QueueReason(state::QueueId q) const;
  std::optional<state::Reason> PutOffReason(state::WorkloadId w) const;
  std::optional<state::Reason> ClaimReason(state::WorkloadId w) const;
  std::optional<state::Reason> Barred(state::WorkloadId w) const;
  RoomStep StepOfSolo(state::WorkloadId w) const;
  Group GroupOfSolo(state::WorkloadId w) const;
  void AddRoomReasons(const RoomStep& step, std::vector<state::Reason>& reasons);
  std::vector<state::Reason> GangNever(state::WorkloadId w);
  std::vector<state::Reason> GangWaits(state::WorkloadId w) const;
  std::optional<state::Reason> FirstOfGang(state::WorkloadId w);
  std::vector<state::Reason> GangReasons(state::WorkloadId w);
  std::optional<state::Reason> GangLacksRoom(state::WorkloadId w, const Group& group);
  std::optional<state::Reason> NotAllAtOnce(const Group& group) const;
  void TellOvertaken(state::WorkloadId w, state::Reason& reason) const;
  void TellBroken(state::WorkloadId w, state::Reason& reason) const;
  void AddLimits(state::WorkloadId w, const state::Amounts& request,
                 std::vector<state::Reason>& reasons) const;
  // Nothing to say about the shape: it could be placed somewhere.
  std::optional<state::Reason> NeverFits(state::ShapeId s);
  state::Reason NoRoomNow(state::ShapeId s);
  const NodeSurvey& FreeNow(state::ShapeId s);
  std::int64_t RoomFor(state::ShapeId s, std::int64_t wanted);
  state::Reason GangRoom(state::WorkloadId w, state::ShapeId s, std::int64_t pods);

  const Scheduler& scheduler_;
  const state::Cluster& cluster_;
  Time now_;
  WhatIf what_if_;
  boost::unordered_flat_map<std::uint32_t, std::optional<state::Reason>> never_;
  boost::unordered_flat_map<std::uint32_t, NodeSurvey> free_now_;
  struct RoomFound {
    std::int64_t asked = 0, found = 0;
  };
  boost::unordered_flat_map<std::uint32_t, RoomFound> room_;
  static constexpr std::int64_t kLooksAnAnswer = 16;
  std::int64_t looks_ = 0;
  RoomReasons room_reasons_;
  // What others' room comes to is the same for pods of one shape, queue and standing.
  using SoloKey = std::tuple<std::uint32_t, std::uint32_t, std::int32_t, bool, bool>;
  std::map<SoloKey, std::vector<state::Reason>> solo_room_;
};

// As ReportPending of all, but only the first `explained` get their reasons: these are what it
// costs.
std::vector<PendingReport> ReportPending(const Scheduler& scheduler, Time now,
                                         std::size_t explained);

}  // namespace fairlead::engine
