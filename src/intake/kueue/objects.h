#pragma once

#include <map>
#include <string>

#include "base/time.h"
#include "objects/objects.h"

namespace fairlead::intake {

// Kueue's objects about quota, as they came last.
template <typename T>
struct KueueRow {
  T object;
  Time created;  // its creation time, or what stands in for it
};
struct KueueObjects {
  template <typename T>
  using Rows = std::map<std::string, KueueRow<T>, std::less<>>;
  Rows<objects::ClusterQueue> cluster_queues;
  Rows<objects::Cohort> cohorts;
  Rows<objects::ResourceFlavor> flavors;
  Rows<objects::LocalQueue> local_queues;  // by "namespace/name"
};

}  // namespace fairlead::intake
