#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kube/reflector.h"

namespace fairlead::kube {

// One kind of object that is watched. Served is the first version of `versions` that the server
// has; a dialect whose CRD is not installed has none.
struct Watched {
  std::string_view group;
  std::vector<std::string_view> versions;  // the preferred one first
  std::string_view plural, kind;
  bool required = false;  // without it nothing can be decided

  Resource In(std::string_view version) const;
};

// Everything that decides something: what intake joins, and nothing else.
const std::vector<Watched>& AllWatched();

const Resource& Pods();
const Resource& Workloads();  // ours
const Resource& Queues();     // ours
const Resource& ElasticQuotas();
// The resource that objects of a kind of job are.
Resource ResourceOfJob(std::string_view kind);

}  // namespace fairlead::kube
