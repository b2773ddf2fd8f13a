#pragma once

#include <string>

#include "objects/key.h"

namespace fairlead::kube {

// What is listed and watched.
struct Resource {
  std::string group;  // empty: the core group
  std::string version = "v1";
  std::string plural, kind;    // "pods", "Pod"
  std::string name_space;      // empty: all of them, or a cluster-scoped kind
  std::string field_selector;  // "spec.schedulerName=fairlead"
  std::string label_selector;

  std::string ApiVersion() const;     // "v1", "batch/v1"
  std::string Path() const;           // "/apis/batch/v1/jobs", without a query
  std::string DiscoveryPath() const;  // "/apis/batch/v1": what that version serves
  std::string ToString() const;       // "jobs.batch/v1"
};

// Which object, and in which state of its.
struct ObjectRef {
  std::string name_space;  // empty: cluster-scoped
  std::string name, uid, version;

  std::string Key() const { return objects::JoinKey(name_space, name); }
};

}  // namespace fairlead::kube
