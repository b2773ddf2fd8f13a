// Why something waits, found by asking the parts that decide, in the order in which one would mend
// it: what bars the workload itself, its queue, its pods, limits, room.
//
// Nothing is stored for it while deciding. A reason is computed from the state as it is: the same
// bounds that made the round say no are asked again, and what was searched for is searched for once
// more with single rules put aside (RoomLeniency), to see which of them stands in the way. What is
// the same for many, as a shape that no node could hold, is worked out once for an explainer.
//
// Worked: a pod of 8 GPUs. Its queue takes work; no limit is broken; 12 nodes fit it by labels, and
// none has 8 GPUs free now; with protections put aside a search finds victims, with them it does
// not: "Protected", until the first lapse with which the search succeeds.

#include "engine/explain/explain.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/amount_text.h"
#include "engine/explain/explain_node.h"
#include "engine/explain/explain_topology.h"
#include "engine/explain/explain_user_limit.h"
#include "engine/explain/explain_withheld.h"
#include "engine/place/node_survey.h"
#include "engine/place/topology_gang.h"
#include "engine/room/waits_for.h"
#include "engine/round/broken_gangs.h"
#include "engine/round/reserved_starts.h"
#include "engine/round/round.h"
#include "objects/key.h"
#include "policy/dynamic_demand.h"
#include "policy/limits.h"
#include "policy/node_fit.h"

