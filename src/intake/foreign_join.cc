// What other schedulers' keys ask of pods and workloads, and claims of volumes: what keeps them
// waiting, and the share of a device that they get.

#include <algorithm>

#include "intake/foreign_asks.h"
#include "intake/job.h"
#include "intake/store.h"

namespace fairlead::intake {

// `of`: as in ForeignHold.
std::optional<state::Reason> Intake::Store::AsksHold(const Asks& asks, MetAlready met,
                                                     std::string_view name_space,
                                                     std::string_view of) const {
  if (!asks.foreign.empty()) {
    if (auto hold = ForeignHold(asks.foreign, met, of)) return hold;
    if (auto share = GpuShareOf(asks.foreign, device_memory_, of); share.hold) return share.hold;
  }
  return asks.volume_claims.empty() ? std::nullopt : VolumeHold(name_space, asks.volume_claims);
}

// The pods of a job that is no workload are workloads of their own.
MetAlready Intake::Store::MetFor(const GangRow& gang, const JobFacts& job) const {
  return {.gang = IsOneWorkload(job, configuration_->scheduler_name) || gang.facts() != nullptr,
          .queue = !job.queue.empty() || !job.template_queue.empty()};
}

std::int64_t Intake::Store::GpuMilliOf(std::string_view foreign) const {
  return foreign.empty() ? 0 : GpuShareOf(foreign, device_memory_, "").milli;
}

// The needs with a share of a device beside, or with whole ones above 1000; 0: as they are, as
// those that ask devices already.
state::NeedsPtr Intake::Store::WithShare(const state::NeedsPtr& needs, std::int64_t milli) const {
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
  return needs_.Intern(with);
}

// What keeps a workload of several pods waiting beside what it says itself: of its pods that wait,
// the first demand by its text.
std::optional<state::Reason> Intake::Store::HoldOfPods(const GangRow& gang) const {
  const state::Reason* first = nullptr;
  for (const FamilyId id : gang.families) {
    const Family& family = families_[id];
    const state::Reason* hold = family.join.hold.get();
    if (!family.join.in_gang || hold == nullptr || family.tally.pending == 0) continue;
    if (first == nullptr || hold->message < first->message) first = hold;
  }
  return first == nullptr ? std::nullopt : std::optional(*first);
}

std::optional<state::Reason> Intake::Store::HoldOfPodSets(const std::vector<PodSetFacts>& sets,
                                                          MetAlready met,
                                                          std::string_view name_space) const {
  for (const PodSetFacts& set : sets) {
    if (set.foreign.empty() && set.volume_claims.empty()) continue;  // as most
    const std::string of = std::string(set.template_path) + ".";
    const Asks asks{.foreign = set.foreign, .volume_claims = set.volume_claims};
    if (auto hold = AsksHold(asks, met, name_space, of)) return hold;
  }
  return std::nullopt;
}

// What its own keys, not those of its pods, keep a job of that kind waiting for: its pods do, where
// they are workloads of their own.
std::optional<state::Reason> Intake::Store::HoldOfJob(const GangRow& gang,
                                                      const PodClaims& claims) const {
  for (const auto& job : gang.jobs) {
    if (job->kind->kind() != claims.job_kind || job->foreign.empty()) continue;
    if (!job->uid.empty() && !claims.job_uid.empty() && job->uid != claims.job_uid) continue;
    auto hold = ForeignHold(job->foreign, {.queue = !job->queue.empty() || !claims.queue.empty()},
                            std::string(job->kind->kind()) + ".");
    if (hold) return hold;
  }
  return std::nullopt;
}

// The devices of the pool have another memory: shares by memory are others.
void Intake::Store::SpreadDevices() {
  if (!device_memory_.TakeMoved()) return;
  const auto asks = [](const PodSetFacts& set) { return AsksGpuMemory(set.foreign); };
  gangs_.ForEach([&](GangId id, const GangRow& gang) {
    const GangFacts* facts = gang.facts();
    if ((facts != nullptr && std::ranges::any_of(facts->pod_sets, asks)) ||
        std::ranges::any_of(
            gang.jobs, [&](const auto& job) { return std::ranges::any_of(job->pod_sets, asks); })) {
      Mark(id);
    }
  });
  families_.ForEach([&](FamilyId id, const Family& family) {
    if (AsksGpuMemory(UnpackClaims(family.name).foreign)) Mark(id);
  });
}

}  // namespace fairlead::intake
