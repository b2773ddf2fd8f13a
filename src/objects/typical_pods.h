#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "objects/objects.h"

namespace fairlead::objects {

// Kinds of pods, by what they ask of CPU, GPUs and labels of nodes, and how many there are of each:
// what placement by fragmentation is to keep room for (SchedulerConfiguration::typical_pods).
class PodKinds {
 public:
  void Add(const PodNeeds& needs, std::int64_t pods = 1);

  // The most frequent first, as many as make up 95 % of all pods: the threshold of Weng et al.
  // (ATC'23).
  std::vector<TypicalPod> Popular() const;

 private:
  struct Before {
    bool operator()(const TypicalPod& a, const TypicalPod& b) const;
  };
  std::map<TypicalPod, std::int64_t, Before> kinds_;
};

// Whether placement is by typical pods, and none are named.
bool LacksTypicalPods(const SchedulerConfiguration& configuration);

}  // namespace fairlead::objects
