#include "history/workload_tracker.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/quantity.h"
#include "objects/key.h"
#include "state/tally.h"

namespace fairlead::history {
namespace {

using state::PodState;

constexpr std::string_view kUser = "fairlead.dev/user";
constexpr std::string_view kYuniKornUser = "yunikorn.apache.org/username";
constexpr std::string_view kNotebookUser = "notebooks.kubeflow.org/creator";

// Workloads are called after these objects.
bool NamesWorkloads(const objects::Object& object) {
  return std::holds_alternative<objects::Workload>(object) ||
         std::holds_alternative<objects::PodGroup>(object) ||
         objects::FindJobRow(objects::KindOf(object)) != nullptr;
}

std::string UserKey(std::string_view kind, std::string_view key) {
  return fmt::format("{} {}", kind == "Pod" ? "Pod" : "Workload", key);
}

// The workload that the pod is of.
std::string_view OwnerIn(const state::PodChange& change) {
  return change.solo ? change.name.view() : change.workload;
}

constexpr std::uint32_t kUidBits = (1U << 29) - 1;  // as many as a pod's row has for it

// Never 0, which stands for none.
std::uint32_t UidHash(const Uid& uid) {
  return uid.empty() ? 0 : std::max(static_cast<std::uint32_t>(uid.Hash()) & kUidBits, 1U);
}

// "KIND/NAMESPACE/NAME" as the history has it: "KIND NAMESPACE/NAME".
std::string MakerText(const SharedOptional<std::string>& made_by) {
  if (!made_by) return {};
  const auto [kind, key] = objects::SplitKey(*made_by);
  return fmt::format("{} {}", kind, key);
}

}  // namespace

std::string UserOf(const objects::Meta& meta) {
  for (const auto& [in, key] : {std::pair{&meta.annotations, kUser},
                                {&meta.labels, kUser},
                                {&meta.labels, kYuniKornUser},
                                {&meta.annotations, kNotebookUser}}) {
    const std::string* user = objects::FindLabel(*in, key);
    if (user != nullptr && !user->empty()) return *user;
  }
  return {};
}

void WorkloadTracker::Object(const objects::Object& object) {
  const bool is_pod = std::holds_alternative<objects::Pod>(object);
  if (!is_pod && !NamesWorkloads(object)) return;
  const objects::Meta& meta = objects::MetaOf(object);
  if (std::string user = UserOf(meta); !user.empty()) {
    users_.insert_or_assign(UserKey(objects::KindOf(object), meta.Key()), std::move(user));
  }
  if (is_pod) {
    const auto& pod = std::get<objects::Pod>(object);
    if (!pod.finished()) return;
    pod_ends_.insert_or_assign(
        meta.Key(),
        PodEnd{.succeeded = pod.phase == objects::PodPhase::kSucceeded, .time = pod.finish_time});
  } else if (const auto* job = std::get_if<objects::Job>(&object)) {
    const Workload* workload = workloads_.Find(meta.Key());
    if (!job->complete || workload == nullptr || !workload->known) return;
    const bool succeeded = job->succeeded >= job->completions.value_or(1);
    job_ends_.insert_or_assign(meta.Key(), JobEnd{.complete = true, .succeeded = succeeded});
  }
}

void WorkloadTracker::Gone(std::string_view kind, std::string_view key) {
  users_.erase(UserKey(kind, key));
  if (kind == "Pod") pod_ends_.erase(std::string(key));
  const Workload* workload = workloads_.Find(key);
  if (workload == nullptr || !workload->known) job_ends_.erase(std::string(key));
}

void WorkloadTracker::Apply(Time now, std::span<const state::Change> changes,
                            std::vector<Record>& into) {
  // What ended is counted before its workload goes, in whichever order they are told.
  for (const state::Change& change : changes) {
    const auto* pod = std::get_if<state::PodChange>(&change);
    if (pod != nullptr && pod->state == PodState::kFinished && Knows(*pod)) {
      ApplyPod(now, *pod, into);
    }
  }
  for (const state::Change& change : changes) {
    if (const auto* pod = std::get_if<state::PodChange>(&change)) {
      ApplyPod(now, *pod, into);
    } else if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      ApplyWorkload(now, *workload, into);
    } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
      if (removal->kind == state::RowKind::kPod) RemovePod(now, removal->name, into);
      if (removal->kind == state::RowKind::kWorkload) RemoveWorkload(now, removal->name, into);
    } else if (const auto* bind = std::get_if<state::BindFailed>(&change)) {
      into.emplace_back(About(now, "BindFailed", bind->pod));
    } else if (const auto* evict = std::get_if<state::EvictFailed>(&change)) {
      into.emplace_back(About(now, "EvictFailed", evict->pod));
    }
  }
  for (const std::string& name : std::exchange(done_, {})) {
    Workload* found = workloads_.Find(name);
    if (found == nullptr) continue;
    End(name, *found, std::max(found->past->last, found->created), "Succeeded", into);
  }
}

