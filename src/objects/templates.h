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
  } else if (auto* mpi_job = std::get_if<MpiJob>(&object)) {
    visit(std::string("launcher"), mpi_job->launcher->pod_template);
    visit(std::string("worker"), mpi_job->worker->pod_template);
  }
}

}  // namespace fairlead::objects
