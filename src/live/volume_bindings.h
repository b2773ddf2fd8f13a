#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "effects/writes.h"
#include "kube/loop.h"
#include "live/object_cache.h"
#include "live/own_timers.h"
#include "live/writer.h"

namespace fairlead::live {

// Has claims bound for the nodes of their pods before the pods are (demands.md §4):
//
//   decided ─► annotation selected-node on each claim ─► the provisioner binds them ─► bindings
//
// - Of a workload none is bound before all claims of those that are decided are.
// - What cannot be had is given up for all of them: a provisioner that takes the annotation back, a
//   claim that goes, a refusal, or kPatience without an end. Then the annotations that were written
//   are taken back where no volume came of them; claims that were bound stay so, and bind the next
//   placement. Nothing of the workload was bound.
// - Keeps nothing that the objects do not say: another process decides again, and finds the nodes
//   that were selected.
//
// Thread safety: the loop's thread only.
class VolumeBindings {
 public:
  static constexpr Duration kPatience = Duration::Seconds(600);

  struct Feedback {
    std::function<void(effects::BindPod)> on_ready;
    std::function<void(const effects::BindPod&, const std::string& why)> on_failed;
  };
  VolumeBindings(kube::Loop& loop, Writer& writer, const ObjectCache& cache, Feedback feedback);

  // REQUIRES: bind.waits_for_volumes.
  void Add(effects::BindPod bind);
  // The claim is shown, or is gone: it is held so.
  void ClaimChanged(const std::string& claim);
  // The pod went: it waits for nothing here any more. Cost: a look-up where it did not.
  void Drop(const std::string& pod);

  std::size_t waiting() const { return batches_.size(); }  // workloads

 private:
  // Each claim was asked for a node; `seen`: it was shown with it.
  struct Asked {
    std::string node;
    bool seen = false;
  };
  struct Batch {
    std::vector<effects::BindPod> binds;
    std::map<std::string, Asked> claims;  // by "namespace/name"
    std::uint64_t turn = 0;
  };

  void Select(const std::string& workload, const std::string& claim);
  void Selected(const std::string& workload, const std::string& claim, std::uint64_t turn,
                const WriteResult& result);
  void Look(const std::string& workload);
  void GiveUp(const std::string& workload, const std::string& why);
  void TakeBack(const std::string& claim, const std::string& node);
  bool IsAt(const std::string& workload, std::uint64_t turn) const;
  Batch Take(const std::string& workload);

  Writer& writer_;
  const ObjectCache& cache_;
  Feedback feedback_;
  std::map<std::string, Batch> batches_;               // by workload
  std::map<std::string, std::string> batch_of_claim_;  // its workload
  std::map<std::string, std::string> batch_of_pod_;    // its workload
  std::uint64_t turns_ = 0;
  OwnTimers timers_;
};

}  // namespace fairlead::live