WorkloadTracker::FoundPod WorkloadTracker::FindPod(std::string_view name) {
  Workload* own = workloads_.Find(name);
  if (own != nullptr && own->has_pod) return {.pod = &own->alone};
  Member* member = members_.Find(name);
  if (member == nullptr) return {};
  return {.pod = &member->pod, .workload = &member->workload};
}

std::pair<WorkloadTracker::Pod*, bool> WorkloadTracker::AddPod(const state::PodChange& change,
                                                               Workload& workload) {
  if (change.solo) {
    const bool fresh = !workload.has_pod;
    workload.has_pod = true;
    return {&workload.alone, fresh};
  }
  const auto [member, fresh] = members_.Add(change.name);
  if (fresh) member->workload = change.workload;
  return {&member->pod, fresh};
}

bool WorkloadTracker::Knows(const state::PodChange& change) {
  const FoundPod known = FindPod(change.name);
  return known.pod != nullptr && known.pod->uid_hash == UidHash(change.uid) &&
         (known.workload == nullptr) == change.solo.has_value() &&
         WorkloadOf(change.name, known) == OwnerIn(change);
}

void WorkloadTracker::Join(Workload& workload, const state::WorkloadTraits& traits) {
  workload.known = true;
  workload.queue = names_.InternAgain(traits.queue);
  workload.created = traits.created;
}

void WorkloadTracker::ApplyPod(Time now, const state::PodChange& change,
                               std::vector<Record>& into) {
  if (change.foreign) {
    RemovePod(now, change.name, into);
    return;
  }
  // It has moved to another workload, or is another of its name.
  if (!Knows(change)) RemovePod(now, change.name, into);
  Workload& workload = change.solo ? workloads_[change.name] : workloads_[change.workload];
  const auto [at, fresh] = AddPod(change, workload);
  Pod& pod = *at;
  if (change.solo) {
    Join(workload, *change.solo);
    workload.is_pod = true;
    workload.made_by = change.made_by;
  }
  if (workload.user == Names::kEmpty && !users_.empty()) {
    if (const auto user = users_.find(UserKey("Pod", change.name)); user != users_.end()) {
      workload.user = names_.Intern(user->second);
    }
  }
  if (fresh) {
    pod.uid_hash = UidHash(change.uid) & kUidBits;
    if (!change.solo) ++workload.past.Edit().members;
    ++workload.live;
  }
  const std::string_view owner = OwnerIn(change);
  const PodState before = pod.state;
  pod.state = change.state;
  pod.terminating = pod.terminating || change.terminating;
  pod.needs = change.needs;
  if (!change.node.empty()) pod.node = names_.Intern(change.node);
  const bool bound = change.state == PodState::kBound;
  if (bound && before != PodState::kBound) {
    pod.since = change.scheduled_time.value_or(now);
    NoteStart(owner, workload, pod.since, into);
  } else if (change.state == PodState::kFinished && before != PodState::kFinished) {
    if (before == PodState::kPending && change.scheduled_time) {  // it ran while nobody looked
      pod.since = *change.scheduled_time;
      NoteStart(owner, workload, pod.since, into);
    }
    const bool ran = before == PodState::kBound || change.scheduled_time.has_value();
    if (!ran) pod.since = Time::Max();
    NotePodEnd(now, change.name, pod, workload, into);
  } else if (!bound && before == PodState::kBound) {
    Leave(pod, workload, now);
  }
}

