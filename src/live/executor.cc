#include "live/executor.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "effects/conditions.h"
#include "effects/group_status.h"
#include "live/requests.h"
#include "live/resources.h"
#include "objects/keys.h"

namespace fairlead::live {
namespace {

constexpr Duration kFirstDelay = Duration::Seconds(1);
constexpr Duration kLongestDelay = Duration::Seconds(300);
// A budget that is exhausted may be free again in a moment: another pod became ready.
constexpr int kEvictionAttempts = 5;

Duration DelayAfter(int failures) {
  const std::int64_t doubled = kFirstDelay.us << std::min(failures - 1, 20);
  return std::min(Duration{.us = doubled}, kLongestDelay);
}

std::string PodLine(const std::string& pod) { return "Pod " + pod; }

}  // namespace

Executor::Executor(kube::Loop& loop, Writer& writer, const ObjectCache& cache,
                   Admissions& admissions, Events& events, Feedback feedback)
    : loop_(loop),
      writer_(writer),
      cache_(cache),
      admissions_(admissions),
      events_(events),
      feedback_(std::move(feedback)),
      standing_(loop, writer, feedback_.on_problem),
      volumes_(
          loop, writer, cache,
          {.on_waiting =
               [this](const auto& bind) { MarkWait(bind.pod, effects::WaitsForVolumes(bind)); },
           .on_ready =
               [this](effects::BindPod bind, bool waited) {
                 if (waited) MarkWait(bind.pod, effects::WaitsNoMore(bind.node, ""));
                 BindNow(std::move(bind));
               },
           .on_failed = [this](auto binds,
                               const auto& failure) { NotBound(std::move(binds), failure); }}),
      timers_(loop) {}

void Executor::Do(effects::Write&& write) {
  // What a bind says is said when it is done.
  if (auto* bind = std::get_if<effects::BindPod>(&write)) return Bind(std::move(*bind));
  struct Visitor {
    Executor& self;
    void operator()(const effects::BindPod&) const {}
    void operator()(const effects::EvictPod& evict) const { self.Evict(evict); }
    void operator()(const effects::NominatePod& nominate) const { self.Nominate(nominate); }
    void operator()(const effects::ReserveNode& reserve) const { self.Reserve(reserve); }
    void operator()(const effects::SetReservation& set) const { self.SetReservation(set); }
    void operator()(const effects::SetLandings& set) const { self.SetLandings(set); }
    void operator()(const effects::SetMoved& set) const { self.admissions_.NoteNow(set); }
    void operator()(const effects::SetLoan& set) const { self.SetLoan(set); }
    void operator()(const effects::AdmitWorkload& admit) const { self.admissions_.Admit(admit); }
    void operator()(const effects::StopWorkload& stop) const { self.admissions_.Stop(stop); }
    void operator()(const effects::SetStartTime& set) const { self.admissions_.NoteNow(set); }
    void operator()(const effects::SetProtection& set) const {
      self.admissions_.SetProtection(set);
    }
    void operator()(const effects::SetBroken& set) const { self.admissions_.NoteNow(set); }
    void operator()(const effects::SetInactive& set) const { self.admissions_.NoteNow(set); }
    void operator()(const effects::SetUngated& set) const { self.SetUngated(set); }
    void operator()(const effects::FinishWorkload& finish) const {
      self.admissions_.Finish(finish);
    }
    void operator()(const effects::SetQuotaStatus& set) const { self.SetQuotaStatus(set); }
    void operator()(const effects::SetGroupCondition& set) const { self.SetGroupCondition(set); }
    void operator()(const effects::Warn&) const {}
  };
  std::visit(Visitor{*this}, write);
  if (auto text = effects::EventOf(write)) events_.Add(std::move(*text));
}

void Executor::Report(std::string_view what, const std::string& object,
                      const kube::Status& status) {
  if (feedback_.on_problem) {
    feedback_.on_problem(fmt::format("{} {}: {}", what, object, status.ToString()));
  }
}

void Executor::BindFailed(std::vector<BindingPtr> bindings) {
  Duration delay;
  for (const BindingPtr& binding : bindings) {
    ++counts_.bind_failed;
    delay = std::max(delay, DelayAfter(++bind_failures_[binding->bind.pod]));
  }
  timers_.After(delay, [this, bindings = std::move(bindings)] {
    for (const BindingPtr& binding : bindings) TellFailed(*binding);
  });
}

// Not where it is another pod by then, whose own binding may be under way, nor where an earlier
// try that nobody answered was carried out.
void Executor::TellFailed(const Binding& binding) {
  const std::string& failed = binding.bind.pod;
  const auto held = cache_.Pod(failed);
  if (!held || held->uid != binding.uid || held->bound) return;
  const auto under_way = binding_.find(ByPodAndNode::Key(failed, binding.bind.node));
  if (under_way != binding_.end()) binding_.erase(under_way);
  // It may have been decided for another node meanwhile: that stands.
  const auto other = binding_.lower_bound(ByPodAndNode::Key(failed, {}));
  if (other != binding_.end() && (*other)->bind.pod == failed) return;
  if (volumes_.Waits(failed)) return;
  feedback_.on_failed(state::BindFailed{.pod = failed, .refusal = binding.refusal.Copy()});
}

void Executor::EvictFailed(const std::string& pod, const std::string& uid) {
  ++counts_.evict_failed;
  timers_.After(DelayAfter(++evict_failures_[pod]), [this, pod, uid] {
    const auto held = cache_.Pod(pod);
    if (!held || held->uid != uid || held->terminating) return;
    feedback_.on_failed(state::EvictFailed{.pod = pod});
  });
}

void Executor::MarkPod(const std::string& pod, const std::string& uid,
                       const effects::ConditionText& condition, const char* trouble) {
  writer_.Send(PodLine(pod), SetCondition(pod, uid, condition, loop_.WallNow()),
               [this, pod, trouble](const WriteResult& result) {
                 if (!result.done && !kube::IsNotFound(result.status)) {
                   Report(trouble, pod, result.status);
                 }
               });
}

void Executor::MarkWait(const std::string& pod, const effects::ConditionText& condition) {
  const auto held = cache_.Pod(pod);
  if (!held) return;
  MarkPod(pod, held->uid, condition, "cannot note whether volumes are awaited by");
}

void Executor::Bind(effects::BindPod bind) {
  if (bind.waits_for_volumes) {
    volumes_.Add(std::move(bind));
  } else {
    BindNow(std::move(bind));
  }
}

void Executor::NotBound(std::vector<effects::BindPod> binds,
                        const VolumeBindings::Failure& failure) {
  std::vector<BindingPtr> bindings;
  for (effects::BindPod& bind : binds) {
    const auto pod = cache_.Pod(bind.pod);
    if (!pod) continue;
    feedback_.on_problem(fmt::format("cannot bind {}: {}", bind.pod, failure.why));
    MarkWait(bind.pod, effects::WaitsNoMore(bind.node, failure.why));
    std::optional<state::BindFailed::Refusal> refusal;
    if (failure.IsOf(bind)) {
      refusal = {.node = bind.node, .at = loop_.WallNow(), .message = failure.why};
    }
    bindings.push_back(std::make_shared<const Binding>(Binding{.bind = std::move(bind),
                                                               .uid = Uid(pod->uid),
                                                               .decided = loop_.Now(),
                                                               .refusal = std::move(refusal)}));
  }
  if (!failure.at_once) return BindFailed(std::move(bindings));
  for (const BindingPtr& binding : bindings) TellFailed(*binding);
}

void Executor::BindNow(effects::BindPod bind) {
  const auto pod = cache_.Pod(bind.pod);
  if (!pod) return;  // its going is told with the next changes
  // Of use only as long as it waited for volumes; and ten thousand may be under way.
  bind.workload.clear();
  bind.workload.shrink_to_fit();
  const auto binding = std::make_shared<const Binding>(
      Binding{.bind = std::move(bind), .uid = Uid(pod->uid), .decided = loop_.Now()});
  binding_.insert(binding);
  // First: who starts anew believes no other word of where the pod is.
  if (const auto device = effects::DeviceConditionOf(binding->bind)) {
    MarkPod(binding->bind.pod, pod->uid, *device, "cannot note the device of");
  }
  writer_.Send(
      PodLine(binding->bind.pod), kube::Lane::kBindings,
      [binding] { return live::Bind(binding->bind, binding->uid.ToString()); },
      [this, binding](const WriteResult& result) { BindEnded(binding, result); });
}

void Executor::BindEnded(const BindingPtr& binding, const WriteResult& result) {
  if (result.done) {
    ++counts_.bound;
    counts_.bind.Add(loop_.Now() - binding->decided);
    if (auto text = effects::EventOf(binding->bind)) events_.Add(std::move(*text));
    return;
  }
  // It is bound already, by a request of ours perhaps that nobody answered, or gone, and will be
  // seen so. Until then its room is not another's.
  if (kube::IsAlreadyAssigned(result.status) || kube::IsNotFound(result.status)) return;
  Report("cannot bind", binding->bind.pod, result.status);
  BindFailed({binding});
}

void Executor::Bound(const std::string& pod) {
  bind_failures_.erase(pod);
  auto binding = binding_.lower_bound(ByPodAndNode::Key(pod, {}));
  while (binding != binding_.end() && (*binding)->bind.pod == pod) {
    binding = binding_.erase(binding);
  }
}

bool Executor::MayBind(std::string_view node) const {
  return std::any_of(binding_.begin(), binding_.end(),
                     [&](const BindingPtr& binding) { return binding->bind.node == node; });
}

void Executor::Evict(const effects::EvictPod& evict) {
  const auto pod = cache_.Pod(evict.pod);
  if (!pod) return;  // its going is told with the next changes
  if (volumes_.Drop(evict.pod)) return Release(evict);
  if (!pod->bound) {
    const auto under_way = binding_.find(ByPodAndNode::Key(evict.pod, evict.node));
    // Its volumes were not had, and that is about to be told.
    if (under_way == binding_.end()) return Release(evict);
    // Who waited for volumes was no running pod when this was decided, and may be one by now, and
    // protected: it is decided on what the cluster shows.
    if ((*under_way)->bind.waits_for_volumes) return EvictFailed(evict.pod, pod->uid);
  }
  ++counts_.victims[evict.action];
  const auto condition = effects::PodConditionOf(evict);
  MarkPod(evict.pod, pod->uid, *condition, "cannot mark as a victim");
  // Its job is suspended, and takes it away without a failure that would count.
  if (evict.by_stop && admissions_.StopsByJob(evict.workload)) return;
  Leaving leaving{.pod = evict.pod,
                  .uid = pod->uid,
                  .past_budgets = evict.past_budgets,
                  .stops = evict.stops,
                  .job_kind = evict.job_kind,
                  .job = evict.job,
                  .at_limit = evict.at_limit,
                  .stopped = evict.stopped};
  // Named only where it is shorter: an eviction must not give a pod more time than it asked for.
  if (pod->grace > evict.max_grace) leaving.grace = evict.max_grace;
  if (leaving.stopped.empty()) return PostEviction(leaving, 1);
  NoteStopped(leaving);
}

// It never was on its node: it waits again, and nothing is lost.
void Executor::Release(const effects::EvictPod& evict) {
  MarkWait(evict.pod, effects::WaitsNoMore(evict.node, effects::PodConditionOf(evict)->message));
  timers_.After({},
                [this, pod = evict.pod] { feedback_.on_failed(state::BindFailed{.pod = pod}); });
}

// The Eviction API knows of no budget that does not bind: there the pod is deleted.
void Executor::PostEviction(const Leaving& leaving, int attempt) {
  kube::Request request =
      leaving.past_budgets
          ? live::Delete(resources::Pods(), leaving.pod, leaving.uid, leaving.grace)
          : live::Evict(leaving.pod, leaving.uid, leaving.grace);
  writer_.Send(PodLine(leaving.pod), std::move(request), [=, this](const WriteResult& result) {
    if (result.done || kube::IsNotFound(result.status)) {
      ++counts_.evicted;
      if (!leaving.job.empty() && leaving.stops > 0) NoteStops(leaving);
      return;
    }
    if (leaving.at_limit && !leaving.past_budgets) {
      Leaving deleted = leaving;
      deleted.past_budgets = true;
      return PostEviction(deleted, attempt);
    }
    if (kube::IsBudgetExhausted(result.status) && attempt < kEvictionAttempts) {
      timers_.After(DelayAfter(attempt), [=, this] { PostEviction(leaving, attempt + 1); });
      return;
    }
    Report("cannot evict", leaving.pod, result.status);
    EvictFailed(leaving.pod, leaving.uid);
  });
}

// Before the pod goes: what its job makes in its place must not start.
void Executor::NoteStopped(const Leaving& leaving) {
  const CachedObject* job = cache_.Find(leaving.job_kind, leaving.job);
  const std::string* noted = job == nullptr
                                 ? nullptr
                                 : objects::FindLabel(objects::MetaOf(job->object).annotations,
                                                      objects::kStoppedAnnotation);
  if (job == nullptr || (noted != nullptr && *noted == leaving.stopped)) {
    return PostEviction(leaving, 1);
  }
  writer_.Send(fmt::format("{} {}", leaving.job_kind, leaving.job),
               SetAnnotation(resources::OfJob(job->object), job->ref, objects::kStoppedAnnotation,
                             leaving.stopped),
               [this, leaving](const WriteResult& result) {
                 if (result.done || kube::IsNotFound(result.status)) {
                   return PostEviction(leaving, 1);
                 }
                 // Another pod's stop was noted meanwhile, perhaps.
                 if (kube::IsConflict(result.status)) {
                   return timers_.After(kFirstDelay, [this, leaving] { NoteStopped(leaving); });
                 }
                 Report("cannot note that it is stopped:", leaving.job, result.status);
                 EvictFailed(leaving.pod, leaving.uid);
               });
}

void Executor::NoteStops(const Leaving& leaving) {
  standing_.Set({.object = leaving.job_kind + " " + leaving.job, .name = "stops"},
                fmt::format("cannot note the stops of {} {}", leaving.job_kind, leaving.job),
                [this, leaving]() -> std::optional<kube::Request> {
                  const CachedObject* job = cache_.Find(leaving.job_kind, leaving.job);
                  if (job == nullptr) return std::nullopt;
                  return SetAnnotation(resources::OfJob(job->object), job->ref,
                                       objects::kStopsAnnotation, std::to_string(leaving.stops));
                });
}

void Executor::SetOfWaiting(const std::string& pod, std::string_view part, std::string_view trouble,
                            std::function<kube::Request(const std::string& uid)> make) {
  const auto shown = cache_.Pod(pod);
  if (!shown) return;
  standing_.Set(
      {.object = PodLine(pod), .name = std::string(part)}, fmt::format("{} {}", trouble, pod),
      [this, pod, uid = shown->uid, make = std::move(make)]() -> std::optional<kube::Request> {
        const auto held = cache_.Pod(pod);
        if (!held || held->uid != uid || held->bound) return std::nullopt;
        return make(uid);
      });
}

void Executor::Nominate(const effects::NominatePod& nominate) {
  SetOfWaiting(nominate.pod, "nominatedNodeName", "cannot nominate",
               [pod = nominate.pod, node = nominate.node](const std::string& uid) {
                 return SetNominatedNode(pod, uid, node);
               });
}

void Executor::Reserve(const effects::ReserveNode& reserve) {
  SetOfWaiting(reserve.pod, "NodeReserved", "cannot note the reservation of",
               [reserve](const std::string& uid) {
                 return SetCondition(reserve.pod, uid, *effects::PodConditionOf(reserve),
                                     reserve.since);
               });
}

void Executor::SetReservation(const effects::SetReservation& set) {
  if (!set.is_pod) return admissions_.NoteBeforeAdmission(set, set.reservation.has_value());
  SetOfWaiting(set.workload, "reservation", "cannot note the reservation of",
               [set](const std::string& uid) {
                 return live::SetReservation(set.workload, uid, set.reservation);
               });
}

void Executor::SetLandings(const effects::SetLandings& set) {
  if (!set.is_pod) return admissions_.NoteBeforeAdmission(set, !set.landings.empty());
  SetOfWaiting(
      set.workload, "landings", "cannot note the landings of",
      [set](const std::string& uid) { return live::SetLandings(set.workload, uid, set.landings); });
}

void Executor::SetLoan(const effects::SetLoan& set) {
  if (!set.is_pod) return admissions_.NoteNow(set);
  const auto held = cache_.Pod(set.workload);
  if (!held) return;
  MarkPod(set.workload, held->uid, *effects::PodConditionOf(set), "cannot note the loan of");
}

void Executor::SetUngated(const effects::SetUngated& set) {
  const auto held = cache_.Pod(set.pod);
  if (!held || held->bound) return;
  MarkPod(set.pod, held->uid, *effects::PodConditionOf(set), "cannot note since when waits");
}

// One condition and no other, as those of pods: each is a part of the status by itself.
void Executor::SetGroupCondition(const effects::SetGroupCondition& set) {
  standing_.Set({.object = "PodGroup " + set.group, .name = set.condition.type},
                "cannot write the status of PodGroup " + set.group,
                [this, set]() -> std::optional<kube::Request> {
                  const CachedObject* held = cache_.Find(objects::kPodGroup, set.group);
                  if (held == nullptr) return std::nullopt;
                  const auto condition = effects::ConditionOf(
                      set, loop_.WallNow(), std::get<objects::PodGroup>(held->object));
                  if (!condition) return std::nullopt;
                  return SetGroupStatus(held->api_version, set.group, held->ref.uid, *condition);
                });
}

void Executor::SetQuotaStatus(const effects::SetQuotaStatus& set) {
  standing_.Set({.object = "ElasticQuota " + set.quota, .name = "status"},
                "cannot write the status of ElasticQuota " + set.quota,
                [this, set]() -> std::optional<kube::Request> {
                  const CachedObject* held = cache_.Find("ElasticQuota", set.quota);
                  if (held == nullptr) return std::nullopt;
                  const auto& shown = std::get<objects::ElasticQuota>(held->object);
                  objects::ElasticQuota quota;
                  quota.meta.name = shown.meta.name;
                  quota.meta.name_space = shown.meta.name_space;
                  quota.used = set.used;
                  quota.conditions =
                      effects::WithTimes(set.conditions, shown.conditions, loop_.WallNow());
                  return ApplyStatus(resources::ElasticQuotas(), std::move(quota));
                });
}

}  // namespace fairlead::live
