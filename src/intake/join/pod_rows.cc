#include "intake/join/pod_rows.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "intake/facts/pod_facts.h"
#include "intake/facts/pod_traits.h"
#include "intake/join/makers.h"

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

// The API server fills in 30 s where none is given. Years by the thousand are as good as one.
constexpr std::uint32_t kLongestGrace = (1U << 26) - 1;  // as a row has bits for
std::uint32_t GraceOf(const objects::PodSpec& spec) {
  return static_cast<std::uint32_t>(
      std::clamp(spec.grace_seconds.value_or(30), std::int64_t{0}, std::int64_t{kLongestGrace}));
}

}  // namespace

PodId PodRows::Find(const objects::Pod& pod) {
  pod_key_.assign(pod.meta.name_space).append(1, '/').append(pod.meta.name);
  return tables_.pods.Find(pod_key_);
}

void PodRows::UpsertStatus(const objects::Pod& pod, Time now) {
  const PodId id = Find(pod);
  if (!id.valid()) return Upsert(pod, now, {});
  const PodRow& row = tables_.pods[id];
  DCHECK(row.uid == pod.meta.uid && *row.needs == pod.spec.needs);
  const Time created = pod.meta.creation_time.value_or(row.facts.created);
  const PodFacts facts = FactsOf(pod, created, tables_.names);
  owners_.Count(id, pod.meta, facts);
  if (!(facts == row.facts)) TakeFacts(id, facts, /*same_family=*/true);
}

void PodRows::Upsert(const objects::Pod& pod, Time now, const Text& key) {
  PodId id = Find(pod);
  // Another uid under the same name is another pod: the engine must see the first one go.
  Uid uid(pod.meta.uid);
  if (id.valid() && !uid.empty() && !tables_.pods[id].uid.empty() &&
      !(tables_.pods[id].uid == uid)) {
    Erase(id);
    id = PodId();
  }
  PackTraits(pod, traits_key_);
  const bool added = !id.valid();
  if (added) id = tables_.pods.Add(key.empty() ? Text(pod_key_) : key);
  PodRow& row = tables_.pods[id];
  row.grace_seconds = GraceOf(pod.spec) & kLongestGrace;
  const Time created = pod.meta.creation_time.value_or(added ? now : row.facts.created);
  const PodFacts facts = FactsOf(pod, created, tables_.names);

  const bool same_family = !added && tables_.families[row.family].name == traits_key_;
  const bool same_needs = !added && *row.needs == pod.spec.needs;
  const DemandRowsPtr counted_by = added ? nullptr : tables_.labels[row.labels].counted_by;
  bool reselected = budgets_.MoveToLabels(id, pod.meta);
  reselected |= demands_.CountedBy(row.labels) != counted_by;
  owners_.Count(id, pod.meta, facts);
  if (same_family && same_needs && !reselected && facts == row.facts && row.uid == uid) {
    return;
  }

  if (!same_needs) row.needs = tables_.needs.Intern(pod.spec.needs);
  if (added || !(row.uid == uid)) {
    row.uid = std::move(uid);
    row.owns_pods = owners_.OwnsPods(row);
  }
  row.source = InternSource(pod.meta.source, tables_.names);
  TakeFacts(id, facts, same_family);
}

// Not of the same family as before: it moves to the one of traits_key_.
void PodRows::TakeFacts(PodId id, const PodFacts& facts, bool same_family) {
  PodRow& row = tables_.pods[id];
  if (row.facts.room_unknown) CountMisread(row, false);
  if (same_family) {
    Family& family = tables_.families[row.family];
    if (NumberOf(family.tally, row.facts) != NumberOf(family.tally, facts)) {
      Count(family, row.facts, -1);
      Count(family, facts, +1);
    }
    if (family.names_claims && facts.state != row.facts.state) volumes_.NoteMembers(row.family);
    row.facts = facts;
  } else {
    if (row.family.valid()) LeaveFamily(id);
    row.facts = facts;
    MoveToFamily(id, FamilyOf(traits_key_));
  }
  if (facts.room_unknown) CountMisread(row, true);
  demands_.Count(id);
  marks_.Mark(id);
}

bool PodRows::Remove(std::string_view key) {
  PodId id = tables_.pods.Find(key);
  if (!id.valid()) return false;
  Erase(id);
  return true;
}

void PodRows::Erase(PodId id) {
  if (tables_.pods[id].given) {
    marks_.Removed(state::RowKind::kPod, tables_.pods[id].name);
  }
  if (tables_.pods[id].facts.room_unknown) CountMisread(tables_.pods[id], false);
  LeaveFamily(id);
  budgets_.LeaveLabels(id);
  demands_.Drop(id);
  owners_.Drop(id);
  tables_.pods.Erase(id);
}

