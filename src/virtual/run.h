#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "drive/observer.h"
#include "objects/objects.h"
#include "objects/read/reader.h"
#include "virtual/cluster.h"

namespace fairlead::virtual_cluster {

// One run of a virtual cluster from a submission to its end: a simulation, one of many, a forecast.
struct RunPlan {
  Options options;
  std::unique_ptr<Coming> coming = nullptr;  // beside the submission; null: nothing
  std::optional<Time> until;                 // absent: until nothing more can change
  std::vector<drive::Observer*> observers;
  // All is submitted, and nothing is decided yet. Null, like the next: nobody asks.
  std::function<void(const VirtualCluster&, const Submitted&)> on_submitted;
  // After each instant; false: that is enough.
  std::function<bool(const VirtualCluster&)> on_instant;
};

// The cluster as it then is: Now() is `until`, or the moment of the last thing that happened.
// Faults: what VirtualCluster::Submit refuses.
tl::expected<std::unique_ptr<VirtualCluster>, std::vector<objects::Fault>> Run(
    std::vector<objects::Object> submission, RunPlan plan);

}  // namespace fairlead::virtual_cluster
