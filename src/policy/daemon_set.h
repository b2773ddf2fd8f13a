#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "state/cluster.h"

// DaemonSets' pods that can run on one node only, and who gives way to them there
// (semantics.md §7).

namespace fairlead::policy {

// The one node that such a pod can run on. Invalid: it is no such pod, or part of a gang, the node
// was never heard of, or the configuration has this switched off: then it is a pod like any other.
state::NodeId PinnedTo(const state::Cluster& cluster, state::PodId p);

// Whether more is held on the node for such pods than will be free: whoever else had others leave
// it would have them leave for those first.
bool IsHeldShort(const state::Cluster& cluster, state::NodeId n);

// The order in which pods of a node wait for it: priority, the older, the name.
bool WaitsBefore(const state::Cluster& cluster, state::PodId a, state::PodId b);

// A pod that might be asked to leave its node.
struct NodePod {
  state::PodId pod;
  bool breaks_gang = false;  // its loss takes its gang below its minimum
};

// What tells those that are asked first from those that are asked last: a class's number is its
// place here, and of several the last counts. A new class is one more row.
struct GivingClass {
  std::string_view name;    // in JSON
  std::string_view people;  // in sentences: "it owns other pods, …"
  bool (*holds)(const state::Cluster& cluster, const NodePod& pod);
};
std::span<const GivingClass> GivingClasses();
std::size_t GivingClassOf(const state::Cluster& cluster, const NodePod& pod);

// A part of something, exactly: numerator / denominator ≥ 0.
struct Part {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  bool IsZero() const { return numerator == 0; }
  friend bool operator<(const Part& a, const Part& b);
};

// How far a pod that asks `other` is from one that asks `asked`: the largest |other − asked| /
// asked over what is asked.
Part Deviation(const state::Amounts& asked, const state::Amounts& other);
bool IsWithinPercent(const Part& part, std::int64_t percent);

// The largest part of what is lacking that `amounts` would make up for.
Part ShareOf(const state::Amounts& lacking, const state::Amounts& amounts);

}  // namespace fairlead::policy
