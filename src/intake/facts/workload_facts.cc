#include "intake/facts/workload_facts.h"

#include "intake/facts/foreign_asks.h"
#include "intake/facts/pod_traits.h"

namespace fairlead::intake {

GangFacts FactsOf(const objects::Workload& workload, Time created, NeedsPool& needs, Names& names) {
  GangFacts facts;
  facts.uid = workload.meta.uid;
  facts.created = created;
  facts.queue = workload.queue_name;
  facts.priority_class = workload.priority_class_name;
  facts.priority = workload.priority;
  facts.preemptible = workload.preemptible;
  facts.active = workload.active;
  facts.resize = workload.resize;
  facts.admission = workload.admission;
  facts.recorded_start = workload.start_time;
  if (!workload.admission.empty()) facts.admitted_since = workload.AdmittedSince();
  facts.unsupported_field = workload.unsupported_field;
  facts.passed_over = workload.passed_over;
  facts.source = InternSource(workload.meta.source, names);
  if (const objects::OwnerReference* owner = workload.meta.Controller()) {
    facts.owner_kind = jobs::FindKind(owner->kind);
    facts.owner_job = owner->name;
    facts.owner_uid = owner->uid;
  }
  for (const objects::PodSet& set : workload.pod_sets) {
    PodSetFacts& fresh = facts.pod_sets.emplace_back();
    fresh.name = set.name;
    fresh.count = set.count;
    fresh.min_count = set.min_count;
    if (!set.pod_template) continue;
    const objects::PodSpec& spec = set.pod_template->spec;
    fresh.expected = needs.Intern(spec.needs);
    fresh.template_path = "spec.podSets[*].template";
    fresh.foreign = PackForeign(set.pod_template->labels, set.pod_template->annotations,
                                spec.priority_class_name, &spec.needs);
    fresh.volume_claims = PackVolumeClaims(spec.rare->volume_claims);
    fresh.labels = set.pod_template->labels;
    facts.never_preempts |= spec.never_preempts;
    if (facts.scheduler.empty()) facts.scheduler = spec.scheduler_name;
    // A Workload that names no priority has the one that it gives its pods.
    if (facts.priority_class.empty() && !facts.priority) {
      facts.priority_class = spec.priority_class_name;
      facts.priority = spec.priority;
    }
  }
  return facts;
}

}  // namespace fairlead::intake
