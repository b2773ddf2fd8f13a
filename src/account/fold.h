#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "account/fold_reader.h"
#include "base/name_map.h"
#include "base/time.h"
#include "drive/observer.h"
#include "state/change.h"
#include "state/tally.h"

namespace fairlead::account {

// What a pod asks: a share of a device as thousandths of the one resource that whole devices are,
// and not the place that it takes as a pod. Nothing: nobody told its needs.
objects::ResourceList AskedBy(const state::NeedsPtr& needs);

// What became of nodes, gangs and pods, folded out of the changes that the engine is given: for
// whoever keeps accounts of a cluster. What is kept is kept here once; what comes true is told to
// all readers, in the order in which they were added (fold_reader.h).
//
// Numbers are dense. Those of nodes, gangs, queues and shapes stay; a pod's is given to another one
// once the pod has gone.
//
// Thread safety: none. Cost: a hash look-up a change, a walk over the pod sets of a gang that was
// touched; about 150 bytes a pod.
class Fold : public drive::Observer {
 public:
  struct Pod {
    std::size_t uid_hash = 0;  // another pod of the name has another
    Time created;
    Time since;                  // placed: on its node since then
    std::uint32_t seen_in = 0;   // the moment, by number; 0: there is no pod of this number
    FoldIndex shape = kNoIndex;  // what it asks
    FoldIndex node = kNoIndex;   // of one that was ever placed
    FoldIndex gang = kNoIndex;   // none: it is a workload of its own, or another scheduler's
    FoldIndex queue = kNoIndex;  // of a pod that is a workload of its own
    std::int32_t set = 0;        // of its gang
    state::PodState state = state::PodState::kPending;
    bool alone = false;             // a workload of its own
    bool foreign = false;           // another scheduler's
    bool terminating = false;       // asked to end
    bool evicted = false;           // that was decided, and has not failed
    bool was_placed = false;        // ever, as far as can be told
    bool counts = false;            // placed, ours, and not asked to end
    Rare<state::RunTime> run_time;  // of a pod that is a workload of its own
    bool placed() const { return state == state::PodState::kBound; }
  };
  struct Gang {
    std::string name;
    Time created;
    FoldIndex queue = kNoIndex;
    std::vector<state::TalliedSet> sets;
    Rare<state::RunTime> run_time;
    bool known = false;     // by its object; else only its pods are
    bool started = false;   // its minimum was placed once
    bool recorded = false;  // its object says that it had started
    bool complete = false;  // its work was done
    bool is_new = true;     // first heard of in this moment
    // It has not started, as far as anybody knows.
    bool Waits() const { return known && !started && !recorded; }
  };

  // Not owned. REQUIRES: nothing was told yet.
  void AddReader(FoldReader* reader) { readers_.push_back(reader); }

  void OnEvent(const drive::Event& event) override;
  void OnChanges(Time now, std::span<const state::Change> changes) override;
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override;

  const Pod& pod(FoldIndex pod) const { return pods_[pod]; }
  const Gang& gang(FoldIndex gang) const { return gangs_[gang]; }
  const std::vector<Gang>& gangs() const { return gangs_; }
  // What is lost of a placed pod's work when it is stopped then.
  Duration LostBy(FoldIndex pod, Time stop) const;
  const std::string& queue(FoldIndex queue) const { return queues_[queue]; }  // its name
  const std::string& node(FoldIndex node) const { return nodes_[node].name; }
  std::size_t queue_count() const { return queues_.size(); }

  // Calls visit(pod) for all that are there, in no order that means anything.
  template <typename Visit>
  void ForEachPod(Visit visit) const {
    for (const Pod& pod : pods_) {
      if (pod.seen_in != 0) visit(pod);
    }
  }

 private:
  struct Node {
    std::string name;
    objects::ResourceList offered;
    bool known = false;
  };
  using Numbers = NameMap<FoldIndex>;

  void TakeNode(Time now, const state::NodeChange& change);
  void TakeGang(const state::WorkloadChange& change);
  void TakePod(Time now, const state::PodChange& change);
  void End(Time now, FoldIndex pod, const state::PodChange& change);
  void TakeBackEviction(const std::string& pod);
  void RemovePod(Time now, const std::string& name);
  void Leave(Time now, FoldIndex pod);
  void Forget(Time now, FoldIndex pod);
  void Count(FoldIndex pod, std::int32_t sign);
  bool Belong(Pod& pod, const state::PodChange& change);
  void JudgeStarts(Time now);
  FoldIndex ShapeOf(const state::NeedsPtr& needs);
  FoldIndex QueueOf(const std::string& name);
  FoldIndex NodeOf(const std::string& name);
  FoldIndex GangOf(const std::string& name);

  std::vector<FoldReader*> readers_;
  std::vector<Pod> pods_;
  std::vector<Gang> gangs_;
  std::vector<Node> nodes_;
  std::vector<std::string> queues_;
  std::vector<state::NeedsPtr> shapes_;  // held, so that their addresses stay their own
  std::vector<FoldIndex> free_pods_;     // numbers to be given again
  SharedNameMap<FoldIndex> pod_by_name_;
  Numbers gang_by_name_, node_by_name_, queue_by_name_;
  boost::unordered_flat_map<const objects::PodNeeds*, FoldIndex> shape_by_needs_;
  // Of the moment that is told, whose number is the last that was given.
  std::uint32_t moment_ = 0;
  std::vector<FoldIndex> touched_;       // gangs
  std::vector<FoldIndex> placed_alone_;  // pods that are workloads of their own
};

}  // namespace fairlead::account
