#include "intake/intake.h"

#include <type_traits>

#include "base/check.h"
#include "intake/store.h"

namespace fairlead::intake {

Intake::Intake() : store_(std::make_unique<Store>()) {}
Intake::~Intake() = default;

void Intake::Upsert(const objects::Object& object, Time now, const Text& key) {
  may_have_changes_ = true;
  std::visit(
      [&](const auto& value) {
        if constexpr (requires(Store& store) { store.Upsert(value, now, key); }) {
          store_->Upsert(value, now, key);
        } else if constexpr (requires(Store& store) { store.Upsert(value, now); }) {
          store_->Upsert(value, now);
        } else if constexpr (requires(Store& store) { store.Upsert(value); }) {
          store_->Upsert(value);
        } else if (const jobs::JobKind* kind = jobs::KindOf(object)) {
          store_->UpsertJob(object, *kind, now);
        }
      },
      object);
}

void Intake::UpsertStatus(const objects::Pod& pod, Time now) {
  may_have_changes_ = true;
  store_->UpsertStatus(pod, now);
}

bool Intake::Remove(std::string_view kind, std::string_view name_space, std::string_view name) {
  may_have_changes_ = true;
  return store_->Remove(kind, name_space, name);
}

void Intake::KnowAllOwners() {
  may_have_changes_ = true;
  store_->KnowAllOwners();
}

std::vector<state::Change> Intake::TakeChanges(std::size_t most_pods) {
  if (!may_have_changes_) {
    DCHECK(store_->TakeChanges(most_pods).empty());
    return {};
  }
  std::vector<state::Change> changes = store_->TakeChanges(most_pods);
  may_have_changes_ = changes.size() >= most_pods;  // of pods there may be more
  return changes;
}

std::vector<Finding> Intake::Findings() const { return store_->Findings(); }

const std::vector<KueueProblem>& Intake::kueue_problems() const { return store_->kueue_problems(); }

std::vector<objects::KnownTopology> Intake::KnownTopologies() const {
  return store_->KnownTopologies();
}

std::vector<OtherScheduler> Intake::OtherSchedulers() const { return store_->OtherSchedulers(); }

std::optional<PodStanding> Intake::FindPod(std::string_view name) const {
  return store_->FindPod(name);
}

std::optional<ToldPod> Intake::FindTold(std::string_view pod) const {
  return store_->told().Find(pod);
}

const state::WorkloadChange* Intake::FindToldWorkload(std::string_view name) const {
  return store_->told().FindWorkload(name);
}

std::vector<std::string_view> Intake::ToldPodsOf(std::string_view workload) const {
  return store_->told().PodsOf(workload);
}

std::vector<std::string> Intake::ToldNames() const { return store_->told().Names(); }

std::optional<ShownPod> Intake::FindShown(std::string_view pod) const {
  return store_->told().FindShown(pod);
}

std::string Intake::AskedSpecOf(std::string_view workload) const {
  return store_->AskedSpecOf(workload);
}

std::string Intake::AskedSpecOfJobOf(std::string_view pod) const {
  return store_->AskedSpecOfJobOf(pod);
}

const objects::SchedulerConfiguration& Intake::configuration() const {
  return store_->configuration();
}

}  // namespace fairlead::intake
