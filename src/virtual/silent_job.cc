#include "virtual/silent_job.h"

#include <variant>

namespace fairlead::virtual_cluster {

bool SaysNoMoreThanItsPods(const objects::Object& object) {
  const auto* job = std::get_if<objects::Job>(&object);
  if (job == nullptr) return false;
  const objects::Meta& meta = job->meta;
  return meta.labels.empty() && meta.annotations.empty() && meta.owners.empty() && !job->suspend &&
         !job->deadline && !job->gang_min && !job->ignores_disruption;
}

}  // namespace fairlead::virtual_cluster
