// When there is room: now, and at points in time after it.
//
// The state knows two moments: now, and later, when what is leaving has left (state::When). Every
// point in time beyond is the cluster as it is *later*, in a trial that has told everything to
// leave that ends by then, and in which those for whom room is kept have it. So whatever the engine
// can ask of now it can ask of any moment, limits, devices, ports, spreading and volumes among it,
// and nothing is kept for it while nobody asks.
//
// Room only grows as work ends, so that the first moment is found by halving. It shrinks where
// those begin for whom room is kept, and where the step would begin to outlast what leads up to
// that: from one such moment to the next it grows again, and the last of them says whether any has
// room. Work that demands something of other pods may lose what it needs, its company, by an end:
// there each moment is tried.
//
// Worked: n1, n2 with 8 GPUs. On n1 a (8) ends at 10:00; on n2 b (4) ends at 12:00. G asks twice 8:
// at 10:00 n1 has room for one pod, at 12:00 n2 for the other: 12:00, when b has ended.

#include "engine/room/room_in_time.h"

#include <algorithm>
#include <map>

#include "base/halving.h"
#include "base/sorted_set.h"
#include "base/wide_int.h"
#include "policy/limits.h"
#include "state/trial.h"

namespace fairlead::engine {

using state::WorkloadId;

namespace {

// At one moment work ends, and others begin to have what is kept for them, or have had it.
struct Moment {
  const policy::Release* release = nullptr;
  std::vector<std::size_t> begin, end;  // of the bookings
};

// What is free of a resource on all nodes together, of those that the step asks.
class FreeInSum {
 public:
  FreeInSum(const state::Cluster& cluster, const RoomStep& step) : step_(step) {
    const state::NodeTable& nodes = cluster.nodes();
    free_.assign(step.request.size(), 0);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      const std::int64_t* later = nodes.later(state::NodeId(i));
      for (std::size_t r = 0; r < free_.size(); ++r) {
        free_[r] += std::max<std::int64_t>(0, later[step.request[r].resource.value()]);
      }
    }
  }

  void Add(const state::Amounts& amounts, std::int64_t times) {
    for (std::size_t r = 0; r < free_.size(); ++r) {
      free_[r] += times * state::AmountOf(amounts, step_.request[r].resource);
    }
  }

  // Whether it may be enough for the step: what is there in sum may be too scattered.
  bool MayDo() const {
    for (std::size_t r = 0; r < free_.size(); ++r) {
      if (free_[r] < step_.request[r].amount) return false;
    }
    return true;
  }

 private:
  const RoomStep& step_;
  std::vector<WideInt> free_;  // by the step's resources
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
        windows_(time.windows),
        runs_(cluster.workloads().run_time(step.workload).least()),
        trial_(cluster) {
    std::map<Time, Moment> moments;
    for (const policy::Release& release : time.releases) moments[release.at].release = &release;
    for (std::size_t i = 0; i < bookings_.size(); ++i) {
      if (!bookings_[i].at) continue;
      moments[*bookings_[i].at].begin.push_back(i);
      if (bookings_[i].end != Time::Max()) moments[bookings_[i].end].end.push_back(i);
    }
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      if (windows_[i].until && time.now < *windows_[i].until) moments[*windows_[i].until];
    }
    ends_early_ = moments.lower_bound(time.until) != moments.end();
    moments_.assign(moments.begin(), moments.lower_bound(time.until));
    LookAtSums();
  }

  std::size_t size() const { return moments_.size(); }
  bool ends_early() const { return ends_early_; }  // others come behind them
  bool GrowsByEnds() const { return !DependOnOthers(cluster_, step_.parts); }

  // How many have come before room shrinks, each time, and in the end: ascending.
  std::vector<std::size_t> BeforeItShrinks() const {
    std::vector<std::size_t> came = {moments_.size()};
    for (const Booking& booking : bookings_) {
      if (!booking.at) continue;
      came.push_back(CameBefore(*booking.at));
      // Who starts by then has ended when that begins.
      if (runs_) came.push_back(CameBefore(*booking.at + (Duration{1} - *runs_)));
    }
    for (const Time closes : windows_.ClosingTimes(limit())) came.push_back(CameBefore(closes));
    MakeSet(came);
    return came;
  }

