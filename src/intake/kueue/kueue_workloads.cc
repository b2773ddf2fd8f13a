#include "intake/kueue/kueue_workloads.h"

#include <utility>

#include <fmt/format.h>

#include "intake/facts/workload_facts.h"
#include "jobs/job_kind.h"

namespace fairlead::intake {
namespace {

// The workload that it is: the Job's that controls it, else its own.
std::string GangOf(const objects::Workload& workload) {
  const objects::OwnerReference* owner = workload.meta.Controller();
  const jobs::JobKind* kind = owner == nullptr ? nullptr : jobs::FindKind(owner->kind);
  // Kueue has one for each group of a job that is let go by its pods.
  const bool of_job = kind != nullptr && !kind->is_let_go_by_pods();
  return fmt::format("{}/{}", workload.meta.name_space, of_job ? owner->name : workload.meta.name);
}

}  // namespace

void KueueWorkloads::Upsert(const objects::Workload& workload, Time now) {
  const std::string key = workload.meta.Key();
  auto [at, added] = rows_.try_emplace(key);
  Row& row = at->second;
  const std::string gang = GangOf(workload);
  if (!added && row.gang != gang) {
    of_gang_[row.gang].erase(key);
    Choose(row.gang);
  }
  const Time created = workload.meta.creation_time.value_or(added ? now : row.facts->created);
  row.gang = gang;
  row.facts = std::make_shared<GangFacts>(FactsOf(workload, created, tables_.needs, tables_.names));
  row.facts->local_queue = true;
  row.facts->dialect_name = key;
  of_gang_[gang].insert(key);
  Choose(gang);
}

bool KueueWorkloads::Remove(std::string_view key) {
  auto found = rows_.find(key);
  if (found == rows_.end()) return false;
  const std::string gang = found->second.gang;
  of_gang_[gang].erase(found->first);
  rows_.erase(found);
  Choose(gang);
  return true;
}

void KueueWorkloads::Choose(const std::string& gang_name) {
  const GangId id = tables_.gangs.Add(gang_name);
  GangRow& gang = tables_.gangs[id];
  gang.kueue = nullptr;
  for (const std::string& key : of_gang_[gang_name]) {
    const std::shared_ptr<const GangFacts>& facts = rows_.at(key).facts;
    const auto rank = [](const GangFacts& of) { return std::pair(!of.active, of.created); };
    if (gang.kueue == nullptr || rank(*facts) < rank(*gang.kueue)) gang.kueue = facts;
  }
  if (of_gang_[gang_name].empty()) of_gang_.erase(gang_name);
  for (FamilyId family : gang.families) marks_.Mark(family);
  marks_.Mark(id);
}

}  // namespace fairlead::intake
