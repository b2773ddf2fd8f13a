#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kube/reflector.h"
#include "objects/objects.h"

namespace fairlead::live {

// One kind of object that is watched. Served is the first version of `versions` that the server
// has; a dialect whose CRD is not installed has none.
struct Watched {
  std::string_view group;
  std::vector<std::string_view> versions;  // the preferred one first
  std::string_view plural, kind;
  bool required = false;  // without it nothing can be decided
  // Where we have no right to it the rest goes on without it: pods that others make are there
  // anyway.
  bool dispensable = false;
  bool many = false;  // there may be a million of it

  kube::Resource In(std::string_view version) const;
};

// Everything that decides something: what intake joins, and nothing else.
const std::vector<Watched>& AllWatched();

// What is written to.
namespace resources {

const kube::Resource& Pods();
const kube::Resource& Events();
const kube::Resource& VolumeClaims();
const kube::Resource& Volumes();
const kube::Resource& Workloads();  // ours
const kube::Resource& Queues();     // ours
const kube::Resource& ElasticQuotas();
// The native PodGroups in that version: "scheduling.k8s.io/v1beta1".
kube::Resource NativeGroups(std::string_view api_version);
// The resource that the job is, in the version that it was read in. REQUIRES: it is one.
kube::Resource OfJob(const objects::Object& job);

}  // namespace resources
}  // namespace fairlead::live
