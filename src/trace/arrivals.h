#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/name_map.h"
#include "drive/observer.h"
#include "objects/objects.h"

// The load experiment of Weng et al., "Beware of Fragmentation" (ATC'23, §6): the pods of a trace
// arrive one after the other in a random order and stay, until they ask for more GPUs than there
// are; what is allocated by then tells how well pods were placed.

namespace fairlead::trace {

struct Arrivals {
  std::int64_t load_percent = 130;  // of the nodes' GPUs, that all pods ask together
  std::uint64_t seed = 0;
};

// The nodes and pods of a trace as the experiment, and what else there is as it is. As in the
// study's simulator: nodes without GPUs take no part; the pods are shuffled, and then drawn again,
// one by one with replacement, up to the load (or, where they are more, some are left out); nodes
// are shuffled too, by a number before their names, so that ties by name fall differently with each
// seed. Pods arrive a second apart and never end.
std::vector<objects::Object> MakeArrivals(const Arrivals& arrivals,
                                          std::vector<objects::Object> objects);

// The kinds of pods, most frequent first (objects/typical_pods.h).
std::vector<objects::TypicalPod> TypicalPodsOf(const std::vector<objects::Object>& objects);

// Where placement is by fragmentation and the configuration among the objects names no typical
// pods, it gets those of the objects: what is known of a trace beforehand.
void FillTypicalPods(std::vector<objects::Object>& objects);

// How much of the GPUs is allocated when so much has arrived, each as a part of all GPUs.
class AllocationCurve : public drive::Observer {
 public:
  explicit AllocationCurve(const std::vector<objects::Object>& objects);
  void OnEvent(const drive::Event& event) override;

  // By whole percent of arrived load, in hundredths of a percent: the mean over the arrivals that
  // round to it; −1 where there was none. So far: call it when all is over.
  std::vector<std::int64_t> Hundredths() const;

 private:
  void Note(std::vector<std::pair<std::int64_t, std::int64_t>>& sums) const;

  std::int64_t capacity_milli_ = 0, arrived_milli_ = 0, allocated_milli_ = 0;
  NameMap<std::int64_t> gpu_milli_;                          // by pod; those that ask none
                                                             // are not there
  std::vector<std::pair<std::int64_t, std::int64_t>> sums_;  // allocated, arrivals: by percent
  bool any_ = false;
};

}  // namespace fairlead::trace