  // Whether there is room once so many of the moments have come.
  bool HasRoom(std::size_t came) {
    if (!may_have_room_[came - 1]) return false;
    GoTo(came);
    if (policy::FirstBreach(cluster_, step_.workload, step_.request)) {
      return false;
    }
    if (may_ && !may_(step_)) return false;
    const Time at = moments_[came - 1].first;
    state::KeptBack closed(cluster_);
    windows_.Close(windows_.ClosedTo({.queue = step_.queue, .at = at, .limit = limit()}), closed);
    // Most moments have too little room anyhow.
    seats_ = SeatsFor(placer_, cluster_, step_, trial_);
    if (bookings_.empty() || seats_.empty()) return !seats_.empty();
    state::KeptBack kept(cluster_);
    KeepForLater(at, kept);
    seats_ = SeatsFor(placer_, cluster_, step_, trial_);
    return !seats_.empty();
  }

  RoomInTime Found(std::size_t came) const {
    const auto& [at, moment] = moments_[came - 1];
    return {.at = at,
            .ended = moment.release != nullptr ? moment.release->ended : std::vector<WorkloadId>(),
            .seats = seats_};
  }

 private:
  std::optional<Duration> limit() const {
    return cluster_.workloads().run_time(step_.workload).limit;
  }

  void LookAtSums() {
    FreeInSum free(cluster_, step_);
    const auto of_seats = [&](std::size_t booking, std::int64_t times) {
      for (const Booking::Seat& seat : bookings_[booking].seats) {
        free.Add(cluster_.shapes()[seat.shape].request, times);
      }
    };
    for (const auto& [at, moment] : moments_) {
      if (moment.release != nullptr) free.Add(moment.release->freed, 1);
      for (const std::size_t i : moment.end) of_seats(i, 1);
      for (const std::size_t i : moment.begin) of_seats(i, -1);
      may_have_room_.push_back(free.MayDo());
    }
  }

  std::size_t CameBefore(Time t) const {
    const auto first = std::ranges::lower_bound(moments_, t, {}, &std::pair<Time, Moment>::first);
    return static_cast<std::size_t>(first - moments_.begin());
  }

  void GoTo(std::size_t came) {
    if (came < marks_.size()) {
      trial_.UndoTo(marks_[came]);
      marks_.resize(came);
    }
    while (marks_.size() < came) {
      const Moment& moment = moments_[marks_.size()].second;
      marks_.push_back(trial_.Mark());
      if (moment.release != nullptr) {
        for (const WorkloadId w : moment.release->ended) LetGo(cluster_, w, trial_);
      }
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
  const policy::Windows& windows_;
  const std::optional<Duration> runs_;
  std::vector<std::pair<Time, Moment>> moments_;
  bool ends_early_ = false;
  std::vector<bool> may_have_room_;  // by moment
  state::Trial trial_;
  std::vector<std::size_t> marks_;  // of the trial, before each moment that came
  std::vector<Booking::Seat> seats_;
};

std::size_t FirstByHalving(Moments& moments) {
  const auto has_room = [&](std::size_t came) { return moments.HasRoom(came); };
  std::size_t before = 0;
  for (const std::size_t last : moments.BeforeItShrinks()) {
    if (last == before) continue;
    if (moments.HasRoom(last)) return Halve(before, last, has_room);
    before = last;
  }
  return 0;
}

std::size_t FirstOfEach(Moments& moments) {
  // Further ones, that are too many to try, may have room: the last has most of all ended.
  const std::size_t most = std::min(moments.size(), kMostMoments);
  for (std::size_t came = 1; came <= most; ++came) {
    if (moments.HasRoom(came)) return came;
  }
  const bool last = moments.size() > most && !moments.ends_early();
  return last && moments.HasRoom(moments.size()) ? moments.size() : 0;
}

}  // namespace

std::optional<RoomInTime> FirstRoom(Placer& placer, state::Cluster& cluster, const RoomStep& step,
                                    const TimeToCome& time, const MayHaveThen& may) {
  Moments moments(placer, cluster, step, time, may);
  const std::size_t first = moments.GrowsByEnds() ? FirstByHalving(moments) : FirstOfEach(moments);
  // By then it stands as it was asked last: so that its places are those of that moment.
  if (first == 0 || !moments.HasRoom(first)) return std::nullopt;
  return moments.Found(first);
}

}  // namespace fairlead::engine
