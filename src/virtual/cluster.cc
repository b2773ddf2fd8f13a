#include "virtual/cluster.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "jobs/job_kind.h"
#include "objects/key.h"
#include "virtual/bindings.h"
#include "virtual/controllers.h"
#include "virtual/finals.h"
#include "virtual/impl.h"
#include "virtual/kubelet.h"
#include "virtual/silent_job.h"
#include "virtual/volumes.h"

namespace fairlead::virtual_cluster {
namespace {

Event EventAbout(const World& world, EventType type, const Entry& entry) {
  Event event{
      .time = world.now, .type = type, .kind = objects::KindOf(entry.object), .object = entry.key};
  if (entry.kind() == kPodKind) event.pod = entry.key;
  return event;
}

using Outcome = Submitted::Outcome;

}  // namespace

Submitted VirtualCluster::Impl::Take(std::vector<objects::Object> objects,
                                     const std::vector<Intent>& intents) {
  Submitted submitted;
  submitted.outcomes.resize(objects.size());
  for (const Intent& intent : intents) {
    // What a real disruption controller counted is stale from the first change on. There is none
    // here: without a status the budget is computed from the pods.
    if (auto* budget = std::get_if<objects::PodDisruptionBudget>(&objects[intent.index])) {
      budget->disruptions_allowed.reset();
    }
    const SlotId slot = world.store.Add(std::move(objects[intent.index]));
    Entry& entry = world.store[slot];
    entry.run_duration = intent.run_duration;
    // It says how long from now. Whoever saves the object later and submits it again must not wait
    // for it a second time.
    if (intent.announced) DropLabel(entry.meta().annotations, kArrivesAt);
    Outcome outcome = Outcome::kLater;
    if (intent.after > Duration{}) {
      entry.arrives_later = true;
      world.Plan(world.now + intent.after, TaskType::kArrive, slot);
    } else {
      outcome = Appear(slot);
    }
    ++(outcome == Outcome::kCreated     ? submitted.created
       : outcome == Outcome::kReplaced  ? submitted.replaced
       : outcome == Outcome::kUnchanged ? submitted.unchanged
                                        : submitted.later);
    submitted.outcomes[intent.index] = outcome;
  }
  return submitted;
}

Submitted::Outcome VirtualCluster::Impl::Appear(SlotId slot) {
  Entry& entry = world.store[slot];
  const std::size_t kind = entry.kind();
  // Another object of its name may count in its place, which it is told.
  if (kind != kPodKind && kind != kJobKind) Reveal(world.store.Find(kJobKind, entry.key));
  const SlotId existing = world.store.Find(kind, entry.key);
  if (existing.valid()) {
    return Replace(existing, slot) ? Outcome::kReplaced : Outcome::kUnchanged;
  }
  if (entry.arrives_later) entry.meta().creation_time = world.now;
  world.Stamp(entry.meta());
  world.store.Insert(slot);
  if (begun) world.Emit(EventAbout(world, EventType::kArrive, entry));
  if (kind == kPodKind) {
    MakeEphemeralClaims(world, slot);
    AttachPod(world, slot);
    StartPod(world, slot);
  } else if (IsController(kind)) {
    StartController(world, slot);
    if (const jobs::JobKind* job = jobs::KindOf(entry.object)) {
      entry.owned->submitted = job->WrittenOf(entry.object);
    }
  } else if (kind == kNodeKind) {
    world.nodes_changed = true;
  } else {
    VolumesAppeared(world, slot);
  }
  return Outcome::kCreated;
}

std::optional<Time> VirtualCluster::Impl::NextComing() const {
  const std::optional<Duration> after = coming ? coming->After() : std::nullopt;
  return after ? std::optional(coming_since + *after) : std::nullopt;
}

void VirtualCluster::Impl::TakeComing() {
  for (auto at = NextComing(); at && *at <= world.now; at = NextComing()) {
    const SlotId slot = world.store.Add(coming->Take());
    Entry& entry = world.store[slot];
    entry.arrives_later = *at > coming_since;
    entry.silent = world.options.forget_ended && SaysNoMoreThanItsPods(entry.object) &&
                   !world.store.IsNamed(entry.key);
    Appear(slot);
  }
}

// It is told with the next news.
void VirtualCluster::Impl::Reveal(SlotId job) {
  if (!job.valid() || !std::exchange(world.store[job].silent, false)) return;
  world.store.Changed(job);
}

// Not before it was told: who follows the store is to see that it ended.
void VirtualCluster::Impl::ForgetEnded() {
  std::erase_if(world.ended, [this](const Handle& handle) {
    if (!world.Holds(handle)) return true;
    const SlotId slot = handle.first;
    if (world.store[slot].dirty) return false;
    const std::string name = world.store[slot].key;
    const SlotId workload = world.store.Find(kWorkloadKind, name);
    const bool has_own = workload.valid() && workload != slot &&
                         jobs::StandsFor(world.store[workload].meta(), world.store[slot].object);
    if (const auto* row = driver.books().workloads().Find(name)) {
      ++forgotten_workloads;
      if (world.options.on_forgotten_workload) {
        WorkloadFinal final = FinalOf(*row);
        final.state = WorkloadState::kFinished;
        world.options.on_forgotten_workload(final);
      }
    }
    if (has_own) ForgetOwner(world, workload);
    ForgetOwner(world, slot);
    return true;
  });
}

bool VirtualCluster::Impl::Replace(SlotId slot, SlotId by) {
  Entry& entry = world.store[slot];
  const std::size_t kind = entry.kind();
  const std::optional<Duration> run_duration = world.store[by].run_duration;
  entry.silent = entry.silent && SaysNoMoreThanItsPods(world.store[by].object);
  const bool differs = MergeInto(entry, std::move(world.store[by].object));
  world.store.Discard(by);
  if (!differs) return false;
  world.store.Changed(slot);
  world.Emit(EventAbout(world, EventType::kUpdate, entry));
  if (kind == kPodKind) {
    entry.run_duration = run_duration;
    StartPod(world, slot);
  } else if (IsController(kind)) {
    StartController(world, slot);
  } else if (kind == kNodeKind) {
    world.nodes_changed = true;
  } else {
    VolumesAppeared(world, slot);
  }
  return true;
}

bool VirtualCluster::Impl::Delete(std::size_t kind, std::string_view key) {
  const SlotId slot = world.store.Find(kind, key);
  if (slot.valid()) {
    DeleteStored(slot);
    return true;
  }
  for (const SlotId later : world.store.Coming()) {
    if (world.store[later].kind() != kind || world.store[later].key != key) continue;
    world.store.Discard(later);
    return true;
  }
  return false;
}

void VirtualCluster::Impl::DeleteStored(SlotId slot) {
  const Entry& entry = world.store[slot];
  const std::size_t kind = entry.kind();
  const std::string name = entry.key;
  world.Emit(EventAbout(world, EventType::kDelete, entry));
  if (kind == kPodKind) return TerminatePod(world, slot);
  if (IsController(kind)) {
    const SlotId workload = world.store.Find(kWorkloadKind, name);
    const bool is_its_own =
        workload.valid() && jobs::StandsFor(world.store[workload].meta(), entry.object);
    // A job without its Workload has no admission left to run by: it is queued again.
    if (kind == kWorkloadKind && JobOf(world, name).valid()) {
      StopWorkload(world, {.workload = name, .reason = {}});
    }
    RemoveOwner(world, slot);
    if (is_its_own) RemoveOwner(world, workload);
    return;
  }
  RemoveVolumeOf(world, slot);
  world.store.Erase(slot);
  if (kind == kNodeKind) {
    world.nodes_changed = true;
    RemovePodsOn(world, name);
    FailBindingsOn(world, name);
  } else if (kind == KindIndexOf<objects::Namespace>()) {
    DeleteAllIn(name);
  }
}

// Owners before their pods, so that none is replaced. What is still to arrive is left alone.
void VirtualCluster::Impl::DeleteAllIn(const std::string& name_space) {
  for (const std::size_t kind : AllKinds()) {
    if (kind == kPodKind) continue;
    const auto is_in = [&](const Entry& entry) { return entry.meta().name_space == name_space; };
    for (const SlotId slot : world.store.SortedIf(kind, is_in)) {
      if (world.store[slot].stored) DeleteStored(slot);
    }
  }
  const auto stays = [&](const Entry& entry) {
    return entry.meta().name_space == name_space && !entry.meta().deletion_time;
  };
  for (const SlotId pod : world.store.SortedIf(kPodKind, stays)) DeleteStored(pod);
}

void VirtualCluster::Impl::DropStaleTasks() {
  Agenda& agenda = world.agenda;
  while (!agenda.empty() && !world.Holds({agenda.top().slot, agenda.top().generation})) {
    agenda.Pop();
  }
}

VirtualCluster::VirtualCluster(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
VirtualCluster::~VirtualCluster() = default;

void VirtualCluster::AddObserver(drive::Observer* observer) { impl_->driver.AddObserver(observer); }

tl::expected<Submitted, std::vector<objects::Fault>> VirtualCluster::Submit(
    std::vector<objects::Object> objects) {
  auto intents = CheckSubmission(objects);
  if (!intents) return tl::unexpected(std::move(intents).error());
  return impl_->Take(std::move(objects), *intents);
}

void VirtualCluster::Follow(std::unique_ptr<Coming> coming) {
  impl_->coming = std::move(coming);
  impl_->coming_since = impl_->world.now;
  impl_->TakeComing();  // as a submission does with what is there at once
}

Result<void> VirtualCluster::Delete(std::string_view kind, std::string_view name_space,
                                    std::string_view name) {
  const std::string key = objects::JoinKey(name_space, name);
  const std::vector<std::size_t> kinds = KindsNamed(kind);
  if (std::ranges::none_of(kinds, [&](std::size_t each) { return impl_->Delete(each, key); })) {
    return Fail(std::string(kind) + " " + key + ": not found");
  }
  impl_->DropStaleTasks();
  return {};
}

Time VirtualCluster::Now() const { return impl_->world.now; }

std::optional<Time> VirtualCluster::NextEventTime() const {
  if (impl_->HasWorkNow()) return impl_->world.now;
  std::optional<Time> next = impl_->driver.next_round();
  if (!impl_->world.agenda.empty()) {
    next = std::min(impl_->world.agenda.top().time, next.value_or(Time::Max()));
  }
  if (const auto comes = impl_->NextComing()) next = std::min(*comes, next.value_or(Time::Max()));
  return next;
}

bool VirtualCluster::Step() {
  const std::optional<Time> next = NextEventTime();
  if (!next) return false;
  impl_->world.now = std::max(impl_->world.now, *next);
  impl_->DoInstant();
  return true;
}

void VirtualCluster::RunUntil(Time until) {
  RunToIdle(until);
  impl_->world.now = std::max(impl_->world.now, until);
}

bool VirtualCluster::RunToIdle(Time limit) {
  for (;;) {
    const std::optional<Time> next = NextEventTime();
    if (!next) return true;
    if (*next > limit) return false;
    Step();
  }
}

std::vector<const objects::Object*> VirtualCluster::List(std::string_view kind) const {
  std::vector<const objects::Object*> objects;
  for (const std::size_t each : KindsNamed(kind)) {
    for (const SlotId slot : impl_->world.store.Sorted(each)) {
      objects.push_back(&impl_->world.store[slot].object);
    }
  }
  return objects;
}

const objects::Object* VirtualCluster::Find(std::string_view kind, std::string_view name_space,
                                            std::string_view name) const {
  const std::string key = objects::JoinKey(name_space, name);
  for (const std::size_t each : KindsNamed(kind)) {
    const SlotId slot = impl_->world.store.Find(each, key);
    if (slot.valid()) return &impl_->world.store[slot].object;
  }
  return nullptr;
}

const engine::Scheduler& VirtualCluster::scheduler() const { return impl_->driver.scheduler(); }
const intake::Intake& VirtualCluster::intake() const { return impl_->driver.intake(); }
const Options& VirtualCluster::options() const { return impl_->world.options; }
Final VirtualCluster::FinalState() const { return impl_->FinalState(); }
std::vector<WorkloadFinal> VirtualCluster::FinalWorkloads() const {
  return impl_->FinalWorkloads();
}
std::int64_t VirtualCluster::forgotten_workloads() const { return impl_->forgotten_workloads; }
std::string VirtualCluster::EventDigest() const { return impl_->world.digest.Hex(); }
std::uint64_t VirtualCluster::version() const { return impl_->world.store.version(); }
std::int64_t VirtualCluster::rounds() const { return impl_->driver.rounds(); }

}  // namespace fairlead::virtual_cluster