// An earlier process may have said something of what is older than this one; what started before
// that is not looked for.
void WorkloadTracker::NoteStart(std::string_view name, Workload& workload, Time at,
                                std::vector<Record>& into) {
  const bool first = !workload.Started();
  workload.started = std::min(workload.started, at);
  if (first && (workload.said || (workload.created < began_ && at >= began_))) {
    into.emplace_back(EstimateEnd{
        .time = at, .workload = std::string(name), .created = workload.created, .started = true});
  }
}

void WorkloadTracker::Said(std::span<const Estimate> estimates, std::vector<Record>& into) {
  for (const Estimate& estimate : estimates) {
    Workload* found = workloads_.Find(estimate.workload);
    if (found == nullptr) continue;
    Workload& workload = *found;
    if (!workload.known || workload.ended || workload.Started()) continue;
    if (workload.said) continue;
    workload.said = true;
    Estimate first = estimate;
    first.queue = names_[workload.queue];
    first.user = names_[workload.user];
    first.created = workload.created;
    into.emplace_back(std::move(first));
  }
}

void WorkloadTracker::NotePodEnd(Time now, std::string_view name, Pod& pod, Workload& workload,
                                 std::vector<Record>& into) {
  const auto end = pod_ends_.find(name);
  const bool told = end != pod_ends_.end();
  const Time at = told ? std::min(end->second.time.value_or(now), now) : now;
  Leave(pod, workload, at);
  --workload.live;
  Past& past = workload.past.Edit();
  ++(told && end->second.succeeded ? past.succeeded : past.failed);
  past.last = std::max(past.last, at);
  // A kubelet that ends a pod at somebody's wish calls that a failure.
  const bool told_to_end = pod.terminating && !(told && end->second.succeeded);
  const std::string_view outcome = told_to_end             ? "Deleted"
                                   : !told                 ? "Unknown"
                                   : end->second.succeeded ? "Succeeded"
                                                           : "Failed";
  // What had ended before this process began was told by an earlier one.
  if (at >= began_) {
    Decision finish = About(at, "Finish", name);
    finish.node = names_[pod.node];
    finish.reason = outcome;
    into.emplace_back(std::move(finish));
  }
  if (workload.is_pod) End(WorkloadOf(name, FindPod(name)), workload, at, outcome, into);
}

void WorkloadTracker::Leave(Pod& pod, Workload& workload, Time at) {
  if (pod.needs == nullptr || at <= pod.since) return;
  const double seconds = static_cast<double>((at - pod.since).us) / 1e6;
  const auto add = [&](std::string_view name, double units) {
    auto& all = workload.past.Edit().used;
    auto found = std::ranges::find_if(all, [&](const auto& used) { return used.first == name; });
    if (found == all.end()) found = all.emplace(all.end(), std::string(name), 0.0);
    found->second += units * seconds;
  };
  for (const auto& [name, amount] : pod.needs->request) {
    if (amount == 0) continue;
    const bool milli = ScaleOf(name) == Scale::kMilli;
    add(name, static_cast<double>(amount) / (milli ? 1000 : 1));
  }
  if (pod.needs->gpu_milli > 0) add("nvidia.com/gpu", pod.needs->gpu_milli / 1000.0);
  pod.since = Time::Max();
}

void WorkloadTracker::RemovePod(Time now, std::string_view name, std::vector<Record>& into) {
  const FoundPod found = FindPod(name);
  if (found.pod == nullptr) return;
  const std::string owner(WorkloadOf(name, found));
  Workload& workload = workloads_[owner];
  Pod pod = std::exchange(*found.pod, Pod());
  if (found.workload == nullptr) {
    workload.has_pod = false;
  } else {
    members_.Erase(name);
  }
  if (pod.state == PodState::kBound) {
    Leave(pod, workload, now);
    Time& last = workload.past.Edit().last;
    last = std::max(last, now);
  }
  if (pod.state != PodState::kFinished) --workload.live;
  if (workload.is_pod) {
    End(owner, workload, now, "Deleted", into);
    workload.known = false;
  }
  DropIfOver(owner);
}

