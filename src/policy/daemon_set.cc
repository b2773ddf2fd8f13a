#include "policy/daemon_set.h"

#include <algorithm>
#include <array>

#include "base/wide_int.h"

namespace fairlead::policy {
namespace {

bool Always(const state::Cluster&, const NodePod&) { return true; }

bool IsOwner(const state::Cluster& cluster, const NodePod& pod) {
  return pod.breaks_gang || cluster.pods()[pod.pod].owns_pods;
}

bool HasOptedOut(const state::Cluster& cluster, const NodePod& pod) {
  const state::Pod& record = cluster.pods()[pod.pod];
  return record.opted_out || !cluster.workloads()[record.workload].preemptible;
}

constexpr auto kClasses = std::to_array<GivingClass>({
    {"regular", "a regular pod", Always},
    {"owner", "other pods depend on it", IsOwner},
    {"optedOut", "it asks not to be preempted", HasOptedOut},
});

}  // namespace

state::NodeId PinnedTo(const state::Cluster& cluster, state::PodId p) {
  const state::Pod& pod = cluster.pods()[p];
  if (!pod.of_daemon_set() || pod.foreign) return state::NodeId();
  if (!cluster.configuration().daemon_set_preemption.enabled) return state::NodeId();
  if (!cluster.workloads()[pod.workload].solo()) return state::NodeId();
  return cluster.shapes()[pod.shape].pinned_to;
}

bool IsHeldShort(const state::Cluster& cluster, state::NodeId n) {
  if (!cluster.nodes().in_turnover(n)) return false;
  const std::int64_t* later = cluster.nodes().later(n);
  const auto& pods = cluster.nodes().pods(n);
  return std::any_of(pods.begin(), pods.end(), [&](state::PodId p) {
    const state::Pod& pod = cluster.pods()[p];
    if (!pod.of_daemon_set() || !pod.claims() || PinnedTo(cluster, p) != n) return false;
    const state::Amounts& fit = cluster.shapes()[pod.shape].fit;
    return std::any_of(fit.begin(), fit.end(),
                       [&](const state::Amount& a) { return later[a.resource.value()] < 0; });
  });
}

bool WaitsBefore(const state::Cluster& cluster, state::PodId a, state::PodId b) {
  const state::Pod& x = cluster.pods()[a];
  const state::Pod& y = cluster.pods()[b];
  if (x.priority != y.priority) return x.priority > y.priority;
  if (x.created != y.created) return x.created < y.created;
  return cluster.pods().name(a) < cluster.pods().name(b);
}

std::span<const GivingClass> GivingClasses() { return kClasses; }

std::size_t GivingClassOf(const state::Cluster& cluster, const NodePod& pod) {
  std::size_t last = kClasses.size() - 1;
  while (!kClasses[last].holds(cluster, pod)) --last;
  return last;
}

bool operator<(const Part& a, const Part& b) {
  return WideInt{a.numerator} * b.denominator < WideInt{b.numerator} * a.denominator;
}

Part Deviation(const state::Amounts& asked, const state::Amounts& other) {
  Part largest;
  for (const state::Amount& a : asked) {
    const std::int64_t has = state::AmountOf(other, a.resource);
    const Part part{.numerator = std::max(has, a.amount) - std::min(has, a.amount),
                    .denominator = a.amount};
    if (largest < part) largest = part;
  }
  return largest;
}

bool IsWithinPercent(const Part& part, std::int64_t percent) {
  return WideInt{part.numerator} * 100 <= WideInt{part.denominator} * percent;
}

Part ShareOf(const state::Amounts& lacking, const state::Amounts& amounts) {
  Part largest;
  for (const state::Amount& lack : lacking) {
    const Part part{.numerator = state::AmountOf(amounts, lack.resource),
                    .denominator = lack.amount};
    if (largest < part) largest = part;
  }
  return largest;
}

}  // namespace fairlead::policy
