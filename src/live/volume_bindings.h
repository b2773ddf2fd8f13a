#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "effects/writes.h"
#include "kube/loop.h"
#include "live/object_cache.h"
#include "live/own_timers.h"
#include "live/writer.h"

namespace fairlead::live {

// Has claims bound for the nodes of their pods before the pods are (demands.md §4):
//
//   decided ─► claimRef of the volume that was taken ───────────────────┐
//           └► annotation selected-node on a claim, for one that is made ─┴► Kubernetes binds the
//              claims ─► bindings
//
// - Of a workload none is bound before all claims of those that are decided are.
// - What cannot be had is given up for all of them: a provisioner that takes the annotation back, a
//   volume that goes or is another's, a claim or a node that goes, a refusal, or kPatience without
//   an end.
//   Then what was written is taken back where no claim was bound by it; claims that were bound stay
//   so, and bind the next placement. Nothing of the workload was bound.
//   A node on which none could be made is told, for those who ask the same to avoid it.
// - Keeps nothing that the objects do not say: another process decides again, and finds the nodes
//   that were selected and the volumes that were taken.
//
// Thread safety: the loop's thread only.
class VolumeBindings {
 public:
  static constexpr Duration kPatience = Duration::Seconds(600);

  // Of all of a workload that waited.
  struct Failure {
    std::string why;
    bool at_once = false;  // they are to be decided anew now, not in a while
    // Claims, by "namespace/name", for which no volume could be made on the node that was asked.
    std::set<std::string> not_made = {};
    bool IsOf(const effects::BindPod& bind) const;  // one of them is the pod's
  };
  struct Feedback {
    std::function<void(const effects::BindPod&)> on_waiting;  // once, where it is to wait
    std::function<void(effects::BindPod, bool waited)> on_ready;
    std::function<void(std::vector<effects::BindPod>, const Failure&)> on_failed;
  };
  VolumeBindings(kube::Loop& loop, Writer& writer, const ObjectCache& cache, Feedback feedback);

  // REQUIRES: bind.waits_for_volumes.
  void Add(effects::BindPod bind);
  // The claim, or the volume, is shown, or is gone: it is held so.
  void ClaimChanged(const std::string& claim);
  void VolumeChanged(const std::string& volume);
  // Who waited for volumes there waits in vain.
  void NodeGone(const std::string& node);
  bool Waits(const std::string& pod) const { return batch_of_pod_.contains(pod); }
  // The pod went, or is to wait elsewhere: whether it waited here, which it does no more.
  // Cost: a look-up where it did not.
  bool Drop(const std::string& pod);

  std::size_t waiting() const { return batches_.size(); }  // workloads

 private:
  // What each claim was given: a volume, or a node where one is to be made. `seen`: it was shown.
  struct Asked {
    std::string node;
    std::string volume;  // empty: one is made
    bool seen = false;
  };
  struct Batch {
    std::vector<effects::BindPod> binds;
    std::map<std::string, Asked> claims;  // by "namespace/name"
    std::uint64_t turn = 0;
    bool waits = false;  // it was told so
  };

  void Select(const std::string& workload, const std::string& claim);
  std::optional<kube::Request> RequestFor(const std::string& claim, const Asked& asked) const;
  // Whether the objects show what was given; an error: that it cannot be had any more.
  Result<bool> Shows(const std::string& claim, const Asked& asked) const;
  void Selected(const std::string& workload, const std::string& claim, std::uint64_t turn,
                const WriteResult& result);
  void Look(const std::string& workload);
  void Wait(Batch& batch);
  void GiveUp(const std::string& workload, Failure failure);
  // Whether whoever was to make the claim's volume took its node back.
  bool IsRefused(const std::string& claim, const Asked& asked) const;
  void TimedOut(const std::string& workload);
  // Its workload, which may have no batch any more; empty: it did not wait.
  std::string Remove(const std::string& pod);
  void ClaimOfBatchChanged(const std::string& workload, const std::string& claim);
  // The workload does not ask for it any more; others may.
  void Forget(const std::string& workload, const std::string& claim, const Asked& asked);
  // Unless others ask for it.
  void TakeBack(const std::string& claim, const Asked& asked);
  bool IsAt(const std::string& workload, std::uint64_t turn) const;
  Batch Take(const std::string& workload);

  Writer& writer_;
  const ObjectCache& cache_;
  Feedback feedback_;
  std::map<std::string, Batch> batches_;                           // by workload
  std::map<std::string, std::set<std::string>> batches_of_claim_;  // their workloads
  std::map<std::string, std::string> claim_of_volume_;             // for which it was taken
  std::map<std::string, std::string> batch_of_pod_;                // its workload
  std::uint64_t turns_ = 0;
  OwnTimers timers_;
};

}  // namespace fairlead::live
