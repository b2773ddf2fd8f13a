#include "bench/moves/everybody.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/sorted_set.h"
#include "engine/explain/what_if.h"
#include "engine/room/free_in_sum.h"
#include "engine/room/room_step.h"
#include "state/trial.h"

namespace fairlead::bench {
namespace {

using engine::GangPart;
using engine::RoomStep;
using state::NodeId;
using state::PodId;
using state::When;
using state::WorkloadId;

struct Runs {
  WorkloadId workload;
  std::vector<PodId> pods;
  std::vector<NodeId> nodes;  // of them, each once
  bool moves = false;         // for one who was asked for before
};
using RunsIndex = std::size_t;

// One look at everything; what is found for one who waits stands while the next is asked.
class Session {
 public:
  explicit Session(const engine::Scheduler& scheduler)
      : what_if_(scheduler), cluster_(what_if_.cluster()), trial_(cluster_) {}

  std::vector<std::string> Run() {
    std::vector<WorkloadId> waiting, running;
    for (std::uint32_t i = 0; i < cluster_.workloads().size(); ++i) {
      const WorkloadId w(i);
      const state::Workload& workload = cluster_.workloads()[w];
      if (!workload.in_use || workload.solo()) continue;
      if (workload.live > 0 && workload.preemptible) running.push_back(w);
      if (workload.live == 0 && workload.open()) waiting.push_back(w);
    }
    if (waiting.empty()) return {};
    const auto age = [&](WorkloadId w) {
      return std::pair(cluster_.workloads()[w].created, cluster_.NameOf(w));
    };
    std::ranges::sort(waiting, {}, age);
    std::ranges::sort(running, std::greater<>(), age);
    for (const WorkloadId w : running) Note(w);
    std::vector<std::string> names;
    for (const WorkloadId w : waiting) {
      for (const PodId p : MoversFor(w)) names.emplace_back(cluster_.pods().name(p));
    }
    return names;
  }

 private:
  enum class Tried : std::uint8_t { kServes, kNoRoom, kNoPlace };

  void Note(WorkloadId w) {
    Runs& runs = running_.emplace_back(Runs{.workload = w, .pods = {}, .nodes = {}});
    cluster_.ForEachPodOf(w, [&](PodId p) {
      if (!cluster_.pods()[p].live()) return;
      runs.pods.push_back(p);
      runs.nodes.push_back(cluster_.pods()[p].node);
    });
    MakeSet(runs.nodes);
  }

  std::vector<PodId> MoversFor(WorkloadId w) {
    const std::optional<engine::Group> group = what_if_.NextStep(w);
    if (!group) return {};
    const RoomStep step = engine::StepOfGang(*group);
    if (step.parts.size() != 1 || IsNoEasier(step)) return {};
    if (engine::FreeInSum(cluster_, step).MayDo()) {
      if (auto movers = Solve(step)) return *movers;
    }
    failed_.push_back(step);
    return {};
  }

  // Than one who was asked for in vain.
  bool IsNoEasier(const RoomStep& step) const {
    return std::ranges::any_of(failed_, [&](const RoomStep& failed) {
      return failed.parts.front().shape == step.parts.front().shape &&
             failed.parts.front().count() <= step.parts.front().count();
    });
  }

  std::optional<std::vector<PodId>> Solve(const RoomStep& step) {
    mark_ = trial_.Mark();
    recorded_.clear();
    for (std::int64_t pods = 1; pods <= step.parts.front().count(); ++pods) {
      if (SolveFor(step, pods)) continue;
      trial_.UndoTo(mark_);
      return std::nullopt;
    }
    for (const RunsIndex r : recorded_) running_[r].moves = true;
    return moved_;
  }

  // So many of its pods: those recorded leave, and, where they are not enough, some more. Who has
  // found his own place again is recorded no more.
  bool SolveFor(const RoomStep& step, std::int64_t pods) {
    const Tried without = Try(step, pods, recorded_);
    bool serves = without == Tried::kServes;
    std::map<NodeId, std::vector<RunsIndex>> asked;
    for (RunsIndex r = 0; r < running_.size() && !serves; ++r) {
      if (running_[r].moves || std::ranges::find(recorded_, r) != recorded_.end()) continue;
      for (const NodeId n : running_[r].nodes) asked[n].push_back(r);
      for (const NodeId n : running_[r].nodes) {
        if (without == Tried::kNoRoom && !HoldsOne(step, n, asked[n])) continue;
        std::vector<RunsIndex> leaving = recorded_;
        leaving.insert(leaving.end(), asked[n].begin(), asked[n].end());
        serves = Try(step, pods, leaving) == Tried::kServes;
        if (!serves) continue;
        recorded_ = std::move(leaving);
        break;
      }
    }
    std::erase_if(recorded_, [&](RunsIndex r) {
      return std::ranges::none_of(
          moved_, [&](PodId p) { return cluster_.pods()[p].workload == running_[r].workload; });
    });
    return serves;
  }

  // Whether the node does once they have left: what was recorded left too little.
  bool HoldsOne(const RoomStep& step, NodeId n, const std::vector<RunsIndex>& leaving) {
    trial_.UndoTo(mark_);
    Evict(leaving);
    return what_if_.placer().Fits(step.parts.front().shape, n, When::kLater);
  }

  Tried Try(const RoomStep& step, std::int64_t pods, const std::vector<RunsIndex>& leaving) {
    trial_.UndoTo(mark_);
    moved_.clear();
    Evict(leaving);
    std::vector<GangPart> parts = step.parts;
    GangPart& part = parts.front();
    const auto there = std::min(pods, static_cast<std::int64_t>(part.pods.size()));
    part.pods.resize(static_cast<std::size_t>(there));
    part.expected = pods - there;
    if (engine::PlaceGang(what_if_.placer(), cluster_, step.workload, parts, When::kLater,
                          trial_) != engine::GangVerdict::kPlaced) {
      return Tried::kNoRoom;
    }
    std::vector<RunsIndex> oldest_first = leaving;
    std::ranges::sort(oldest_first, std::greater<>());
    for (const RunsIndex r : oldest_first) {
      for (const PodId p : running_[r].pods) {
        const NodeId n = what_if_.placer().Best(cluster_.pods()[p].shape, When::kLater);
        if (!n.valid()) return Tried::kNoPlace;
        if (n == cluster_.pods()[p].node) {
          trial_.Unevict(p);
          continue;
        }
        trial_.PutExpected(running_[r].workload, cluster_.pods()[p].pod_set, n, When::kLater);
        moved_.push_back(p);
      }
    }
    return Tried::kServes;
  }

  void Evict(const std::vector<RunsIndex>& leaving) {
    for (const RunsIndex r : leaving) {
      for (const PodId p : running_[r].pods) trial_.Evict(p);
    }
  }

  const engine::WhatIf what_if_;
  state::Cluster& cluster_;
  state::Trial trial_;
  std::vector<Runs> running_;  // the latest comer first
  std::vector<RoomStep> failed_;
  // Of the one who is asked for: from where on in the trial, whose leaving serves, and who of those
  // goes elsewhere.
  std::size_t mark_ = 0;
  std::vector<RunsIndex> recorded_;
  std::vector<PodId> moved_;
};

}  // namespace

std::vector<std::string> MoversOfEverybody(const engine::Scheduler& scheduler) {
  return Session(scheduler).Run();
}

}  // namespace fairlead::bench
