#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "objects/meta.h"
#include "objects/selector.h"

// Kueue's objects about quota, as plain values (kueue.x-k8s.io/v1beta1 and v1beta2). What they say
// that nothing here can follow stands in `not_supported`, as field paths.

namespace fairlead::objects {

// What one flavor of a group gives of one resource.
struct FlavorResource {
  std::string resource;
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrowing_limit, lending_limit;  // absent: none
  bool operator==(const FlavorResource&) const = default;
};

struct FlavorQuotas {
  std::string flavor;
  std::vector<FlavorResource> resources;
  bool operator==(const FlavorQuotas&) const = default;
};

struct ResourceGroup {
  std::vector<FlavorQuotas> flavors;
  bool operator==(const ResourceGroup&) const = default;
};

enum class StopPolicy : std::uint8_t { kNone, kHold, kHoldAndDrain };

// Whose work may be evicted for that of a ClusterQueue.
enum class PreemptionPolicy : std::uint8_t {
  kNever,
  kLowerPriority,
  kLowerOrNewerEqualPriority,
  kAny
};

struct ClusterQueue {
  Meta meta;
  std::string cohort;  // empty: it stands alone
  std::vector<ResourceGroup> groups;
  std::optional<LabelSelector> name_spaces;  // whose work may come; absent: nobody's
  StopPolicy stop_policy = StopPolicy::kNone;
  PreemptionPolicy within_cluster_queue = PreemptionPolicy::kNever;
  PreemptionPolicy reclaim_within_cohort = PreemptionPolicy::kNever;
  PreemptionPolicy borrow_within_cohort = PreemptionPolicy::kNever;
  std::optional<std::int32_t> borrow_max_priority;
  std::int64_t weight_milli = 1000;
  std::vector<std::string> not_supported;
  bool operator==(const ClusterQueue&) const = default;
};

struct Cohort {
  Meta meta;
  std::string parent;
  std::vector<ResourceGroup> groups;  // beside what its members have
  std::int64_t weight_milli = 1000;
  std::vector<std::string> not_supported;
  bool operator==(const Cohort&) const = default;
};

// A ClusterQueue's name in a namespace.
struct LocalQueue {
  Meta meta;
  std::string cluster_queue;
  StopPolicy stop_policy = StopPolicy::kNone;
  std::vector<std::string> not_supported;
  bool operator==(const LocalQueue&) const = default;
};

// The nodes from which a quota is given.
struct ResourceFlavor {
  Meta meta;
  Labels node_labels;
  std::vector<Taint> node_taints;
  std::vector<Toleration> tolerations;  // which work of this flavor gets
  std::string topology;                 // of its nodes; empty: none is named
  std::vector<std::string> not_supported;
  bool operator==(const ResourceFlavor&) const = default;
};

// A priority in Kueue's queues, apart from that of pods.
struct WorkloadPriorityClass {
  Meta meta;
  std::int32_t value = 0;
  bool operator==(const WorkloadPriorityClass&) const = default;
};

}  // namespace fairlead::objects
