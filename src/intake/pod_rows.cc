#include <algorithm>

#include "intake/store.h"
#include "objects/keys.h"

// Pods as rows, and families as the sets of pods that claim the same. This is the hot path: in a
// simulation each event of a pod passes through Upsert, and most change its phase only.

namespace fairlead::intake {
namespace {

// Which number of a tally a pod stands in; null: in none.
std::int32_t* NumberOf(Tally& tally, const PodFacts& facts) {
  if (facts.state == state::PodState::kFinished) {
    return facts.succeeded ? &tally.succeeded : nullptr;
  }
  if (facts.terminating) return nullptr;
  return facts.state == state::PodState::kBound ? &tally.bound : &tally.pending;
}

}  // namespace

PodFacts Intake::Store::FactsOf(const objects::Pod& pod, Time created) {
  PodFacts facts;
  facts.created = created;
  facts.scheduled = pod.scheduled_time.has_value() ? pod.scheduled_time : pod.start_time;
  facts.reserved = pod.node_reserved_time;
  facts.node = names_.Intern(pod.spec.node_name);
  facts.nominated = names_.Intern(pod.nominated_node);
  // Of one that waits it may tell of a binding that failed.
  facts.gpu_device = pod.spec.node_name.empty() ? -1 : pod.gpu_device.value_or(-1);
  facts.succeeded = pod.phase == objects::PodPhase::kSucceeded;
  facts.state = pod.finished()               ? state::PodState::kFinished
                : pod.spec.node_name.empty() ? state::PodState::kPending
                                             : state::PodState::kBound;
  facts.terminating = pod.meta.deletion_time.has_value();
  facts.gated = pod.spec.gated;
  facts.is_static = pod.is_static;
  facts.room_unknown = pod.spec.room_unknown;
  return facts;
}

void Intake::Store::Upsert(const objects::Pod& pod, Time now) {
  pod_key_.assign(pod.meta.name_space).append(1, '/').append(pod.meta.name);
  PodId id = pods_.Find(pod_key_);
  // Another uid under the same name is another pod: the engine must see the first one go.
  if (id.valid() && !pod.meta.uid.empty() && !pods_[id].uid.empty() &&
      pods_[id].uid != pod.meta.uid) {
    ErasePod(id);
    id = PodId();
  }
  PackClaims(pod, claims_key_);
  const bool added = !id.valid();
  if (added) id = pods_.Add(pod_key_);
  PodRow& row = pods_[id];
  const Time created = pod.meta.creation_time.value_or(added ? now : row.facts.created);
  const PodFacts facts = FactsOf(pod, created);

  const bool same_family = !added && families_[row.family].name == claims_key_;
  const bool same_needs = !added && *row.needs == pod.spec.needs;
  if (!added) CountWaiting(row, row.facts, -1);
  const bool reselected = MoveToLabels(id, pod.meta);
  CountWaiting(row, facts, +1);
  CountRefusals(id, pod, facts);
  CountOwners(id, pod.meta, facts);
  if (same_family && same_needs && !reselected && facts == row.facts && row.uid == pod.meta.uid) {
    return;
  }

  if (!same_needs) row.needs = needs_.Intern(pod.spec.needs);
  if (added || row.uid != pod.meta.uid) {
    row.uid = pod.meta.uid;
    row.owns_pods = OwnsPods(row);
  }
  row.source = InternSource(pod.meta.source, names_);
  if (row.facts.room_unknown) CountMisread(row, false);
  if (same_family) {
    Family& family = families_[row.family];
    if (NumberOf(family.tally, row.facts) != NumberOf(family.tally, facts)) {
      Count(family, row.facts, -1);
      Count(family, facts, +1);
    }
    row.facts = facts;
  } else {
    if (!added) LeaveFamily(id);
    row.facts = facts;
    MoveToFamily(id, FamilyOf(claims_key_));
  }
  if (facts.room_unknown) CountMisread(row, true);
  Mark(id);
}

bool Intake::Store::RemovePod(std::string_view key) {
  PodId id = pods_.Find(key);
  if (!id.valid()) return false;
  ErasePod(id);
  return true;
}

void Intake::Store::ErasePod(PodId id) {
  if (pods_[id].given) {
    removals_.push_back({.kind = state::RowKind::kPod, .name = pods_[id].name});
  }
  if (pods_[id].facts.room_unknown) CountMisread(pods_[id], false);
  LeaveFamily(id);
  CountWaiting(pods_[id], pods_[id].facts, -1);
  LeaveLabels(id);
  DropRefusals(id);
  DropOwners(id);
  pods_.Erase(id);
}

// The family of those claims, made where these are the first pods that claim so.
FamilyId Intake::Store::FamilyOf(std::string_view claims_key) {
  FamilyId id = families_.Find(claims_key);
  if (id.valid()) return id;
  id = families_.Add(claims_key);
  Family& family = families_[id];
  PodClaims claims = UnpackClaims(family.name);
  if (std::string_view named = WorkloadNamed(claims); !named.empty()) {
    std::string gang_name = std::string(claims.name_space).append(1, '/').append(named);
    family.gang = gangs_.Add(gang_name);
    gangs_[family.gang].families.push_back(id);
  }
  if (!claims.volume_claims.empty()) UseVolumeClaims(id, true);
  Mark(id);
  return id;
}

void Intake::Store::MoveToFamily(PodId id, FamilyId family_id) {
  Family& family = families_[family_id];
  PodRow& row = pods_[id];
  row.family = family_id;
  row.place = static_cast<std::uint32_t>(family.members.size());
  row.surplus = false;
  family.members.push_back(id);
  Count(family, row.facts, +1);
}

void Intake::Store::LeaveFamily(PodId id) {
  PodRow& row = pods_[id];
  const FamilyId family_id = row.family;
  Family& family = families_[family_id];
  Count(family, row.facts, -1);
  PodId last = family.members.back();
  family.members[row.place] = last;
  pods_[last].place = row.place;
  family.members.pop_back();
  row.family = FamilyId();
  if (!family.members.empty()) return;

  if (!UnpackClaims(family.name).volume_claims.empty()) UseVolumeClaims(family_id, false);
  UseQueue(family.join.queue, Names::kEmpty);
  if (family.gang.valid()) {
    std::erase(gangs_[family.gang].families, family_id);
    Mark(family.gang);
  }
  families_.Erase(family_id);
}

void Intake::Store::Count(Family& family, const PodFacts& facts, std::int32_t by) {
  std::int32_t* number = NumberOf(family.tally, facts);
  if (number == nullptr) return;
  *number += by;
  if (family.gang.valid()) Mark(family.gang);
}

// The pod takes room of its node, or is about not to, and nobody knows how much.
void Intake::Store::CountMisread(const PodRow& row, bool there) {
  if (row.facts.state != state::PodState::kBound) return;
  auto& pods = misread_pods_[row.facts.node];
  if (there) {
    pods.insert(row.name);
  } else {
    pods.erase(row.name);
  }
  if (pods.empty()) misread_pods_.erase(row.facts.node);
  const NodeId node = nodes_.Find(names_[row.facts.node]);
  if (node.valid()) Mark(node);
}

void Intake::Store::Mark(NodeId id) {
  if (nodes_[id].dirty) return;
  nodes_[id].dirty = true;
  dirty_nodes_.push_back(id);
}

void Intake::Store::Mark(PodId id) {
  if (pods_[id].dirty) return;
  pods_[id].dirty = true;
  dirty_pods_.push_back(id);
}

void Intake::Store::Mark(FamilyId id) {
  if (families_[id].dirty) return;
  families_[id].dirty = true;
  dirty_families_.push_back(id);
}

void Intake::Store::Mark(GangId id) {
  if (gangs_[id].dirty) return;
  gangs_[id].dirty = true;
  dirty_gangs_.push_back(id);
}

}  // namespace fairlead::intake
