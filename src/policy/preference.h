#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "state/cluster.h"

// What a pod would rather have (demands.md §6): preferred node affinity, preferred pod affinity and
// anti-affinity, spread with ScheduleAnyway, and nodes without PreferNoSchedule. None of it keeps
// it off a node. Of the nodes that fit it says which is better.
//
// Worked: nodes a, b and c fit. Preferred node affinity gives a 30, b 80 and c 30: in points 0, 100
// and 0. Two pods that the pod's spread counts stand in the zone of a and b, none in that of c: 0,
// 0 and 100 points. Both weigh 2, the other kinds are equal everywhere: 0, 200 and 200. So b or c,
// whichever the placement rule takes.

namespace fairlead::policy {

enum class Preference : std::uint8_t { kNodeAffinity, kPodAffinity, kSpread, kTaints };
inline constexpr std::size_t kPreferences = 4;
// kube-scheduler's, in the order of Preference.
inline constexpr std::array<std::int64_t, kPreferences> kPreferenceWeights = {2, 2, 2, 3};
inline constexpr std::int64_t kMostOfAKind = 100;    // of a kind
inline constexpr std::int64_t kMostPreferred = 900;  // of all, weighed

// What speaks for a node, before it is compared with others: of node affinity Σ weights of the
// terms that hold; of pod affinity Σ weight × matches in the node's domain, below 0 for
// anti-affinity; of spread Σ matches in the node's domains; of taints how many are not tolerated.
// Of the last two less is better.
struct RawPreference {
  std::array<std::int64_t, kPreferences> of{};
  // It is in no domain of a spread, so that its matches say nothing: it gets no points for that.
  bool uncounted = false;
  std::int64_t& operator[](Preference kind) { return of[static_cast<std::size_t>(kind)]; }
  std::int64_t operator[](Preference kind) const { return of[static_cast<std::size_t>(kind)]; }
  bool operator==(const RawPreference&) const = default;
};

// Whether anything that the shape prefers, or that nodes prefer, tells nodes apart.
inline bool HasPreferences(const state::Cluster& cluster, const state::Shape& shape) {
  return (shape.preferred || cluster.nodes().prefer_no_schedule_nodes() > 0) &&
         cluster.configuration().preferences != objects::PreferenceOrder::kOff;
}

// Whether it does so by other pods, its own gang's among them.
inline bool PrefersPods(const state::Shape& shape) {
  return shape.preferred && !shape.preferred->pods.empty();
}

// Of a pod that is not placed yet. Only its own terms count (others' do not), and only what stands
// in its favour as demands.md §1 has it: who leaves counts now, and not later.
RawPreference PreferenceOf(const state::Cluster& cluster, const state::Shape& shape,
                           state::NodeId n, state::When when);

// The parts of it: what the node alone decides, and what pods in a domain do.
RawPreference PreferenceOfNode(const state::Cluster& cluster, const state::Shape& shape,
                               state::NodeId n);
void AddPods(const state::Cluster& cluster, const state::Preferred::Pods& term, state::DomainId d,
             state::When when, RawPreference& raw);
void AddSpread(const state::Cluster& cluster, state::TermId term, state::DomainId d,
               RawPreference& raw);

// From the least to the most of each kind over the nodes that fit, and points by it.
class PreferenceScale {
 public:
  void Add(const RawPreference& raw);
  // ⌊100·(raw − least) / (most − least)⌋, or 100 less that where less is better; 0 where all are
  // equal. REQUIRES: it was added.
  std::int64_t PointsOf(Preference kind, const RawPreference& raw) const;
  // Σ weight × points: 0 to kMostPreferred, more is better.
  std::int64_t Of(const RawPreference& raw) const;

 private:
  struct Range {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
  };
  std::array<Range, kPreferences> ranges_;
  bool uncounted_ = false;  // some node is in no domain of a spread
};

// Where a node stands among those that fit, smaller is better: by preference, placement and name,
// or by placement, preference and name. `score`: policy/placement.h. `rank`: by name.
using NodePlace = unsigned __int128;
NodePlace PlaceOf(objects::PreferenceOrder order, std::int64_t preferred, std::uint32_t score,
                  std::uint32_t rank);

}  // namespace fairlead::policy
