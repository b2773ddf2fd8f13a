// When there is room: now, and at points in time after it.
//
// The state knows two moments: now, and later, when what is leaving has left (state::When). Every
// point in time beyond is the cluster as it is *later*, in a trial that has told everything to
// leave that ends by then, and in which those for whom room is kept have it. So whatever the engine
// can ask of now it can ask of any moment, limits, devices, ports, spreading and volumes among it,
// and nothing is kept for it while nobody asks.
//
// Room only grows as work ends, so that the first moment is found by halving. Where room is kept
// for others it also shrinks, and work that demands something of other pods may lose what it needs,
// its company, by an end: there each moment is tried.
//
// Worked: n1, n2 with 8 GPUs. On n1 a (8) ends at 10:00; on n2 b (4) ends at 12:00. G asks twice 8:
// at 10:00 n1 has room for one pod, at 12:00 n2 for the other: 12:00, when b has ended.

#include "engine/room/room_in_time.h"

#include <algorithm>
#include <map>

#include "policy/limits.h"
#include "state/trial.h"

namespace fairlead::engine {

using state::WorkloadId;

std::vector<Booking::Seat> SeatsOf(const state::Cluster& cluster, const state::Trial& trial,
                                   std::size_t mark) {
  std::vector<Booking::Seat> seats;
  for (std::size_t i = mark; i < trial.steps().size(); ++i) {
    const state::Trial::Step& step = trial.steps()[i];
    const state::Pod& pod = cluster.pods()[step.pod];
    seats.push_back({.node = step.node,
                     .shape = pod.shape,
                     .pod_set = pod.pod_set,
                     .pod = pod.expected ? state::PodId() : step.pod});
  }
  std::stable_sort(seats.begin(), seats.end(),
                   [](const auto& a, const auto& b) { return a.node < b.node; });
  return seats;
}

namespace {

// At one moment work ends, and others begin to have what is kept for them, or have had it.
struct Moment {
  std::vector<WorkloadId> ended;
  std::vector<std::size_t> begin, end;  // of the bookings
};

class Moments {
 public:
  Moments(Placer& placer, state::Cluster& cluster, const RoomStep& step, const TimeToCome& time,
          const MayHaveThen& may)
      : placer_(placer),
        cluster_(cluster),
        step_(step),
        may_(may),
        bookings_(time.bookings),
        runs_(ToldDuration(cluster, step.workload)),
        trial_(cluster) {
    std::map<Time, Moment> moments;
    for (const policy::Release& release : time.releases) moments[release.at].ended = release.ended;
    for (std::size_t i = 0; i < bookings_.size(); ++i) {
      if (!bookings_[i].at) continue;
      moments[*bookings_[i].at].begin.push_back(i);
      if (bookings_[i].end != Time::Max()) moments[bookings_[i].end].end.push_back(i);
    }
    moments_.assign(moments.begin(), moments.end());
  }

  std::size_t size() const { return moments_.size(); }
  bool OnlyGrows() const { return bookings_.empty() && !DependOnOthers(cluster_, step_.parts); }

  // Whether there is room once so many of the moments have come.
  bool HasRoom(std::size_t came) {
    GoTo(came);
    if (policy::FirstBreach(cluster_.queues(), step_.queue, step_.request, step_.preemptible)) {
      return false;
    }
    if (may_ && !may_(step_)) return false;
    // Most moments have too little room anyhow.
    if (!bookings_.empty() && !IsPlaced()) return false;
    state::KeptBack kept(cluster_);
    KeepFor(moments_[came - 1].first, kept);
    return IsPlaced();
  }

  RoomInTime Found(std::size_t came) const {
    return {
        .at = moments_[came - 1].first, .ended = moments_[came - 1].second.ended, .seats = seats_};
  }

 private:
  bool IsPlaced() {
    const std::size_t mark = trial_.Mark();
    const bool placed = PlaceGang(placer_, cluster_, step_.workload, step_.parts,
                                  state::When::kLater, trial_) == GangVerdict::kPlaced;
    if (placed) seats_ = SeatsOf(cluster_, trial_, mark);
    trial_.UndoTo(mark);
    return placed;
  }

  void GoTo(std::size_t came) {
    if (came < marks_.size()) {
      trial_.UndoTo(marks_[came]);
      marks_.resize(came);
    }
    while (marks_.size() < came) {
      const Moment& moment = moments_[marks_.size()].second;
      marks_.push_back(trial_.Mark());
      for (const WorkloadId w : moment.ended) LetGo(cluster_, w, trial_);
      for (const std::size_t i : moment.end) LetGo(cluster_, bookings_[i].workload, trial_);
      for (const std::size_t i : moment.begin) TakeSeats(bookings_[i], trial_);
    }
  }

  // What the step must leave to those that begin after `at`, before it ends.
  void KeepFor(Time at, state::KeptBack& kept) {
    std::vector<state::NodeId> nodes;
    std::vector<bool> binds(bookings_.size(), false);
    for (std::size_t i = 0; i < bookings_.size(); ++i) {
      Booking& booking = bookings_[i];
      booking.is_counted = !booking.IsActiveAt(at);
      const bool over = booking.at && booking.end <= at;
      if (!booking.is_counted || over) continue;
      binds[i] = !booking.at || !runs_ || at + *runs_ > *booking.at;
      if (!binds[i]) continue;
      for (const state::NodeId n : booking.Nodes()) nodes.push_back(n);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const state::NodeId n : nodes) kept.Keep(n, WithheldOn(cluster_, bookings_, binds, n));
  }

  Placer& placer_;
  state::Cluster& cluster_;
  const RoomStep& step_;
  const MayHaveThen& may_;
  Bookings bookings_;
  const std::optional<Duration> runs_;
  std::vector<std::pair<Time, Moment>> moments_;
  state::Trial trial_;
  std::vector<std::size_t> marks_;  // of the trial, before each moment that came
  std::vector<Booking::Seat> seats_;
};

// The first at which there is room, where it only grows; 0: at none.
std::size_t FirstByHalving(Moments& moments) {
  std::size_t without = 0, with = 1;
  while (!moments.HasRoom(with)) {
    if (with == moments.size()) return 0;
    without = with;
    with = std::min(with * 2, moments.size());
  }
  while (with - without > 1) {
    const std::size_t middle = without + (with - without) / 2;
    (moments.HasRoom(middle) ? with : without) = middle;
  }
  return with;
}

std::size_t FirstOfEach(Moments& moments) {
  // Further ones, that are too many to try, may have room: the last has most of all ended.
  const std::size_t most = std::min(moments.size(), kMostMoments);
  for (std::size_t came = 1; came <= most; ++came) {
    if (moments.HasRoom(came)) return came;
  }
  return moments.size() > most && moments.HasRoom(moments.size()) ? moments.size() : 0;
}

}  // namespace

std::optional<RoomInTime> FirstRoom(Placer& placer, state::Cluster& cluster, const RoomStep& step,
                                    const TimeToCome& time, const MayHaveThen& may) {
  Moments moments(placer, cluster, step, time, may);
  if (moments.size() == 0) return std::nullopt;
  const std::size_t first = moments.OnlyGrows() ? FirstByHalving(moments) : FirstOfEach(moments);
  // By then it stands as it was asked last: so that its places are those of that moment.
  if (first == 0 || !moments.HasRoom(first)) return std::nullopt;
  return moments.Found(first);
}

}  // namespace fairlead::engine
