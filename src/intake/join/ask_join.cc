#include "intake/join/ask_join.h"

#include <algorithm>

#include "intake/facts/gpu_share.h"
#include "intake/facts/job_facts.h"

namespace fairlead::intake {

std::optional<state::Reason> AskJoin::HoldOf(std::string_view foreign, MetAlready met,
                                             std::string_view of) const {
  if (foreign.empty()) return std::nullopt;
  if (auto hold = ForeignHold(foreign, met, of)) return hold;
  return GpuShareOf(foreign, pool_.devices(), of).hold;
}

VolumeJoin AskJoin::VolumesOf(const NamedClaims& named) const {
  return named.claims.empty() ? VolumeJoin() : volumes_.Join(named);
}

MetAlready AskJoin::MetFor(const GangRow& gang, const JobFacts& job) const {
  return {
      .gang = IsOneWorkload(job, tables_.configuration->scheduler_name) || gang.facts() != nullptr,
      .queue = !job.queue.empty() || !job.template_queue.empty()};
}

std::int64_t AskJoin::GpuMilliOf(std::string_view foreign) const {
  return foreign.empty() ? 0 : GpuShareOf(foreign, pool_.devices(), "").milli;
}

std::optional<state::Reason> AskJoin::HoldOfPods(const GangRow& gang) const {
  const state::Reason* first = nullptr;
  for (const FamilyId id : gang.families) {
    const Family& family = tables_.families[id];
    const state::Reason* hold = family.join.hold.get();
    if (!IsOf(tables_, family, gang) || hold == nullptr || family.tally.pending == 0) continue;
    if (first == nullptr || hold->message < first->message) first = hold;
  }
  return first == nullptr ? std::nullopt : std::optional(*first);
}

std::optional<state::Reason> AskJoin::HoldOfPodSets(const std::vector<PodSetFacts>& sets,
                                                    MetAlready met,
                                                    std::string_view name_space) const {
  for (const PodSetFacts& set : sets) {
    if (set.foreign.empty() && set.volume_claims.empty()) continue;  // as most
    const std::string of = std::string(set.template_path) + ".";
    if (auto hold = HoldOf(set.foreign, met, of)) return hold;
    const NamedClaims named{
        .claims = set.volume_claims, .name_space = name_space, .of_template = set.volume_claims};
    if (auto hold = VolumesOf(named).hold) return hold;
  }
  return volumes_.HoldOfAll(sets, name_space);
}

std::optional<state::Reason> AskJoin::HoldOfJob(const GangRow& gang, const NamedJob& named,
                                                bool has_queue) const {
  const JobFacts* job = JobNamed(gang, named);
  if (job == nullptr || job->foreign.empty()) return std::nullopt;
  return ForeignHold(job->foreign, {.queue = !job->queue.empty() || has_queue},
                     std::string(job->kind->kind()) + ".");
}

state::NeedsPtr WithShare(const Tables& tables, const state::NeedsPtr& needs, std::int64_t milli) {
  constexpr std::string_view kGpu = "nvidia.com/gpu";
  constexpr std::int64_t kWhole = 1000;
  if (milli == 0 || needs == nullptr || needs->gpu_milli > 0) return needs;
  if (objects::AmountOf(needs->request, kGpu) > 0) return needs;
  objects::PodNeeds with = *needs;
  if (milli <= kWhole) {
    with.gpu_milli = static_cast<std::int32_t>(milli);
  } else {
    with.request.emplace_back(kGpu, milli);
    std::ranges::sort(with.request);
  }
  return tables.needs.Intern(with);
}

void SpreadDevices(const Tables& tables, Marks& marks) {
  const auto asks = [](const PodSetFacts& set) { return AsksGpuMemory(set.foreign); };
  tables.gangs.ForEach([&](GangId id, const GangRow& gang) {
    const GangFacts* facts = gang.facts();
    bool is_one = facts != nullptr && std::ranges::any_of(facts->pod_sets, asks);
    gang.ForEachJob(
        [&](const JobFacts& job) { is_one |= std::ranges::any_of(job.pod_sets, asks); });
    if (is_one) marks.Mark(id);
  });
  tables.families.ForEach([&](FamilyId id, const Family& family) {
    if (AsksGpuMemory(UnpackTraits(family.name).foreign)) marks.Mark(id);
  });
}

}  // namespace fairlead::intake
