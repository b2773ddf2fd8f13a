#include "intake/join/asked_spec.h"

#include <algorithm>

#include "base/digest.h"
#include "objects/shape_key.h"

namespace fairlead::intake {
namespace {

void AddNumber(const auto& number, Digest& digest) {
  digest.Add(number.has_value() ? std::int64_t{1} : std::int64_t{0});
  if (number) digest.Add(static_cast<std::int64_t>(*number));
}

void AddLength(const std::optional<Duration>& length, Digest& digest) {
  digest.Add(length ? length->us : std::int64_t{-1});
}

void AddRunTime(const state::RunTime& said, Digest& digest) {
  AddLength(said.limit, digest);
  AddLength(said.expected, digest);
  AddLength(said.checkpoint_every, digest);
  AddLength(said.own_limit ? std::optional(said.own_limit->after) : std::nullopt, digest);
  digest.Add(std::int64_t{said.waits_again});
}

struct Counts {
  std::optional<std::int32_t> count, min_count;
};

void AddPodSet(const PodSetFacts& set, const Counts& asked, Digest& digest) {
  digest.Add(set.name);
  AddNumber(asked.count, digest);
  AddNumber(asked.min_count, digest);
  AddNumber(set.max, digest);
  digest.Add(set.expected == nullptr ? std::string() : objects::CanonicalKey(*set.expected));
  for (const auto& [key, value] : set.labels) {
    digest.Add(key);
    digest.Add(value);
  }
  digest.Add(set.scheduler);
  digest.Add(set.foreign);
  digest.Add(set.volume_claims);
  digest.Add(set.topology);
}

// While it runs its Workload says what it asked; a count that is not the admitted one was edited
// since, and stays when it is stopped (jobs::JobKind::Restore).
Counts CountsAsked(const JobFacts& job, const PodSetFacts& set, const GangFacts* workload) {
  if (set.max) return {};
  const Counts as_it_stands{.count = set.count, .min_count = set.min_count};
  if (job.suspend || workload == nullptr) return as_it_stands;
  const auto asked = std::ranges::find(workload->pod_sets, set.name, &PodSetFacts::name);
  const auto admitted = jobs::CountOf(workload->admission, set.name);
  if (asked == workload->pod_sets.end() || !admitted || set.count != *admitted) {
    return as_it_stands;
  }
  const std::int32_t count = asked->count.value_or(set.count.value_or(0));
  return {.count = count, .min_count = asked->min_count.value_or(count)};
}

std::string SpecOf(const JobFacts& job, const GangFacts* workload) {
  Digest digest;
  digest.Add(job.kind->kind());
  digest.Add(job.queue);
  digest.Add(job.template_queue);
  digest.Add(job.priority_class);
  AddNumber(job.priority, digest);
  digest.Add(std::int64_t{job.never_preempts});
  digest.Add(std::int64_t{job.preemptible});
  digest.Add(std::int64_t{job.gang});
  digest.Add(std::int64_t{job.in_order});
  AddRunTime(job.run_time, digest);
  digest.Add(job.foreign);
  digest.Add(job.topology);
  for (const PodSetFacts& set : job.pod_sets) {
    AddPodSet(set, CountsAsked(job, set, workload), digest);
  }
  return digest.Hex();
}

std::string SpecOf(const GangFacts& facts) {
  Digest digest;
  digest.Add(facts.queue);
  digest.Add(facts.priority_class);
  AddNumber(facts.priority, digest);
  digest.Add(std::int64_t{facts.never_preempts});
  AddNumber(facts.preemptible, digest);
  digest.Add(static_cast<std::int64_t>(facts.resize));
  AddRunTime(facts.run_time, digest);
  digest.Add(facts.topology);
  for (const PodSetFacts& set : facts.pod_sets) {
    AddPodSet(set, {.count = set.count, .min_count = set.min_count}, digest);
  }
  return digest.Hex();
}

}  // namespace

std::string AskedSpecOf(const GangRow& gang) {
  const bool by_job = gang.source == GangSource::kJob || gang.StandsForJob();
  return by_job && gang.job != nullptr ? SpecOf(*gang.job, gang.OwnWorkload())
                                       : SpecOf(*gang.facts());
}

std::string AskedSpecOf(const JobFacts& job) { return SpecOf(job, nullptr); }

}  // namespace fairlead::intake
