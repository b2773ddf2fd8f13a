#pragma once

#include <string>

#include "objects/objects.h"

namespace fairlead::objects {

// Calls visit(pod set's name, template) for every template of a Workload or a job that makes pods.
template <typename Visit>
void ForEachTemplate(Object& object, Visit visit) {
  if (auto* workload = std::get_if<Workload>(&object)) {
    for (PodSet& set : workload->pod_sets) {
      if (set.pod_template) visit(set.name, *set.pod_template);
    }
  } else if (auto* job = std::get_if<Job>(&object)) {
    visit(std::string(), job->pod_template);
  } else if (auto* generic = std::get_if<JobObject>(&object)) {
    for (JobObject::Replicas& set : generic->pod_sets) visit(set.name, set.pod_template);
  }
}

}  // namespace fairlead::objects
