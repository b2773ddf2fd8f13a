#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "intake/facts/foreign_asks.h"
#include "intake/facts/pod_traits.h"
#include "intake/join/volumes.h"
#include "intake/tables/marks.h"
#include "intake/tables/node_pool.h"
#include "intake/tables/tables.h"
#include "state/reason.h"

namespace fairlead::intake {

// What other schedulers' keys and claims of volumes on pods and templates ask, both packed: what
// they keep pods and workloads waiting for, and the share of a device that they give.
//
// Keeps nothing. Cost: nothing where nothing is asked, as by most.
class AskJoin {
 public:
  AskJoin(const Tables& tables, const NodePool& pool, const Volumes& volumes)
      : tables_(tables), pool_(pool), volumes_(volumes) {}

  // The first of its keys that is not served; none: there is none. `of`: as in ForeignHold.
  std::optional<state::Reason> HoldOf(std::string_view foreign, MetAlready met,
                                      std::string_view of) const;
  VolumeJoin VolumesOf(const NamedClaims& named) const;
  std::optional<state::Reason> HoldOfPodSets(const std::vector<PodSetFacts>& sets, MetAlready met,
                                             std::string_view name_space) const;
  // What keeps a workload of several pods waiting beside what it says itself: of its pods that
  // wait, the first demand by its text. REQUIRES: its families are joined.
  std::optional<state::Reason> HoldOfPods(const GangRow& gang) const;
  // What its own keys, not those of its pods, keep a job of the claims' kind waiting for: its pods
  // do, where they are workloads of their own.
  std::optional<state::Reason> HoldOfJob(const GangRow& gang, const NamedJob& named,
                                         bool has_queue) const;

  // By what other means a job is served. The pods of one that is no workload are workloads of their
  // own.
  MetAlready MetFor(const GangRow& gang, const JobFacts& job) const;

  std::int64_t GpuMilliOf(std::string_view foreign) const;  // of a device; 0: no share is asked

 private:
  const Tables& tables_;
  const NodePool& pool_;
  const Volumes& volumes_;
};

// The needs with a share of a device beside, or with whole ones above 1000; 0: as they are, as
// those that ask devices already.
state::NeedsPtr WithShare(const Tables& tables, const state::NeedsPtr& needs, std::int64_t milli);

// The devices of the pool have another memory: marks whoever asks shares by memory.
void SpreadDevices(const Tables& tables, Marks& marks);

}  // namespace fairlead::intake