namespace fairlead::engine {

using state::QueueId;
using state::Reason;
using state::ReasonCode;
using state::WorkloadId;

bool IsPending(const state::Cluster& cluster, WorkloadId w) {
  const state::Workload& workload = cluster.workloads()[w];
  if (!workload.in_use || workload.is_moving) return false;
  if (workload.solo()) {
    const state::Pod& pod = cluster.pods()[workload.only_pod];
    return (pod.waits() || pod.claims()) && workload.active;
  }
  const state::Gang& gang = cluster.workloads().gang(w);
  if (!gang.known || !workload.active) return false;
  return std::any_of(gang.sets.begin(), gang.sets.end(), [&](const state::PodSet& set) {
    std::int64_t live = 0;
    bool waits = set.MissingExpected() > 0;
    bool leaves = false;
    for (state::PodId p : set.pods) {
      live += cluster.pods()[p].live() ? 1 : 0;
      leaves |= cluster.pods()[p].placed() && cluster.pods()[p].leaves();
      waits |= !cluster.pods()[p].placed() || cluster.pods()[p].claims();
    }
    // What only leaves does not wait for anything yet.
    return live + set.succeeded < set.min_count && (waits || !leaves);
  });
}

namespace {

// Nobody is asked to give way for a limit of users, or for room that is only not lent.
bool NobodyIsAsked(const std::vector<Reason>& reasons) {
  const auto are = [](ReasonCode code) {
    return [code](const Reason& reason) { return reason.code == code; };
  };
  return std::ranges::any_of(reasons, are(ReasonCode::kUserLimit)) ||
         (!reasons.empty() && std::ranges::all_of(reasons, are(ReasonCode::kNotLent)));
}

}  // namespace

Explainer::Explainer(const Scheduler& scheduler, Time now)
    : scheduler_(scheduler),
      cluster_(scheduler.cluster()),
      now_(now),
      what_if_(scheduler),
      room_reasons_(scheduler, now) {}

// What keeps it from being tried at all, or is claimed by it.
std::optional<Reason> Explainer::Barred(WorkloadId w) const {
  const state::Workload& workload = cluster_.workloads()[w];
  if (auto queue = QueueReason(workload.queue)) return queue;
  const bool pinned = workload.solo() && policy::PinnedTo(cluster_, workload.only_pod).valid();
  if (pinned && cluster_.pods()[workload.only_pod].claims()) {
    return NodeReason(scheduler_, workload.only_pod, now_);
  }
  if (auto claim = ClaimReason(w)) return claim;
  return PutOffReason(w);
}

std::vector<Reason> Explainer::Reasons(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  if (workload.held) return {cluster_.workloads().hold(w)};
  if (!IsPending(cluster_, w)) return {};
  if (workload.beyond_line) return {BeyondLineReason(cluster_, w)};
  if (auto barred = Barred(w)) return {*barred};
  if (!workload.solo()) {
    std::vector<Reason> reasons = GangReasons(w);
    if (!reasons.empty()) TellBroken(w, reasons.front());
    return reasons;
  }
  const state::Pod& pod = cluster_.pods()[workload.only_pod];
  if (auto never = NeverFits(pod.shape)) return {*never};
  std::vector<Reason> reasons;
  AddLimits(w, cluster_.shapes()[pod.shape].request, reasons);
  if (!what_if_.placer().AnyFits(pod.shape)) {
    reasons.push_back(NoRoomNow(pod.shape));
  } else if (auto kept = WithheldReason(what_if_, GroupOfSolo(w), StepOfSolo(w), now_)) {
    reasons.push_back(*std::move(kept));
    return reasons;
  }
  const bool pinned = policy::PinnedTo(cluster_, workload.only_pod).valid();
  if (pinned || NobodyIsAsked(reasons)) return reasons;
  const SoloKey key{pod.shape.value(), workload.queue.value(), workload.priority,
                    workload.preemptible, workload.never_preempts};
  auto [known, fresh] = solo_room_.try_emplace(key);
  if (fresh) AddRoomReasons(StepOfSolo(w), known->second);
  reasons.insert(reasons.end(), known->second.begin(), known->second.end());
  return reasons;
}

RoomStep Explainer::StepOfSolo(WorkloadId w) const {
  const state::Workload& workload = cluster_.workloads()[w];
  const state::ShapeId s = cluster_.pods()[workload.only_pod].shape;
  return {.workload = w,
          .queue = workload.queue,
          .priority = workload.priority,
          .preemptible = workload.preemptible,
          .parts = {{.pod_set = 0, .shape = s, .pods = {workload.only_pod}, .expected = 0}},
          .request = cluster_.shapes()[s].request};
}

std::optional<RoomInTime> Explainer::RoomAt(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  if (workload.held || workload.beyond_line || !IsPending(cluster_, w) || Barred(w)) {
    return std::nullopt;
  }
  RoomStep step;
  if (workload.solo()) {
    if (!cluster_.pods()[workload.only_pod].waits()) return std::nullopt;
    if (policy::PinnedTo(cluster_, workload.only_pod).valid()) return std::nullopt;
    step = StepOfSolo(w);
  } else {
    const std::optional<Group> group = what_if_.NextStep(w);
    if (!group) return std::nullopt;
    step = StepOfGang(*group);
  }
  const Bookings others = what_if_.KeptForOthers(w);
  const std::vector<policy::End> ends = policy::EndsOf(cluster_, now_);
  return FirstRoom(what_if_.placer(), what_if_.cluster(), step,
                   {.ends = ends, .bookings = others, .windows = what_if_.windows(), .now = now_});
}

std::optional<Reason> Explainer::First(WorkloadId w) {
  looks_ += kLooksAnAnswer;
  const state::Workload& workload = cluster_.workloads()[w];
  if (workload.held) return cluster_.workloads().hold(w);
  if (!IsPending(cluster_, w)) return std::nullopt;
  if (workload.beyond_line) return BeyondLineReason(cluster_, w);
  if (auto barred = Barred(w)) return barred;
  if (!workload.solo()) {
    std::optional<Reason> reason = FirstOfGang(w);
    if (reason) TellBroken(w, *reason);
    return reason;
  }
  const state::ShapeId s = cluster_.pods()[workload.only_pod].shape;
  if (auto never = NeverFits(s)) return never;
  std::vector<Reason> limits;
  AddLimits(w, cluster_.shapes()[s].request, limits);
  if (!limits.empty()) return std::move(limits.front());
  if (!what_if_.placer().AnyFits(s)) return NoRoomNow(s);
  return WithheldReason(what_if_, GroupOfSolo(w), StepOfSolo(w), now_);
}

// As the backlog has it, as far as it matters to who goes before whom.
Group Explainer::GroupOfSolo(WorkloadId w) const {
  const state::Workload& workload = cluster_.workloads()[w];
  Group group;
  group.queue = workload.queue;
  group.priority = workload.priority;
  group.request = cluster_.shapes()[cluster_.pods()[workload.only_pod].shape].request;
  group.of_daemon_set = cluster_.pods()[workload.only_pod].of_daemon_set();
  return group;
}

void Explainer::AddRoomReasons(const RoomStep& step, std::vector<Reason>& reasons) {
  for (Reason& reason : room_reasons_.Of(step)) reasons.push_back(std::move(reason));
}

// Room is claimed, and others have still to leave it.
std::optional<Reason> Explainer::ClaimReason(WorkloadId w) const {
  const std::vector<state::PodId> claims = ClaimsOf(cluster_, w);
  if (claims.empty()) return std::nullopt;
  std::set<std::string> waits_for;
  for (state::PodId p : WaitsFor(cluster_, LeavingForLimit(cluster_, w), claims))
    waits_for.emplace(cluster_.pods().name(p));
  return Reason{.code = ReasonCode::kWaitingForVictims,
                .message = fmt::format("room is held for it: it waits for {} to leave",
                                       FirstAndMore(waits_for))};
}

// It was admitted, and its pods did not come.
std::optional<Reason> Explainer::PutOffReason(WorkloadId w) const {
  const Backlog& backlog = scheduler_.round().backlog();
  const GroupId g = backlog.GroupOfGang(w);
  if (!g.valid() || backlog[g].not_before <= now_) return std::nullopt;
  const std::string until = FormatTime(backlog[g].not_before);
  return Reason{.code = ReasonCode::kWaitingForPods,
                .message = fmt::format("it was admitted, and nobody made its pods in time: it is "
                                       "tried again at {}",
                                       until),
                .until = backlog[g].not_before};
}

std::optional<Reason> Explainer::QueueReason(QueueId q) const {
  const state::Queue& queue = cluster_.queues()[q];
  auto reason = [&](ReasonCode code, std::string message) {
    return Reason{.code = code, .message = std::move(message), .queue = queue.name};
  };
  if (!queue.exists || q == state::QueueTree::Root()) {
    return reason(ReasonCode::kQueueNotFound,
                  fmt::format("queue \"{}\" does not exist", queue.name));
  }
  if (queue.health == state::QueueHealth::kParentNotFound) {
    QueueId top = q;
    while (cluster_.queues()[top].parent.value() != 0) top = cluster_.queues()[top].parent;
    return reason(
        ReasonCode::kQueueNotReady,
        fmt::format("queue \"{}\" is not ready: its parent \"{}\" does not exist",
                    cluster_.queues()[top].exists ? cluster_.queues()[top].name : queue.name,
                    cluster_.queues()[top].exists ? cluster_.queues()[top].parent_name
                                                  : cluster_.queues()[top].name));
  }
  if (queue.health == state::QueueHealth::kParentCycle) {
    return reason(ReasonCode::kQueueNotReady,
                  fmt::format("queue \"{}\" is not ready: its parents form a cycle", queue.name));
  }
  if (!IsLeaf(cluster_.queues(), q)) {
    return reason(ReasonCode::kQueueNotReady,
                  fmt::format("queue \"{}\" has queues below it: only leaf queues hold workloads",
                              queue.name));
  }
  if (!queue.active) {
    return reason(
        ReasonCode::kQueueNotReady,
        fmt::format("queue \"{}\" is switched off: {}", queue.name,
                    queue.why_inactive.empty() ? "its spec.active is false" : queue.why_inactive));
  }
  return std::nullopt;
}

namespace {

// With whose limit it is, what is left of it, and what is asked. `quota`: what the queue is made
// of, and owners know it by; empty: it is one of ours.
std::string_view BreachText(ReasonCode code, std::string_view quota) {
  if (code != ReasonCode::kQueueLimit) {
    return "queue \"{}\" guarantees {} more to work that is not preemptible, {} asked";
  }
  if (quota.empty()) return "queue \"{}\" may use {} more before its limit, {} asked";
  if (quota == "ElasticQuotas") {
    return "{} may use {} more together before the sum of their min, {} asked";
  }
  if (quota.starts_with("ClusterQueue ")) {
    return "{} may use {} more of its nominalQuota and borrowingLimit, {} asked";
  }
  return "{} allows {} more before its max, {} asked";
}

}  // namespace

void Explainer::AddLimits(WorkloadId w, const state::Amounts& request,
                          std::vector<Reason>& reasons) const {
  const state::ResourceTable& resources = cluster_.resources();
  for (const policy::LimitBreach& breach : policy::AllBreaches(cluster_, w, request)) {
    if (breach.by_user()) {
      reasons.push_back(UserLimitReason(cluster_, breach, now_));
      continue;
    }
    Reason reason{.code = breach.code,
                  .queue = cluster_.queues()[breach.queue].name,
                  .resource = resources.name(breach.resource),
                  .requested = resources.Format(breach.resource, breach.requested),
                  .available = resources.Format(breach.resource, breach.available)};
    if (breach.not_lent()) {
      reason.message = policy::NotLentText(cluster_, breach);
      reasons.push_back(std::move(reason));
      continue;
    }
    const std::string& quota = cluster_.queues()[breach.queue].derived_from;
    const bool names_quota = breach.code == ReasonCode::kQueueLimit && !quota.empty();
    reason.message = fmt::format(fmt::runtime(BreachText(breach.code, quota)),
                                 names_quota ? quota : reason.queue,
                                 AmountText(reason.resource, reason.available),
                                 BareAmountText(reason.resource, reason.requested));
    reasons.push_back(std::move(reason));
  }
}

std::optional<Reason> Explainer::NeverFits(state::ShapeId s) {
  auto [it, fresh] = never_.try_emplace(s.value());
  if (!fresh) return it->second;
  const state::Shape& shape = cluster_.shapes()[s];
  if (!shape.needs->rare->unsupported_field.empty()) {
    it->second = Reason{.code = ReasonCode::kUnsupportedConstraint,
                        .message = fmt::format("{} is not supported yet, so it waits",
                                               shape.needs->rare->unsupported_field),
                        .field = shape.needs->rare->unsupported_field};
    return it->second;
  }
  if (shape.placeable) return std::nullopt;
  const bool named = !shape.only_nodes.empty();
  const bool any_there =
      std::any_of(shape.only_nodes.begin(), shape.only_nodes.end(), [&](const std::string& name) {
        const state::NodeId n = cluster_.nodes().Find(name);
        return n.valid() && cluster_.nodes().exists(n);
      });
  if (named && !any_there) {
    it->second = Reason{.code = ReasonCode::kRequiredNodeNotFound,
                        .message = fmt::format("it can run on node \"{}\" only, which is not there",
                                               shape.only_nodes.front()),
                        .node = shape.only_nodes.front()};
    return it->second;
  }
  looks_ += cluster_.nodes().size();
  const NodeSurvey survey = Survey(cluster_, s, Room::kWhenEmpty);
  Reason reason{.code = ReasonCode::kNoNodeFits,
                .message = fmt::format("it fits no node, even an empty one: {}", survey.text)};
  reason.field = survey.line;
  if (survey.scarcest.valid()) {
    reason.resource = cluster_.resources().name(survey.scarcest);
    reason.requested = cluster_.resources().Format(survey.scarcest, survey.requested);
    reason.available = cluster_.resources().Format(survey.scarcest, survey.best);
  }
  it->second = std::move(reason);
  return it->second;
}

const NodeSurvey& Explainer::FreeNow(state::ShapeId s) {
  auto [it, fresh] = free_now_.try_emplace(s.value());
  if (fresh) {
    looks_ += cluster_.nodes().size();
    it->second = Survey(cluster_, s, Room::kFreeNow);
  }
  return it->second;
}

namespace {

// Another pod has a claim of its alone, so it is not for want of room, on whatever node.
std::optional<Reason> ClaimInUse(const state::Cluster& cluster, state::ShapeId s) {
  const auto holder = policy::HolderOfClaim(cluster, cluster.shapes()[s]);
  if (!holder) return std::nullopt;
  return Reason{.code = ReasonCode::kVolumeNotReady,
                .message = fmt::format("persistentVolumeClaim {}: it is ReadWriteOncePod, and Pod "
                                       "{} has it",
                                       objects::SplitKey(holder->claim).name, holder->pod),
                .field = "spec.volumes.persistentVolumeClaim"};
}

}  // namespace

Reason Explainer::NoRoomNow(state::ShapeId s) {
  if (auto in_use = ClaimInUse(cluster_, s)) return *std::move(in_use);
  const NodeSurvey& survey = FreeNow(s);
  Reason reason{.code = ReasonCode::kNoNodeFits,
                .message = fmt::format("no node has room for it now: {}", survey.text)};
  if (survey.scarcest.valid()) {
    reason.resource = cluster_.resources().name(survey.scarcest);
    reason.requested = cluster_.resources().Format(survey.scarcest, survey.requested);
    reason.available = cluster_.resources().Format(survey.scarcest, survey.best);
  }
  return reason;
}

// As the placer's, which looks at node by node until there is room for as many.
std::int64_t Explainer::RoomFor(state::ShapeId s, std::int64_t wanted) {
  RoomFound& room = room_[s.value()];
  const bool counted_all = room.found < room.asked;
  if (wanted > room.asked && !counted_all) {
    looks_ += cluster_.nodes().size();
    room = {.asked = wanted, .found = what_if_.placer().RoomFor(s, wanted)};
  }
  return room.found;
}

// Gangs
// --------------------------------------------------------------------------------------------

// What of it fits no node, even an empty one, by the names of its pods.
std::vector<Reason> Explainer::GangNever(WorkloadId w) {
  const state::Gang& gang = cluster_.workloads().gang(w);
  std::vector<Reason> reasons;
  std::set<std::string> seen;
  auto add_never = [&](state::ShapeId s) {
    const auto never = NeverFits(s);
    if (never && seen.insert(never->message).second) reasons.push_back(*never);
  };
  for (const state::PodSet& set : gang.sets) {
    looks_ += std::ssize(set.pods);
    if (set.MissingExpected() > 0) add_never(set.expected_shape);
    // Of each shape the first pod by name.
    std::vector<state::PodId> firsts;
    for (state::PodId p : set.pods) {
      if (!cluster_.pods()[p].waits()) continue;
      const auto same = std::find_if(firsts.begin(), firsts.end(), [&](state::PodId first) {
        return cluster_.pods()[first].shape == cluster_.pods()[p].shape;
      });
      if (same == firsts.end()) {
        firsts.push_back(p);
      } else if (NeverFits(cluster_.pods()[p].shape) &&
                 cluster_.pods().name(p) < cluster_.pods().name(*same)) {
        *same = p;
      }
    }
    cluster_.pods().SortByName(firsts);
    for (state::PodId p : firsts) add_never(cluster_.pods()[p].shape);
  }
  return reasons;
}

// The pods that must be made first.
std::vector<Reason> Explainer::GangWaits(WorkloadId w) const {
  std::vector<Reason> reasons;
  for (const state::PodSet& set : cluster_.workloads().gang(w).sets) {
    const auto have = std::count_if(set.pods.begin(), set.pods.end(), [&](state::PodId p) {
      return cluster_.pods()[p].waits() || cluster_.pods()[p].counts();
    });
    if (have + set.succeeded >= set.min_count) continue;
    reasons.push_back({.code = ReasonCode::kWaitingForPods,
                       .message = fmt::format(
                           "pod set \"{}\" needs {} {} to start and has {}: {} must be made first",
                           set.name, set.min_count, set.min_count == 1 ? "pod" : "pods",
                           have + set.succeeded, set.min_count == 1 ? "it" : "the others"),
                       .resource = "pods",
                       .requested = std::to_string(set.min_count),
                       .available = std::to_string(have + set.succeeded)});
  }
  return reasons;
}

// The first of its shapes for which there is too little room.
std::optional<Reason> Explainer::GangLacksRoom(WorkloadId w, const Group& group) {
  if (AsksTopology(cluster_, w)) {
    looks_ += cluster_.nodes().size();
    if (auto reason = TopologyReason(what_if_, w, group.parts)) return reason;
  }
  for (const GangPart& part : group.parts) {
    std::int64_t wanted = 0;
    for (const GangPart& other : group.parts)
      wanted += other.shape == part.shape ? other.count() : 0;
    if (RoomFor(part.shape, wanted) < wanted) return GangRoom(w, part.shape, wanted);
  }
  return std::nullopt;
}

// It waits for room, although each of its shapes has enough.
std::optional<Reason> Explainer::NotAllAtOnce(const Group& group) const {
  if (group.wait != Group::Wait::kRoom && group.wait != Group::Wait::kEither) return std::nullopt;
  std::int64_t pods = 0;
  for (const GangPart& part : group.parts) pods += part.count();
  Reason reason{
      .code = ReasonCode::kGangDoesNotFit,
      .message = fmt::format("its {} pods find room one by one, but not all at once", pods)};
  if (pods > 1 && group.searched_in_vain) reason.proven = false;
  return reason;
}

std::optional<Reason> Explainer::FirstOfGang(WorkloadId w) {
  const auto first = [](std::vector<Reason> reasons) {
    return reasons.empty() ? std::nullopt : std::optional(std::move(reasons.front()));
  };
  if (auto never = first(GangNever(w))) return never;
  const std::optional<Group> group = what_if_.NextStep(w);
  if (!group) return first(GangWaits(w));
  std::vector<Reason> limits;
  AddLimits(w, group->request, limits);
  if (!limits.empty()) return first(std::move(limits));
  if (auto room = GangLacksRoom(w, *group)) return room;
  if (auto kept = WithheldReason(what_if_, *group, StepOfGang(*group), now_)) return kept;
  return NotAllAtOnce(*group);
}

// The clock of a running gang that is stopped unless its pods can be placed.
void Explainer::TellBroken(WorkloadId w, Reason& reason) const {
  const std::optional<Time> due = what_if_.broken().DueOf(w);
  if (!due) return;
  if (!reason.until) reason.until = due;
  reason.message += fmt::format("; unless that changes, all of it is stopped at {} and starts anew",
                                FormatTime(*due));
}

std::vector<Reason> Explainer::GangReasons(WorkloadId w) {
  std::vector<Reason> reasons = GangNever(w);
  if (!reasons.empty()) return reasons;
  const std::optional<Group> group = what_if_.NextStep(w);
  if (!group) return GangWaits(w);
  AddLimits(w, group->request, reasons);
  if (auto room = GangLacksRoom(w, *group)) {
    if (room->code == ReasonCode::kGangDoesNotFit) TellOvertaken(w, *room);
    reasons.push_back(std::move(*room));
  }
  if (reasons.empty()) {
    if (auto kept = WithheldReason(what_if_, *group, StepOfGang(*group), now_))
      return {*std::move(kept)};
    if (auto not_all = NotAllAtOnce(*group)) reasons.push_back(std::move(*not_all));
  }
  if (!reasons.empty() && !NobodyIsAsked(reasons)) AddRoomReasons(StepOfGang(*group), reasons);
  return reasons;
}

namespace {

// With how few pods it could be admitted.
std::int64_t LeastPods(const state::Cluster& cluster, WorkloadId w) {
  const state::Gang& gang = cluster.workloads().gang(w);
  const bool fewer = cluster.configuration().partial_admission.enabled && gang.reducible();
  std::int64_t least = 0;
  for (const state::PodSet& set : gang.sets) {
    least += std::max(0, (fewer ? set.min_asked : set.count) - set.succeeded);
  }
  return least;
}

}  // namespace

Reason Explainer::GangRoom(WorkloadId w, state::ShapeId s, std::int64_t pods) {
  if (pods == 1) return NoRoomNow(s);
  if (auto in_use = ClaimInUse(cluster_, s)) return *std::move(in_use);
  const std::int64_t room = RoomFor(s, pods);
  const std::int64_t least = LeastPods(cluster_, w);
  const std::string fewer = least < pods ? fmt::format(", or {} at least", least) : std::string();
  return {.code = ReasonCode::kGangDoesNotFit,
          .message = fmt::format("it starts with {} pods at once{}, and there is room for {}: {}",
                                 pods, fewer, room, FreeNow(s).text),
          .resource = "pods",
          .requested = std::to_string(pods),
          .available = std::to_string(room)};
}

void Explainer::TellOvertaken(WorkloadId w, Reason& reason) const {
  const std::vector<std::string> passed = OvertakenBy(w);
  if (passed.empty()) return;
  reason.message += fmt::format("; it was passed by {}", passed.back());
  if (passed.size() > 1) reason.message += fmt::format(" and {} more", passed.size() - 1);
  reason.message += ", which fit into what is free";
}

std::vector<std::string> Explainer::OvertakenBy(WorkloadId w) const {
  const Round& round = scheduler_.round();
  const GroupId g = round.backlog().GroupOfGang(w);
  if (!g.valid() || round.backlog()[g].waiting_since == 0) return {};
  // Only what runs where the gang could run took anything from it.
  const Group& group = round.backlog()[g];
  auto could_run_on = [&](state::NodeId n) {
    return std::any_of(group.parts.begin(), group.parts.end(), [&](const GangPart& part) {
      return policy::FitsWhenEmpty(cluster_, cluster_.shapes()[part.shape], n);
    });
  };
  auto in_the_way = [&](WorkloadId other) {
    const state::Workload& workload = cluster_.workloads()[other];
    if (workload.solo()) return could_run_on(cluster_.pods()[workload.only_pod].node);
    const auto& sets = cluster_.workloads().gang(other).sets;
    return std::any_of(sets.begin(), sets.end(), [&](const state::PodSet& set) {
      return std::any_of(set.pods.begin(), set.pods.end(), [&](state::PodId p) {
        return cluster_.pods()[p].live() && could_run_on(cluster_.pods()[p].node);
      });
    });
  };
  std::vector<std::pair<std::uint32_t, std::string>> passed;
  for (std::uint32_t i = 0; i < cluster_.workloads().size(); ++i) {
    const WorkloadId other(i);
    if (other == w || !cluster_.workloads()[other].in_use) continue;
    if (cluster_.workloads()[other].live == 0) continue;
    const std::uint32_t at = round.placements().NumberOf(other);
    if (at >= group.waiting_since && in_the_way(other))
      passed.emplace_back(at, cluster_.NameOf(other));
  }
  std::sort(passed.begin(), passed.end());
  std::vector<std::string> names;
  for (auto& [at, name] : passed) names.push_back(std::move(name));
  return names;
}

}  // namespace fairlead::engine
