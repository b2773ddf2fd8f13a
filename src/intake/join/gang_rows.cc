#include "intake/join/gang_rows.h"

#include <algorithm>
#include <utility>

#include "intake/facts/job_facts.h"
#include "intake/facts/workload_facts.h"
#include "intake/join/makers.h"
#include "intake/kueue/decoders.h"
#include "objects/key.h"

namespace fairlead::intake {
namespace {

template <typename Facts>
Time CreatedOf(const objects::Meta& meta, const Facts* held, Time now) {
  return meta.creation_time.value_or(held == nullptr ? now : held->created);
}

// The row's job of that kind; null where there was none.
std::unique_ptr<JobFacts>& JobOf(GangRow& gang, const jobs::JobKind& kind) {
  auto at = gang.jobs.begin();
  for (const jobs::JobKind* each : jobs::AllKinds()) {
    const bool here = at != gang.jobs.end() && (*at)->kind == each;
    if (each == &kind) return here ? *at : *gang.jobs.insert(at, nullptr);
    if (here) ++at;
  }
  return gang.jobs.emplace_back();
}

// A TrainJob asks what its JobSet does.
void TakePodSetsOfMade(GangRow& gang) {
  const std::string_view name = objects::SplitKey(gang.name).name;
  for (const auto& job : gang.jobs) {
    if (!job->kind->has_pod_sets_of_made()) continue;
    const auto is_made = [&](const auto& other) {
      return other->maker == jobs::JobRef{job->kind, std::string(name), job->uid};
    };
    const auto made = std::ranges::find_if(gang.jobs, is_made);
    const bool is_there = made != gang.jobs.end();
    job->pod_sets = is_there ? (*made)->pod_sets : std::vector<PodSetFacts>();
    job->minimum_fault = is_there ? (*made)->minimum_fault : std::string();
    if (!is_there) continue;
    job->in_order = (*made)->in_order;
    job->preemptible = job->preemptible_itself && (*made)->preemptible;
    job->template_queue = (*made)->template_queue;
    if (job->says_class) continue;
    job->priority_class = (*made)->priority_class;
    job->priority = (*made)->priority;
    job->never_preempts = (*made)->never_preempts;
  }
}

}  // namespace

void GangRows::Upsert(const objects::Workload& workload, Time now) {
  if (workload.dialect_kind == kKueueWorkloadKind) {
    kueue_.Upsert(workload, now);
    return;
  }
  const GangId id = tables_.gangs.Add(workload.meta.Key());
  GangRow& gang = tables_.gangs[id];
  auto& held = gang.workload;
  const Time created = CreatedOf(workload.meta, held.get(), now);
  held = std::make_unique<GangFacts>(FactsOf(workload, created, tables_.needs, tables_.names));
  for (FamilyId family : gang.families) marks_.Mark(family);  // its pod sets may be others
  marks_.Mark(id);
}

void GangRows::Upsert(const objects::PodGroup& group, Time now) {
  const GangId id = tables_.gangs.Add(group.meta.Key());
  GangRow& gang = tables_.gangs[id];
  auto at = std::ranges::lower_bound(gang.pod_groups, group.api, {},
                                     [](const auto& facts) { return facts->api; });
  if (at == gang.pod_groups.end() || (*at)->api != group.api) at = gang.pod_groups.emplace(at);
  const Time created = CreatedOf(group.meta, at->get(), now);
  *at = std::make_unique<GangFacts>(FactsOf(group, created, tables_.names));
  for (FamilyId family : gang.families) marks_.Mark(family);  // its pod sets may be others
  marks_.Mark(id);
}

void GangRows::UpsertJob(const objects::Object& job, const jobs::JobKind& kind, Time now) {
  if (!tables_.job_kinds.contains(kind.kind())) {
    tables_.job_kinds.emplace(kind.kind());
    marks_.scope().all |= tables_.owners_are_told;  // pods of others of that kind wait from now on
  }
  const objects::Meta& meta = objects::MetaOf(job);
  const GangId id = tables_.gangs.Add(meta.Key());
  GangRow& gang = tables_.gangs[id];
  std::unique_ptr<JobFacts>& held = JobOf(gang, kind);
  const Time created = CreatedOf(meta, held.get(), now);
  auto fresh =
      std::make_unique<JobFacts>(FactsOf(job, kind, created, tables_.needs, tables_.names));
  if (held == nullptr || held->uid != fresh->uid || held->gang != fresh->gang ||
      held->foreign != fresh->foreign || held->topology != fresh->topology ||
      held->queue != fresh->queue || held->let_go != fresh->let_go ||
      held->run_time != fresh->run_time || held->submitter != fresh->submitter ||
      held->stops != fresh->stops || held->kept_out || fresh->kept_out ||
      !std::ranges::equal(held->pod_sets, fresh->pod_sets, {}, &PodSetFacts::name,
                          &PodSetFacts::name)) {
    for (FamilyId family : gang.families) marks_.Mark(family);
    for (FamilyId family : gang.of_groups) marks_.Mark(family);
  }
  if (held != nullptr && held->submitter != fresh->submitter) MarkGroupsOf(gang);
  ForEachRowOf(gang, [&](GangRow& row) {
    if (held != nullptr && row.job == held.get()) row.job = fresh.get();
  });
  const bool made_anew = held == nullptr || held->maker != fresh->maker || held->uid != fresh->uid;
  held = std::move(fresh);
  TakePodSetsOfMade(gang);
  if (made_anew) LinkMade(id);
  marks_.Mark(id);
}

// Groups of its pods are asked for by whom the job is.
void GangRows::MarkGroupsOf(const GangRow& gang) {
  for (const FamilyId family : gang.families) {
    if (tables_.families[family].gang.valid()) marks_.Mark(tables_.families[family].gang);
  }
}

void GangRows::LinkMade(GangId id) {
  for (const FamilyId family : tables_.gangs[id].families) {
    if (tables_.families[family].made != id) continue;
    LinkToMaker(tables_, marks_, family, UnpackTraits(tables_.families[family].name));
  }
}

// Its own row and those of groups of its jobs, some of them several times. All are marked.
template <typename Visit>
void GangRows::ForEachRowOf(GangRow& gang, Visit visit) {
  visit(gang);
  for (const FamilyId id : gang.of_groups) {
    const GangId group = tables_.families[id].group_of_job();
    visit(tables_.gangs[group]);
    marks_.Mark(group);
  }
}

bool GangRows::Remove(std::string_view kind, std::string_view key) {
  GangId id = tables_.gangs.Find(key);
  const bool ours = id.valid() && tables_.gangs[id].workload != nullptr;
  if (kind == "Workload" && !ours) return kueue_.Remove(key);
  if (!id.valid()) return false;
  GangRow& gang = tables_.gangs[id];
  bool known = false;
  if (const jobs::JobKind* job_kind = jobs::FindKind(kind)) {
    ForEachRowOf(gang, [&](GangRow& row) {
      if (row.job != nullptr && row.job->kind == job_kind) row.job = nullptr;
    });
    known = std::erase_if(gang.jobs, [&](const auto& job) { return job->kind == job_kind; }) > 0;
    gang.job = nullptr;
    TakePodSetsOfMade(gang);
    LinkMade(id);
    for (FamilyId family : gang.of_groups) marks_.Mark(family);
  } else if (kind == "Workload") {
    known = std::exchange(gang.workload, nullptr) != nullptr;
  } else {
    const objects::GroupRow* row = objects::FindGroupRowOfKind(kind);
    const auto at = std::ranges::find_if(gang.pod_groups, [&](const auto& facts) {
      return row == nullptr || facts->api == row->api;
    });
    known = at != gang.pod_groups.end();
    if (known) gang.pod_groups.erase(at);
  }
  if (!known) return false;
  for (FamilyId family : gang.families) marks_.Mark(family);
  marks_.Mark(id);
  return true;
}

void GangRows::DropIfUnused(GangId id) {
  if (!tables_.gangs[id].InUse()) tables_.gangs.Erase(id);
}

}  // namespace fairlead::intake