// The family of those traits, made where these are the first pods that have them.
FamilyId PodRows::FamilyOf(std::string_view traits_key) {
  const std::size_t known = tables_.families.size();
  const FamilyId id = tables_.families.Add(traits_key);
  if (tables_.families.size() == known) return id;
  Family& family = tables_.families[id];
  const PodTraits traits = UnpackTraits(family.name);
  const auto join = [&](std::string_view named) {
    const GangId gang =
        tables_.gangs.Add(std::string(traits.name_space).append(1, '/').append(named));
    tables_.gangs[gang].families.push_back(id);
    marks_.Mark(gang);
    return gang;
  };
  const Membership by = MembershipOf(traits);
  if (std::string_view named = WorkloadNamed(traits); !named.empty()) family.gang = join(named);
  if (by == Membership::kByGroup) {
    family.group = traits.group_api;
    const std::string_view of_job = WorkloadOfJob(traits);
    if (!of_job.empty() && of_job != traits.pod_group) family.outer = join(of_job);
  }
  if (!traits.job_group.empty() && by != Membership::kByLabel) {
    family.base =
        tables_.gangs.Add(std::string(traits.name_space).append(1, '/').append(traits.job));
    tables_.gangs[family.base].of_groups.push_back(id);
    marks_.Mark(family.base);
  }
  if (by == Membership::kByJob && MayBeMade(traits.job_kind)) {
    family.made = family.gang;
    LinkToMaker(tables_, marks_, id, traits);
  }
  family.asks_topology = !traits.topology.empty();
  family.names_claims = !traits.volume_claims.empty();
  if (family.names_claims) volumes_.Use(id, true);
  marks_.Mark(id);
  return id;
}

void PodRows::MoveToFamily(PodId id, FamilyId family_id) {
  Family& family = tables_.families[family_id];
  PodRow& row = tables_.pods[id];
  row.family = family_id;
  row.place = static_cast<std::uint32_t>(family.members.size());
  row.surplus = false;
  family.members.push_back(id);
  family.oldest = std::min(family.oldest, row.facts.created);
  if (family.names_claims) volumes_.NoteMembers(family_id);
  Count(family, row.facts, +1);
}

void PodRows::LeaveFamily(PodId id) {
  PodRow& row = tables_.pods[id];
  const FamilyId family_id = row.family;
  Family& family = tables_.families[family_id];
  Count(family, row.facts, -1);
  PodId last = family.members.back();
  family.members[row.place] = last;
  tables_.pods[last].place = row.place;
  family.members.pop_back();
  row.family = FamilyId();
  if (family.names_claims) volumes_.NoteMembers(family_id);
  if (!family.members.empty()) {
    if (family.group != objects::GroupApi::kNone && row.facts.created <= family.oldest) {
      family.oldest = Time::Max();
      for (const PodId member : family.members) {
        family.oldest = std::min(family.oldest, tables_.pods[member].facts.created);
      }
      marks_.Mark(family.gang);
    }
    return;
  }

  if (family.names_claims) volumes_.Use(family_id, false);
  uses_.Move(family.join.queue, Names::kEmpty);
  const GangId made = family.made == family.gang ? GangId() : family.made;
  for (const GangId gang : {family.gang, family.outer, made}) {
    if (!gang.valid()) continue;
    std::erase(tables_.gangs[gang].families, family_id);
    marks_.Mark(gang);
  }
  if (family.base.valid()) {
    std::erase(tables_.gangs[family.base].of_groups, family_id);
    marks_.Mark(family.base);
  }
  tables_.families.Erase(family_id);
}

void PodRows::Count(Family& family, const PodFacts& facts, std::int32_t by) {
  std::int32_t* number = NumberOf(family.tally, facts);
  if (number == nullptr) return;
  *number += by;
  if (family.gang.valid()) marks_.Mark(family.gang);
  if (family.outer.valid()) marks_.Mark(family.outer);
}

// The pod takes room of its node, or is about not to, and nobody knows how much.
void PodRows::CountMisread(const PodRow& row, bool there) {
  if (row.facts.state != state::PodState::kBound) return;
  auto& pods = misread_[row.facts.node];
  if (there) {
    pods.emplace(row.name);
  } else if (const auto found = pods.find(row.name.view()); found != pods.end()) {
    pods.erase(found);
  }
  if (pods.empty()) misread_.erase(row.facts.node);
  const NodeId node = tables_.nodes.Find(tables_.names[row.facts.node]);
  if (node.valid()) marks_.Mark(node);
}

std::string_view PodRows::MisreadOn(NameId node) const {
  const auto found = misread_.find(node);
  return found == misread_.end() ? std::string_view() : *found->second.begin();
}

}  // namespace fairlead::intake
