#include "scenarios/world.h"

#include <algorithm>

#include "jobs/job_kind.h"
#include "objects/key.h"
#include "objects/keys.h"
#include "objects/read/reader.h"
#include "objects/selector.h"
#include "objects/stop_note.h"
#include "scenarios/manifest.h"

namespace fairlead::scenario {
namespace {

void SetCondition(objects::Workload& workload, objects::Condition condition) {
  std::erase_if(workload.conditions,
                [&](const objects::Condition& each) { return each.type == condition.type; });
  workload.conditions.push_back(std::move(condition));
}

std::string KeyOf(const objects::Object& object) {
  return std::string(objects::QualifiedKindOf(object)) + " " + objects::MetaOf(object).Key();
}

tl::unexpected<Error> FailAt(const std::string& file, int line, const std::string& message) {
  return Fail(file + ":" + std::to_string(line) + ": " + message);
}

}  // namespace

template <typename T>
T* World::Find(const std::string& kind, const std::string& name) {
  auto it = objects_.find(kind + " " + name);
  return it == objects_.end() ? nullptr : std::get_if<T>(&it->second);
}

World::World(std::uint32_t seed) : random_(seed), shuffles_(seed != 0) {
  Put(objects::Namespace{
      .meta = {.name = "default", .labels = {{"fairlead.dev/infrastructure", "true"}}}});
}

Result<bool> World::Take(const Step& step, const std::string& file, Time now) {
  now_ = now;
  std::vector<objects::Object> fresh;
  auto read = [&](const std::string& yaml, int line) -> Result<bool> {
    objects::Manifest manifest;
    objects::ReadText(yaml, file, intake::AllDecoders(), manifest);
    if (!manifest.faults.empty()) {
      return FailAt(file, line, manifest.faults[0].ToString() + " in " + yaml);
    }
    if (manifest.objects.empty()) return FailAt(file, line, "no object in " + yaml);
    std::move(manifest.objects.begin(), manifest.objects.end(), std::back_inserter(fresh));
    return true;
  };
  for (const Row& row : step.rows) {
    if (auto done = read(YamlOf(row), row.line); !done) return done;
  }
  for (const Yaml& yaml : step.yaml) {
    if (auto done = read(yaml.text, yaml.line); !done) return done;
  }
  if (shuffles_) std::shuffle(fresh.begin(), fresh.end(), random_);
  for (objects::Object& object : fresh) PutFromStory(std::move(object));
  for (const Line& line : step.changes) {
    if (auto done = Change(line); !done) return FailAt(file, line.line, done.error().message);
  }
  return true;
}

void World::PutFromStory(objects::Object object) {
  auto& meta = objects::MetaOf(object);
  // Times that a row leaves out stay what they were.
  auto had = objects_.find(KeyOf(object));
  if (had != objects_.end() && !meta.creation_time) {
    meta.creation_time = objects::MetaOf(had->second).creation_time;
  }
  if (!meta.creation_time) meta.creation_time = now_;
  if (auto* fresh = std::get_if<objects::Workload>(&object); fresh && had != objects_.end()) {
    const auto& before = std::get<objects::Workload>(had->second);
    if (fresh->admission.empty()) fresh->admission = before.admission;
    if (!fresh->start_time) fresh->start_time = before.start_time;
  }
  if (const auto* fresh = std::get_if<objects::Workload>(&object)) {
    for (const auto& set : fresh->pod_sets) awaits_pods_ |= set.pod_template.has_value();
  }
  awaits_pods_ |= std::holds_alternative<objects::JobObject>(object);
  Put(std::move(object));
}

void World::Put(objects::Object object) {
  intake_.Upsert(object, now_);
  objects_.insert_or_assign(KeyOf(object), std::move(object));
}

void World::Remove(const std::string& kind, const std::string& name) {
  if (objects_.erase(kind + " " + name) == 0) return;
  const auto [name_space, rest] = Cut(name, "/");
  intake_.Remove(kind, rest.empty() ? "" : name_space, rest.empty() ? name : rest);
}

Result<bool> World::Change(const Line& line) {
  if (line.words.size() != 3) return Fail("expected KIND NAME WHAT, found " + line.Text());
  const std::string& kind = line.words[0];
  const std::string& what = line.words[2];
  const bool namespaced =
      kind == "pod" || kind == "workload" || kind == "budget" || kind == "daemonset";
  const std::string name = namespaced ? WithNamespace(line.words[1]) : line.words[1];
  if (kind == "quota" && what == "gone") {
    const std::string quota = name.find('/') == std::string::npos ? name + "/quota" : name;
    if (!objects_.contains("ElasticQuota " + quota)) return Fail("there is no quota " + quota);
    Remove("ElasticQuota", quota);
    return true;
  }
  if (what == "gone") {
    const std::string kinds[][2] = {{"pod", "Pod"},
                                    {"node", "Node"},
                                    {"queue", "Queue"},
                                    {"window", "Window"},
                                    {"workload", "Workload"},
                                    {"class", "PriorityClass"},
                                    {"namespace", "Namespace"},
                                    {"daemonset", "DaemonSet"},
                                    {"budget", "PodDisruptionBudget"}};
    for (const auto& [word, full] : kinds) {
      if (word != kind) continue;
      if (!objects_.contains(full + " " + name)) return Fail("there is no " + kind + " " + name);
      Remove(full, name);
      lost_a_queue_ |= kind == "queue";
      return true;
    }
  }
  if (kind == "pod") return ChangePod(name, what);
  if (kind == "node") return ChangeNode(name, what);
  if (kind == "workload") return ChangeWorkload(name, what);
  return Fail("cannot make of a " + kind + ": " + what);
}

Result<bool> World::ChangePod(const std::string& name, const std::string& what) {
  auto* pod = Find<objects::Pod>("Pod", name);
  if (pod == nullptr) return Fail("there is no pod " + name);
  objects::Pod changed = *pod;
  if (what == "finished") {
    changed.phase = objects::PodPhase::kSucceeded;
  } else if (what == "failed") {
    changed.phase = objects::PodPhase::kFailed;
  } else if (what == "terminating") {
    changed.meta.deletion_time = now_;
  } else if (what == "ungated") {
    changed.spec.gated = false;
    changed.ungated_time = now_;
  } else if (what == "bind-failed") {
    changed.spec.node_name.clear();
    changed.scheduled_time.reset();
    extra_.emplace_back(state::BindFailed{.pod = name});
  } else if (what == "evict-failed") {
    changed.meta.deletion_time.reset();
    extra_.emplace_back(state::EvictFailed{.pod = name});
  } else {
    return Fail("cannot make of a pod: " + what);
  }
  Put(changed);
  return true;
}

Result<bool> World::ChangeNode(const std::string& name, const std::string& what) {
  auto* node = Find<objects::Node>("Node", name);
  if (node == nullptr) return Fail("there is no node " + name);
  objects::Node changed = *node;
  if (what == "cordoned" || what == "uncordoned") {
    changed.unschedulable = what == "cordoned";
  } else if (what == "ready" || what == "notready") {
    changed.ready = what == "ready";
  } else {
    return Fail("cannot make of a node: " + what);
  }
  Put(changed);
  return true;
}

Result<bool> World::ChangeWorkload(const std::string& name, const std::string& what) {
  auto* workload = Find<objects::Workload>("Workload", name);
  if (workload == nullptr) return Fail("there is no workload " + name);
  objects::Workload changed = *workload;
  if (what != "active" && what != "inactive") return Fail("cannot make of a workload: " + what);
  changed.active = what == "active";
  SetCondition(changed, {.type = std::string(objects::kInactiveCondition),
                         .holds = !changed.active,
                         .reason = {},
                         .message = {},
                         .since = now_});
  Put(changed);
  return true;
}

void World::Confirm(const engine::PlanReport& report) {
  for (const engine::DecisionReport& decision : report.decisions) {
    if (decision.type == engine::DecisionType::kBind) {
      objects::Pod pod = *Find<objects::Pod>("Pod", decision.pod);
      pod.spec.node_name = decision.node;
      pod.scheduled_time = report.now;
      pod.phase = objects::PodPhase::kRunning;
      if (decision.gpu_device >= 0) {
        pod.gpu_device = decision.gpu_device;
      }
      pod.nominated_node.clear();
      pod.node_reserved_time.reset();
      Put(std::move(pod));
      ConfirmVolumes(decision);
    }
    if (decision.type == engine::DecisionType::kEvict) ConfirmEviction(decision, report.now);
    if (decision.type == engine::DecisionType::kNominate) {
      auto* found = Find<objects::Pod>("Pod", decision.pod);
      if (found == nullptr) continue;
      objects::Pod pod = *found;
      pod.nominated_node = decision.node;
      Put(std::move(pod));
    }
    if (decision.type == engine::DecisionType::kLand && decision.pod.empty()) {
      ConfirmLandings(decision);
    }
    if (decision.type == engine::DecisionType::kReserve && decision.pod.empty()) {
      ConfirmReservation(decision);
      continue;
    }
    if (decision.type == engine::DecisionType::kLend) ConfirmLoan(decision, report.now);
    if (decision.type == engine::DecisionType::kReserve) {
      objects::Pod pod = *Find<objects::Pod>("Pod", decision.pod);
      pod.node_reserved_time = decision.since;
      Put(std::move(pod));
    }
    if (decision.type == engine::DecisionType::kAdmit) {
      auto* found = Find<objects::Workload>("Workload", decision.workload);
      if (found == nullptr) continue;
      objects::Workload workload = *found;
      workload.admission.clear();
      for (const auto& set : decision.pod_sets)
        workload.admission.push_back(
            {.name = set.name, .count = set.count, .usage = {}, .flavors = {}});
      if (!workload.start_time) workload.start_time = report.now;
      if (decision.pod_sets.empty()) workload.start_time.reset();  // taken back
      Put(std::move(workload));
    }
  }
}

// An annotation of a pod that is a workload of its own; empty: none.
void World::Annotate(const std::string& name, std::string_view key, const std::string& text) {
  objects::Pod pod = *Find<objects::Pod>("Pod", name);
  std::erase_if(pod.meta.annotations,
                [key](const auto& annotation) { return annotation.first == key; });
  if (!text.empty()) {
    pod.meta.annotations.emplace_back(key, text);
    std::sort(pod.meta.annotations.begin(), pod.meta.annotations.end());
  }
  Put(std::move(pod));
}

void World::ConfirmLandings(const engine::DecisionReport& decision) {
  if (decision.by_itself) {
    return Annotate(decision.workload, objects::kLandingsAnnotation,
                    objects::TextOf(decision.landings));
  }
  auto* found = Find<objects::Workload>("Workload", decision.workload);
  if (found == nullptr) return;
  objects::Workload workload = *found;
  workload.landings = decision.landings;
  Put(std::move(workload));
}

void World::ConfirmReservation(const engine::DecisionReport& decision) {
  std::optional<objects::Reservation> reservation;
  if (!decision.nodes.empty()) {
    reservation = {.at = decision.at,
                   .nodes = decision.nodes,
                   .pods = decision.pods_on,
                   .since = *decision.since};
  }
  if (decision.by_itself) {
    return Annotate(decision.workload, objects::kReservationAnnotation,
                    reservation ? objects::TextOf(*reservation) : std::string());
  }
  auto* found = Find<objects::Workload>("Workload", decision.workload);
  if (found == nullptr) return;
  objects::Workload workload = *found;
  workload.reservation = std::move(reservation);
  Put(std::move(workload));
}

void World::ConfirmLoan(const engine::DecisionReport& decision, Time now) {
  std::optional<objects::Loan> loan;
  if (decision.at) loan = {.holder = decision.beneficiary, .until = *decision.at};
  if (decision.by_itself) {
    objects::Pod pod = *Find<objects::Pod>("Pod", decision.workload);
    pod.loan = loan;
    return Put(std::move(pod));
  }
  auto* found = Find<objects::Workload>("Workload", decision.workload);
  if (found == nullptr) return;
  objects::Workload workload = *found;
  SetCondition(workload, {.type = std::string(objects::kOnLoanCondition),
                          .holds = loan.has_value(),
                          .reason = {},
                          .message = loan ? objects::TextOf(*loan) : std::string(),
                          .since = now});
  Put(std::move(workload));
}

// Its driver makes the volume of the first storage that reaches the node and suffices.
void World::TakeStorage(const std::string& node, const objects::VolumeAsk& ask) {
  const auto* there = Find<objects::Node>("Node", node);
  for (const auto& [key, object] : objects_) {
    const auto* storage = std::get_if<objects::CSIStorageCapacity>(&object);
    if (storage == nullptr || storage->storage_class != ask.storage_class || !storage->nodes ||
        !storage->capacity || ask.bytes > std::min(*storage->largest(), *storage->capacity) ||
        !objects::Matches(*storage->nodes, there->meta.labels)) {
      continue;
    }
    objects::CSIStorageCapacity less = *storage;
    *less.capacity -= ask.bytes;
    return Put(std::move(less));
  }
}

// As the controllers of volumes do it: a volume that is made can be had everywhere.
void World::ConfirmVolumes(const engine::DecisionReport& decision) {
  for (const engine::VolumeToBind& each : decision.volumes) {
    const std::string key =
        objects::JoinKey(objects::SplitKey(decision.pod).name_space, each.claim);
    auto claim = *Find<objects::PersistentVolumeClaim>("PersistentVolumeClaim", key);
    objects::PersistentVolume volume;
    volume.meta.name = each.volume.empty() ? "made-for-" + each.claim : each.volume;
    if (!each.volume.empty()) {
      volume = *Find<objects::PersistentVolume>("PersistentVolume", each.volume);
    }
    volume.claim = key;
    volume.available = false;
    if (const auto* made_by = Find<objects::StorageClass>("StorageClass", claim.ask.storage_class);
        each.volume.empty() && made_by != nullptr) {
      volume.csi_driver = made_by->provisioner;
      volume.csi_handle = volume.meta.name;
    }
    if (each.volume.empty()) TakeStorage(decision.node, claim.ask);
    claim.volume = volume.meta.name;
    claim.bound = true;
    Put(std::move(volume));
    Put(std::move(claim));
  }
}

// As the Eviction API does it: the pod is on its way out, and its budgets have one less to give. A
// Workload of which nothing is left is told that it stopped.
void World::ConfirmEviction(const engine::DecisionReport& decision, Time now) {
  for (const jobs::JobKind* kind : jobs::AllKinds()) {
    promised_a_job_ |= objects_.contains(std::string(kind->kind()) + " " + decision.beneficiary);
  }
  objects::Pod pod = *Find<objects::Pod>("Pod", decision.pod);
  pod.meta.deletion_time = now;
  Put(pod);
  std::vector<objects::Object> changed;
  for (const auto& [key, object] : objects_) {
    const auto* budget = std::get_if<objects::PodDisruptionBudget>(&object);
    if (budget == nullptr || !budget->disruptions_allowed) continue;
    if (budget->meta.name_space != pod.meta.name_space || budget->selects_nothing) continue;
    if (!objects::Matches(budget->selector, pod.meta.labels)) continue;
    changed.push_back(object);
    --*std::get<objects::PodDisruptionBudget>(changed.back()).disruptions_allowed;
  }
  for (objects::Object& object : changed) Put(std::move(object));
  const auto* found = Find<objects::Workload>("Workload", decision.workload);
  if (found == nullptr || AnyPodRuns(*found)) return;
  objects::Workload workload = *found;
  if (decision.action == "Consolidate") {
    std::erase_if(workload.conditions,
                  [](const auto& each) { return each.type == objects::kMovedCondition; });
    workload.conditions.push_back({.type = std::string(objects::kMovedCondition),
                                   .holds = true,
                                   .reason = decision.action,
                                   .message = decision.reason,
                                   .since = now});
    return Put(std::move(workload));
  }
  workload.admission.clear();
  workload.start_time.reset();
  if (decision.at_limit) {
    const auto holds = [&](std::string_view type, std::string message) {
      workload.conditions.push_back({.type = std::string(type),
                                     .holds = true,
                                     .reason = std::string(objects::kRunTimeLimitReason),
                                     .message = std::move(message),
                                     .since = now});
    };
    holds("Evicted", decision.reason);
    if (!decision.waits_again) {
      holds(objects::kStoppedCondition,
            ToText(objects::StopNote{.why = decision.reason,
                                     .spec = intake_.AskedSpecOf(decision.workload)}));
    }
  }
  Put(std::move(workload));
}

bool World::AnyPodRuns(const objects::Workload& workload) const {
  return std::any_of(objects_.begin(), objects_.end(), [&](const auto& named) {
    const auto* pod = std::get_if<objects::Pod>(&named.second);
    if (pod == nullptr || pod->meta.name_space != workload.meta.name_space) return false;
    const auto& labels = pod->meta.labels;
    const bool ours = std::any_of(labels.begin(), labels.end(), [&](const auto& label) {
      return label.first == "fairlead.dev/workload" && label.second == workload.meta.name;
    });
    return ours && !pod->spec.node_name.empty() && !pod->meta.deletion_time && !pod->finished();
  });
}

void World::Flush() {
  std::vector<state::Change> changes = intake_.TakeChanges();
  std::move(extra_.begin(), extra_.end(), std::back_inserter(changes));
  extra_.clear();
  if (shuffles_) {
    const auto upserts = std::stable_partition(changes.begin(), changes.end(), [](const auto& c) {
      return std::holds_alternative<state::Removal>(c);
    });
    const auto pods = !awaits_pods_
                          ? changes.end()
                          : std::stable_partition(upserts, changes.end(), [](const auto& c) {
                              return !std::holds_alternative<state::PodChange>(c);
                            });
    std::shuffle(upserts, pods, random_);
  }
  scheduler_.Apply(changes);
}

void World::TellAll(engine::Scheduler& fresh, Time now) const {
  intake::Intake intake;
  for (const auto& [key, object] : objects_) intake.Upsert(object, now);
  fresh.Apply(intake.TakeChanges());
}

}  // namespace fairlead::scenario
