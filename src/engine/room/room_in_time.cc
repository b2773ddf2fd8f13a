// When there is room: now, and at points in time after it.
//
// The state knows two moments: now, and later, when what is leaving has left (state::When). Every
// point in time beyond is the cluster as it is *later*, in a trial that has told everything to
// leave that ends by then. So whatever the engine can ask of now it can ask of any moment, limits,
// devices, ports, spreading and volumes among it, and nothing is kept for it while nobody asks.
//
// Room only grows as work ends, so that the first moment is found by halving. Work that demands
// something of other pods may lose what it needs, its company, by an end: there each end is tried.
//
// Worked: n1, n2 with 8 GPUs. On n1 a (8) ends at 10:00; on n2 b (4) ends at 12:00. G asks twice 8:
// at 10:00 n1 has room for one pod, at 12:00 n2 for the other: 12:00, when b has ended.

#include "engine/room/room_in_time.h"

#include <algorithm>

#include "policy/limits.h"
#include "state/trial.h"

namespace fairlead::engine {
namespace {

class Moments {
 public:
  Moments(Placer& placer, state::Cluster& cluster, const RoomStep& step,
          const std::vector<policy::Release>& releases)
      : placer_(placer), cluster_(cluster), step_(step), releases_(releases), trial_(cluster) {}

  // Whether there is room once so many of the releases have come.
  bool HasRoom(std::size_t came) {
    GoTo(came);
    if (policy::FirstBreach(cluster_.queues(), step_.queue, step_.request, step_.preemptible)) {
      return false;
    }
    const std::size_t mark = trial_.Mark();
    const bool placed = PlaceGang(placer_, cluster_, step_.workload, step_.parts,
                                  state::When::kLater, trial_) == GangVerdict::kPlaced;
    trial_.UndoTo(mark);
    return placed;
  }

 private:
  void GoTo(std::size_t came) {
    if (came < marks_.size()) {
      trial_.UndoTo(marks_[came]);
      marks_.resize(came);
    }
    while (marks_.size() < came) {
      const policy::Release& release = releases_[marks_.size()];
      marks_.push_back(trial_.Mark());
      for (const state::WorkloadId w : release.ended) LetGo(w);
    }
  }

  void LetGo(state::WorkloadId w) {
    const state::Workload& workload = cluster_.workloads()[w];
    if (workload.solo()) return LetGo(workload.only_pod);
    for (const state::PodSet& set : cluster_.workloads().gang(w).sets) {
      // By a copy: a claim that is given up leaves the list.
      for (const state::PodId p : std::vector<state::PodId>(set.pods)) LetGo(p);
    }
  }

  void LetGo(state::PodId p) {
    const state::Pod& pod = cluster_.pods()[p];
    if (pod.claims()) {
      trial_.Release(p);
    } else if (pod.live()) {
      trial_.Evict(p);
    }
  }

  Placer& placer_;
  state::Cluster& cluster_;
  const RoomStep& step_;
  const std::vector<policy::Release>& releases_;
  state::Trial trial_;
  std::vector<std::size_t> marks_;  // of the trial, before each release that came
};

}  // namespace

std::optional<RoomInTime> FirstRoom(Placer& placer, state::Cluster& cluster, const RoomStep& step,
                                    const std::vector<policy::Release>& releases) {
  Moments moments(placer, cluster, step, releases);
  const auto found = [&](std::size_t came) {
    return RoomInTime{.at = releases[came - 1].at, .ended = releases[came - 1].ended};
  };
  if (DependOnOthers(cluster, step.parts)) {
    for (std::size_t came = 1; came <= releases.size(); ++came) {
      if (moments.HasRoom(came)) return found(came);
    }
    return std::nullopt;
  }
  if (releases.empty()) return std::nullopt;
  std::size_t without = 0, with = 1;  // releases
  while (!moments.HasRoom(with)) {
    if (with == releases.size()) return std::nullopt;
    without = with;
    with = std::min(with * 2, releases.size());
  }
  while (with - without > 1) {
    const std::size_t middle = without + (with - without) / 2;
    (moments.HasRoom(middle) ? with : without) = middle;
  }
  return found(with);
}

}  // namespace fairlead::engine