void WorkloadTracker::ApplyWorkload(Time now, const state::WorkloadChange& change,
                                    std::vector<Record>& into) {
  const auto [at, fresh] = workloads_.Add(change.name);
  Workload& workload = *at;
  const std::uint32_t uid_hash = UidHash(Uid(change.uid));
  if (!fresh && workload.past->uid_hash != 0 && workload.past->uid_hash != uid_hash) {
    End(change.name, workload, now, "Deleted", into);  // another of its name
    workload =
        Workload{.alone = workload.alone, .live = workload.live, .has_pod = workload.has_pod};
    job_ends_.erase(change.name);
  }
  workload.past.Edit().uid_hash = uid_hash;
  Join(workload, change.traits);
  if (change.recorded_start && !workload.Started()) workload.started = *change.recorded_start;
  const auto user = users_.find(UserKey("Workload", change.name));
  if (user != users_.end()) workload.user = names_.Intern(user->second);
  const bool admitted = state::IsAdmitted(change.pod_sets);
  const bool done = state::HasSucceeded(change.pod_sets);
  if (workload.admitted && !admitted && !done) {
    into.emplace_back(Decision{.time = now,
                               .type = "Stop",
                               .workload = change.name,
                               .queue = names_[workload.queue],
                               .user = names_[workload.user],
                               .reason = "its admission was taken back"});
  }
  workload.admitted = admitted;
  if (done) done_.push_back(change.name);
}

void WorkloadTracker::RemoveWorkload(Time now, std::string_view name, std::vector<Record>& into) {
  Workload* found = workloads_.Find(name);
  if (found == nullptr) return;
  Workload& workload = *found;
  // A job of which nothing is left is no workload any more: it has ended, or was deleted.
  const auto job = job_ends_.find(name);
  if (job != job_ends_.end()) {
    End(name, workload, workload.past->last.us > 0 ? workload.past->last : now,
        job->second.succeeded ? "Succeeded" : "Failed", into);
    job_ends_.erase(job);
  } else {
    const Past& past = *workload.past;
    const bool all_well = workload.live == 0 && past.succeeded > 0 && past.failed == 0;
    End(name, workload, all_well ? past.last : now, all_well ? "Succeeded" : "Deleted", into);
  }
  workload.known = false;
  workload.past.Edit().uid_hash = 0;
  DropIfOver(name);
}

void WorkloadTracker::End(std::string_view name, Workload& workload, Time at,
                          std::string_view outcome, std::vector<Record>& into) {
  if (workload.ended || !workload.known) return;
  workload.ended = true;
  if (workload.said && !workload.Started()) {
    into.emplace_back(
        EstimateEnd{.time = at, .workload = std::string(name), .created = workload.created});
  }
  into.emplace_back(Ended{.workload = std::string(name),
                          .queue = names_[workload.queue],
                          .user = names_[workload.user],
                          .created = workload.created,
                          .finished = at,
                          .started = workload.Started(),
                          .pods = workload.past->members + (workload.is_pod ? 1 : 0),
                          .evictions = workload.past->evictions,
                          .made_by = MakerText(workload.made_by),
                          .outcome = std::string(outcome),
                          .used = workload.past->used,
                          .older_than_us = workload.created < began_});
}

void WorkloadTracker::DropIfOver(std::string_view name) {
  const Workload* found = workloads_.Find(name);
  const bool is_over = found != nullptr && !found->known && found->live <= 0 && !found->has_pod;
  if (is_over) workloads_.Erase(name);
}

void WorkloadTracker::Evicted(std::string_view workload) {
  Workload* found = workloads_.Find(workload);
  if (found != nullptr) ++found->past.Edit().evictions;
}

WorkloadTracker::Owner WorkloadTracker::OwnerOf(std::string_view workload) const {
  const Workload* found = workloads_.Find(workload);
  if (found == nullptr) return {};
  return {.queue = names_[found->queue], .user = names_[found->user]};
}

Decision WorkloadTracker::About(Time now, std::string_view type, std::string_view pod) {
  Decision decision{.time = now, .type = std::string(type), .pod = std::string(pod)};
  const FoundPod found = FindPod(pod);
  if (found.pod == nullptr) return decision;
  decision.node = names_[found.pod->node];
  decision.workload = WorkloadOf(pod, found);
  const Owner owner = OwnerOf(decision.workload);
  decision.queue = owner.queue;
  decision.user = owner.user;
  return decision;
}

}  // namespace fairlead::history
