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

#include "base/halving.h"
#include "policy/limits.h"
#include "state/trial.h"

namespace fairlead::engine {

using state::WorkloadId;

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
        runs_(cluster.workloads().run_time(step.workload).least()),
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
    seats_ = SeatsFor(placer_, cluster_, step_, trial_);
    if (bookings_.empty() || seats_.empty()) return !seats_.empty();
    state::KeptBack kept(cluster_);
    KeepForLater(moments_[came - 1].first, kept);
    seats_ = SeatsFor(placer_, cluster_, step_, trial_);
    return !seats_.empty();
  }

  RoomInTime Found(std::size_t came) const {
    return {
        .at = moments_[came - 1].first, .ended = moments_[came - 1].second.ended, .seats = seats_};
  }

 private:
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
  void KeepForLater(Time at, state::KeptBack& kept) {
    std::vector<bool> binds;
    for (Booking& booking : bookings_) {
      booking.is_counted = !booking.IsActiveAt(at);
      const bool over = booking.at && booking.end <= at;
      const bool begins_before_its_end = !booking.at || !runs_ || at + *runs_ > *booking.at;
      binds.push_back(booking.is_counted && !over && begins_before_its_end);
    }
    KeepFor(cluster_, bookings_, binds, kept);
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
  const auto has_room = [&](std::size_t came) { return moments.HasRoom(came); };
  const std::size_t first =
      moments.OnlyGrows() ? FirstOf(moments.size(), has_room) : FirstOfEach(moments);
  // By then it stands as it was asked last: so that its places are those of that moment.
  if (first == 0 || !moments.HasRoom(first)) return std::nullopt;
  return moments.Found(first);
}

}  // namespace fairlead::engine
