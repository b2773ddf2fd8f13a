#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rare.h"
#include "base/time.h"
#include "base/uid.h"
#include "effects/writes.h"
#include "kube/histogram.h"
#include "kube/loop.h"
#include "live/admissions.h"
#include "live/events.h"
#include "live/object_cache.h"
#include "live/own_timers.h"
#include "live/standing_writes.h"
#include "live/volume_bindings.h"
#include "live/writer.h"
#include "state/change.h"

namespace fairlead::live {

// Carries out what was decided, by requests to the API server, and says what could not be.
//
// A write that fails for good is taken back by a change to the engine (BindFailed, EvictFailed),
// but not at once: the engine would decide the same again. Until then, longer each time it happens
// to the pod, the decision stands and keeps its room. What only shows a decision is written again.
//
// Thread safety: the loop's thread only.
class Executor {
 public:
  struct Feedback {
    std::function<void(state::Change)> on_failed;
    std::function<void(const std::string&)> on_problem;  // for the log
  };
  struct Counts {
    std::uint64_t bound = 0, bind_failed = 0, evicted = 0, evict_failed = 0;
    std::map<std::string, std::uint64_t, std::less<>> victims;  // by action
    kube::Histogram bind;                                       // from decided to bound
  };

  Executor(kube::Loop& loop, Writer& writer, const ObjectCache& cache, Admissions& admissions,
           Events& events, Feedback feedback);

  void Do(effects::Write&& write);

  // The pod is on a node: what failed of binding it does not count any more.
  void Bound(const std::string& pod);
  void Gone(const std::string& pod) {
    Bound(pod);
    volumes_.Drop(pod);
    evict_failures_.erase(pod);
  }
  void NodeGone(const std::string& node) { volumes_.NodeGone(node); }
  // A claim of volumes, or a volume, is shown, or is gone: it is held so.
  void ClaimChanged(const std::string& claim) { volumes_.ClaimChanged(claim); }
  void VolumeChanged(const std::string& volume) { volumes_.VolumeChanged(volume); }
  // Whether a binding to the node was sent that is neither seen nor known to have failed.
  // Cost: O(such bindings).
  bool MayBind(std::string_view node) const;
  const Counts& counts() const { return counts_; }

 private:
  // One that was decided, until its outcome is known. There may be ten thousand: they share what
  // they say, and are written down when they are sent.
  struct Binding {
    effects::BindPod bind;
    Uid uid;  // of the pod
    Time decided;
    RareOptional<state::BindFailed::Refusal> refusal;  // why it was not
  };
  using BindingPtr = std::shared_ptr<const Binding>;
  struct ByPodAndNode {
    using is_transparent = void;
    using Key = std::pair<std::string_view, std::string_view>;
    static Key Of(const BindingPtr& b) { return {b->bind.pod, b->bind.node}; }
    static Key Of(Key key) { return key; }
    bool operator()(const auto& a, const auto& b) const { return Of(a) < Of(b); }
  };

  void Bind(effects::BindPod bind);
  void BindNow(effects::BindPod bind);
  void NotBound(std::vector<effects::BindPod> binds, const VolumeBindings::Failure& failure);
  void BindEnded(const BindingPtr& binding, const WriteResult& result);
  void Evict(const effects::EvictPod& evict);
  // One that waits for volumes gives its node back instead.
  void Release(const effects::EvictPod& evict);
  void Nominate(const effects::NominatePod& nominate);
  void Reserve(const effects::ReserveNode& reserve);
  void SetReservation(const effects::SetReservation& set);
  void SetLandings(const effects::SetLandings& set);
  void SetLoan(const effects::SetLoan& set);
  void SetUngated(const effects::SetUngated& set);
  void SetGroupCondition(const effects::SetGroupCondition& set);
  void SetQuotaStatus(const effects::SetQuotaStatus& set);

  // A pod that is to go, and how.
  struct Leaving {
    std::string pod, uid;
    std::optional<Duration> grace;  // shorter than its own
    bool past_budgets = false;
    std::int32_t stops = 0;  // of `job` with this; `job` empty: not counted
    std::string job_kind, job;
    bool at_limit = false;  // deleted where it is refused
    std::string stopped;    // of `job`, written before; empty: nothing is
  };
  void PostEviction(const Leaving& leaving, int attempt);
  void NoteStops(const Leaving& leaving);
  // That its job's pods are kept out, and then the eviction.
  void NoteStopped(const Leaving& leaving);
  // Told together, after a while: of a gang nobody is decided anew before the others are.
  void BindFailed(std::vector<BindingPtr> bindings);
  void TellFailed(const Binding& binding);
  void EvictFailed(const std::string& pod, const std::string& uid);
  void Report(std::string_view what, const std::string& object, const kube::Status& status);
  // Written once: a refusal is said, with `trouble` and the pod's name.
  void MarkPod(const std::string& pod, const std::string& uid,
               const effects::ConditionText& condition, const char* trouble);
  void MarkWait(const std::string& pod, const effects::ConditionText& condition);
  // Part of a status of the pod, as long as it is there and waits.
  void SetOfWaiting(const std::string& pod, std::string_view part, std::string_view trouble,
                    std::function<kube::Request(const std::string& uid)> make);

  kube::Loop& loop_;
  Writer& writer_;
  const ObjectCache& cache_;
  Admissions& admissions_;
  Events& events_;
  Feedback feedback_;
  Counts counts_;
  std::map<std::string, int> bind_failures_, evict_failures_;  // by pod, in a row
  // Pod and node. A pod has several where the first of them went while a binding to it was tried.
  std::set<BindingPtr, ByPodAndNode> binding_;
  StandingWrites standing_;
  VolumeBindings volumes_;
  OwnTimers timers_;
};

}  // namespace fairlead::live
