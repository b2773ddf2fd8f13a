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
#include <span>

#include "base/check.h"
#include "base/halving.h"
#include "base/sorted_set.h"
#include "engine/place/topology_gang.h"
#include "engine/room/free_in_sum.h"
#include "policy/limits.h"
#include "policy/placement.h"
#include "state/trial.h"

namespace fairlead::engine {

using state::WorkloadId;

namespace {

// Others begin to have what is kept for them, or have had it.
struct Turn {
  std::vector<std::size_t> begin, end;  // of the bookings
};

// At one moment work ends, and others begin or are over.
struct Moment {
  Time at;
  std::size_t ended_before = 0, ended = 0;  // so many of the ends had come, and have by then
  const Turn* turn = nullptr;
};

// All moments before `until`, in order. Those at which only work ends are not gone through: which
// of all is the i-th is found from where the few others stand among them.
class Timeline {
 public:
  explicit Timeline(const TimeToCome& time) : ends_(time.ends) {
    for (std::size_t i = 0; i < time.bookings.size(); ++i) {
      const Booking& booking = time.bookings[i];
      if (!booking.at) continue;
      turns_[*booking.at].begin.push_back(i);
      if (booking.end != Time::Max()) turns_[booking.end].end.push_back(i);
    }
    for (std::size_t i = 0; i < time.windows.size(); ++i) {
      if (time.windows[i].until && time.now < *time.windows[i].until)
        turns_[*time.windows[i].until];
    }
    if (time.followed != nullptr && time.until == Time::Max()) {
      groups_ = &time.followed->ends.groups();
    } else {
      ends_ = {ends_.begin(), std::ranges::lower_bound(ends_, time.until, {}, &policy::End::at)};
      own_ = policy::GroupsOf(ends_);
      groups_ = &own_;
    }
    for (const auto& [at, turn] : turns_) {
      const std::size_t group = GroupsBefore(at);
      if (group < groups_->size() && AtOf(group) == at) continue;
      alone_.push_back({at, group + alone_.size()});
    }
    const std::size_t all = groups_->size() + alone_.size();
    size_ = time.until == Time::Max() ? all : CameBefore(time.until);
    ends_early_ = size_ < all || ends_.size() < time.ends.size();
  }

  std::size_t size() const { return size_; }
  bool ends_early() const { return ends_early_; }

  // REQUIRES: i < size().
  Moment operator[](std::size_t i) const {
    const auto next = std::ranges::lower_bound(alone_, i, {}, &Alone::place);
    const std::size_t group = i - static_cast<std::size_t>(next - alone_.begin());
    Moment moment;
    if (next != alone_.end() && next->place == i) {
      moment.at = next->at;
      moment.ended_before = moment.ended = EndOf(group);
    } else {
      moment.at = AtOf(group);
      moment.ended_before = EndOf(group);
      moment.ended = EndOf(group + 1);
    }
    const auto turn = turns_.find(moment.at);
    if (turn != turns_.end()) moment.turn = &turn->second;
    return moment;
  }

  std::size_t CameBefore(Time t) const {
    const auto alone = std::ranges::lower_bound(alone_, t, {}, &Alone::at);
    return GroupsBefore(t) + static_cast<std::size_t>(alone - alone_.begin());
  }

  const std::map<Time, Turn>& turns() const { return turns_; }

 private:
  // A moment at which nobody ends, and which of all it is.
  struct Alone {
    Time at;
    std::size_t place = 0;
  };
  Time AtOf(std::size_t group) const { return ends_[(*groups_)[group]].at; }
  // How many ends come before the group.
  std::size_t EndOf(std::size_t group) const {
    return group < groups_->size() ? (*groups_)[group] : ends_.size();
  }
  std::size_t GroupsBefore(Time t) const {
    const auto first = std::ranges::lower_bound(*groups_, t, {},
                                                [this](std::size_t end) { return ends_[end].at; });
    return static_cast<std::size_t>(first - groups_->begin());
  }

  std::span<const policy::End> ends_;  // before `until`
  std::vector<std::size_t> own_;
  const std::vector<std::size_t>* groups_ = nullptr;
  std::map<Time, Turn> turns_;
  std::vector<Alone> alone_;
  std::size_t size_ = 0;
  bool ends_early_ = false;
};

class Moments {
 public:
  Moments(Placer& placer, state::Cluster& cluster, const RoomStep& step, const TimeToCome& time,
          const MayHaveThen& may)
      : placer_(placer),
        cluster_(cluster),
        step_(step),
        may_(may),
        time_(time),
        bookings_(time.bookings),
        windows_(time.windows),
        runs_(cluster.workloads().run_time(step.workload).limit),
        moments_(time),
        trial_(cluster) {}

  std::size_t size() const { return moments_.size(); }
  bool ends_early() const { return moments_.ends_early(); }  // others come behind them
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

  // From now on nobody is let go but on nodes that may hold some of the step. Returns after how
  // many moments these may hold all of it; beyond the last: after none. REQUIRES: MayBeNarrow, and
  // nothing has been asked.
  std::size_t Narrow();

  // Whether there is room once so many of the moments have come.
  bool HasRoom(std::size_t came) {
    if (narrow_) return HasRoomOnFew(came);
    if (may_have_room_.empty()) LookAtSums();
    if (!may_have_room_[came - 1]) return RefuseByMore();
    GoTo(came);
    if (RightsRefuse()) return false;
    const Time at = moments_[came - 1].at;
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

  // Whether more than what single nodes hold was in the way of any moment so far: a limit, whoever
  // asks, or what is free in sum. That counts those who have begun by then as if they took it from
  // what is free, while some may still be in their places.
  bool more_refused() const { return more_refused_; }

  RoomInTime Found(std::size_t came) const {
    const Moment moment = moments_[came - 1];
    RoomInTime found{.at = moment.at, .ended = {}, .seats = seats_};
    for (std::size_t i = moment.ended_before; i < moment.ended; ++i) {
      found.ended.push_back(time_.ends[i].workload);
    }
    return found;
  }

 private:
  // One who is let go, of a node that may hold some of the step.
  struct Leaves {
    std::size_t moment = 0;
    state::PodId pod;
    auto operator<=>(const Leaves&) const = default;
  };

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
    for (std::size_t m = 0; m < moments_.size(); ++m) {
      const Moment moment = moments_[m];
      for (std::size_t i = moment.ended_before; i < moment.ended; ++i) {
        cluster_.ForEachPodOf(time_.ends[i].workload, [&](state::PodId p) {
          free.Add(cluster_.shapes()[cluster_.pods()[p].shape].request, 1);
        });
      }
      if (moment.turn != nullptr) {
        for (const std::size_t i : moment.turn->end) of_seats(i, 1);
        for (const std::size_t i : moment.turn->begin) of_seats(i, -1);
      }
      may_have_room_.push_back(free.MayDo());
    }
  }

  std::size_t CameBefore(Time t) const { return std::min(moments_.CameBefore(t), size()); }

  // So many of the stops come when so many of the moments have.
  std::size_t StopsBefore(std::size_t came) const {
    if (!narrow_) return came;
    return static_cast<std::size_t>(std::ranges::lower_bound(stops_, came) - stops_.begin());
  }

  void GoTo(std::size_t came) {
    const std::size_t stops = StopsBefore(came);
    if (stops < marks_.size()) {
      trial_.UndoTo(marks_[stops]);
      marks_.resize(stops);
    }
    while (marks_.size() < stops) {
      const std::size_t now = narrow_ ? stops_[marks_.size()] : marks_.size();
      const Moment moment = moments_[now];
      marks_.push_back(trial_.Mark());
      if (narrow_) {
        const auto of_now = std::ranges::equal_range(leaving_, now, {}, &Leaves::moment);
        for (const Leaves& leaves : of_now) LetPodGo(cluster_, leaves.pod, trial_);
      } else {
        for (std::size_t i = moment.ended_before; i < moment.ended; ++i) {
          LetGo(cluster_, time_.ends[i].workload, trial_);
        }
      }
      if (moment.turn == nullptr) continue;
      for (const std::size_t i : moment.turn->end) LetGo(cluster_, bookings_[i].workload, trial_);
      for (const std::size_t i : moment.turn->begin) TakeSeats(bookings_[i], trial_);
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

  bool RefuseByMore() {
    more_refused_ = true;
    return false;
  }
  // A limit, or whoever asks, as the state stands at the moment.
  bool RightsRefuse() {
    const bool refuse = policy::FirstBreach(cluster_, step_.workload, step_.request).has_value() ||
                        (may_ && !may_(step_));
    more_refused_ |= refuse;
    return refuse;
  }

  bool MayHaveRoomAt(std::size_t came) const;
  bool HasRoomOnFew(std::size_t came);
  void CountElsewhere(std::size_t came, state::KeptBack& counted) const;

  Placer& placer_;
  state::Cluster& cluster_;
  const RoomStep& step_;
  const MayHaveThen& may_;
  const TimeToCome& time_;
  Bookings bookings_;
  const policy::Windows& windows_;
  const std::optional<Duration> runs_;  // at most: others rely on that
  const Timeline moments_;
  std::vector<bool> may_have_room_;  // by moment
  state::Trial trial_;
  std::vector<std::size_t> marks_;  // of the trial, before each stop that came
  std::vector<Booking::Seat> seats_;
  bool more_refused_ = false;
  bool narrow_ = false;
  std::vector<state::NodeId> few_;  // narrow: the nodes that are looked at, sorted
  std::optional<FreeInSum> free_now_;
  std::vector<Leaves> leaving_;     // and who leaves them, in order
  std::vector<std::size_t> stops_;  // and at which moments anything happens there
};

// On few nodes -----------------------------------------------------------------------------------
//
// A node on which no pod of the step may stand at any moment, whoever has left by then, need not be
// emptied to see that. What remains are the nodes that may hold one, each from some moment on: they
// alone are emptied, as far as that moment has come. There every node looks just as if all others
// had left, too; and what those have given back to the step's queue is added up beside it.

std::size_t Moments::Narrow() {
  narrow_ = true;
  const state::ShapeId shape = step_.parts.front().shape;
  const std::int64_t asked = PodsOf(step_);
  const std::vector<TakenOn> taken =
      TakenBefore(cluster_, step_, time_.bookings, time_.now, time_.until);
  NodesInTime& nodes = time_.followed->nodes;
  using SeatedFrom = std::pair<state::NodeId, Time>;
  std::vector<SeatedFrom> seated_from;
  for (const Booking& booking : bookings_) {
    if (!booking.at) continue;
    for (const Booking::Seat& seat : booking.seats) {
      seated_from.emplace_back(seat.node, *booking.at);
    }
  }
  std::sort(seated_from.begin(), seated_from.end());
  std::int64_t most = 0;
  std::size_t all_after = moments_.size() + 1;
  for (const auto& [first, n] : time_.followed->Before(shape, time_.until)) {
    const std::int64_t here = nodes.MostOn(shape, n, time_.until, taken);
    // One that holds some now would be taken for free, if what is kept there were not seen.
    if (here == 0 && first > time_.now) continue;
    few_.push_back(n);
    most += std::min(here, asked);
    if (most >= asked) all_after = std::min(all_after, CameBefore(first) + 1);
    // Nobody looks at it before, or takes a seat there.
    const auto seated = std::ranges::lower_bound(seated_from, n, {}, &SeatedFrom::first);
    const bool is_seated = seated != seated_from.end() && seated->first == n;
    const Time from = is_seated ? std::min(first, seated->second) : first;
    for (const state::PodId p : cluster_.nodes().pods(n)) {
      const state::WorkloadId w = cluster_.pods()[p].workload;
      if (!w.valid()) continue;
      const Time told = time_.followed->ends.ToldEndOf(w);
      const std::size_t moment = CameBefore(std::max(told, from));
      if (told != Time::Max() && moment < moments_.size()) leaving_.push_back({moment, p});
    }
  }
  // As long as nobody has left.
  if (all_after <= moments_.size()) {
    for (const state::QueueId q : {step_.queue, state::QueueId()}) {
      (void)time_.followed->sums.Of(q, time_.ends, moments_[size() - 1].ended);
    }
    free_now_.emplace(cluster_, step_);
  }
  std::sort(leaving_.begin(), leaving_.end());
  std::sort(few_.begin(), few_.end());
  for (const Leaves& leaves : leaving_) stops_.push_back(leaves.moment);
  for (const auto& [at, turn] : moments_.turns()) {
    if (CameBefore(at) < size()) stops_.push_back(CameBefore(at));
  }
  MakeSet(stops_);
  for (Booking& booking : bookings_) {
    std::erase_if(booking.seats, [this](const Booking::Seat& seat) {
      return !std::ranges::binary_search(few_, seat.node);
    });
  }
  return all_after;
}

// What the step's queue has less since others have ended, and more since others have begun, all of
// whom are where nobody looks.
void Moments::CountElsewhere(std::size_t came, state::KeptBack& counted) const {
  const Moment moment = moments_[came - 1];
  state::Amounts more;
  state::AddTo(more, time_.followed->sums.Of(step_.queue, time_.ends, moment.ended), -1);
  for (const state::Trial::Step& done : trial_.steps()) {
    const bool left =
        done.act == state::Trial::Act::kEvict || done.act == state::Trial::Act::kRelease;
    const state::Pod& pod = cluster_.pods()[done.pod];
    const state::Workload& workload = cluster_.workloads()[pod.workload];
    // Those for whom room is kept have not started.
    if (!left || !workload.started() || workload.queue != step_.queue) continue;
    state::AddTo(more, cluster_.shapes()[pod.shape].request, +1);
  }
  for (const Booking& booking : time_.bookings) {
    if (booking.queue != step_.queue || !booking.IsActiveAt(moment.at)) continue;
    for (const Booking::Seat& seat : booking.seats) {
      if (std::ranges::binary_search(few_, seat.node)) continue;
      state::AddTo(more, cluster_.shapes()[seat.shape].request, +1);
    }
  }
  counted.Allocate(step_.queue, more);
}

// As LookAtSums says of one moment.
bool Moments::MayHaveRoomAt(std::size_t came) const {
  const Moment moment = moments_[came - 1];
  FreeInSum free = *free_now_;
  free.Add(time_.followed->sums.Of(state::QueueId(), time_.ends, moment.ended), 1);
  for (const Booking& booking : time_.bookings) {
    if (!booking.at) continue;
    const std::int64_t times =
        (booking.end <= moment.at ? 1 : 0) - (*booking.at <= moment.at ? 1 : 0);
    if (times == 0) continue;
    for (const Booking::Seat& seat : booking.seats) {
      free.Add(cluster_.shapes()[seat.shape].request, times);
    }
  }
  return free.MayDo();
}

bool Moments::HasRoomOnFew(std::size_t came) {
  if (!MayHaveRoomAt(came)) return RefuseByMore();
  GoTo(came);
  {
    state::KeptBack counted(cluster_);
    CountElsewhere(came, counted);
    if (RightsRefuse()) return false;
  }
  state::KeptBack kept(cluster_);
  KeepForLater(moments_[came - 1].at, kept);
  seats_ = SeatsFor(placer_, cluster_, step_, trial_);
  return !seats_.empty();
}

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

// As by halving, from the first moment on at which there may be any, which often is the one.
std::size_t FirstOnFew(Moments& moments, std::size_t from) {
  const auto has_room = [&](std::size_t came) { return moments.HasRoom(came); };
  std::size_t before = 0;
  for (const std::size_t last : moments.BeforeItShrinks()) {
    const std::size_t first = std::max(before + 1, from);
    before = last;
    if (first > last) continue;
    if (moments.HasRoom(first)) return first;
    if (first < last && moments.HasRoom(last)) return Halve(first, last, has_room);
  }
  return 0;
}

std::optional<RoomInTime> FirstRoomOf(Moments& moments, bool narrow) {
  const std::size_t first = narrow                  ? FirstOnFew(moments, moments.Narrow())
                            : moments.GrowsByEnds() ? FirstByHalving(moments)
                                                    : FirstOfEach(moments);
  // By then it stands as it was asked last: so that its places are those of that moment.
  if (first == 0 || !moments.HasRoom(first)) return std::nullopt;
  return moments.Found(first);
}

// Whether the answer is the same when it looks at such nodes alone: the step's pods are of one
// shape that demands nothing but room, all that is told of ends is ahead, and of limits and shares
// only those of its own queue count.
bool MayBeNarrow(Placer& placer, const state::Cluster& cluster, const RoomStep& step,
                 const TimeToCome& time) {
  if (time.followed == nullptr || time.followed->ends.any_overrun() || time.windows.any() ||
      step.parts.empty() || !AreOfOneShape(step.parts) || placer.classes().reach() != nullptr ||
      AsksTopology(cluster, step.workload)) {
    return false;
  }
  const state::Shape& shape = cluster.shapes()[step.parts.front().shape];
  const bool plain = AsksRoomAlone(shape) && !HavePreferences(cluster, step.parts) &&
                     policy::ChoiceFor(cluster, shape) != objects::NodeChoice::kRandom;
  const state::Workload& workload = cluster.workloads()[step.workload];
  const state::QueueTree& queues = cluster.queues();
  if (!plain || workload.accounts.valid() || !workload.preemptible) return false;
  if (queues.idle().kept()) return false;
  for (state::QueueId q = queues[step.queue].parent; q.valid(); q = queues[q].parent) {
    if (q == state::QueueTree::Root()) continue;
    for (const state::Amount& a : step.request) {
      if (queues.Get(q, state::Figure::kLimit, a.resource) < state::kUnlimited) return false;
    }
  }
  return true;
}

// Most find their room as soon as the first nodes may hold it, and what comes later need not be
// known for that: it is asked about those, and where others are in the way there, about twice as
// many, and so on.
std::optional<RoomInTime> FirstRoomOnFew(Placer& placer, state::Cluster& cluster,
                                         const RoomStep& step, const TimeToCome& time,
                                         const MayHaveThen& may, bool& more_refused) {
  const auto before = [&](Time until) {
    TimeToCome sooner = time;
    sooner.until = until;
    Moments moments(placer, cluster, step, sooner, may);
    std::optional<RoomInTime> room = FirstRoomOf(moments, true);
    more_refused |= moments.more_refused();
    return room;
  };
  NodesInTime& nodes = time.followed->nodes;
  const state::ShapeId shape = step.parts.front().shape;
  const std::span<const NodesInTime::From> all = time.followed->Before(shape, time.until);
  const std::int64_t asked = PodsOf(step);
  std::size_t count = 0;
  for (std::int64_t most = 0; count < all.size() && most < asked; ++count) {
    most += std::min(asked, nodes.MostOn(shape, all[count].second, time.until));
  }
  for (; count > 0 && count < all.size() && !time.ends.empty(); count *= 2) {
    // As nobody leaves before the first end.
    const Time last = std::max(all[count - 1].first, time.ends.front().at);
    if (last >= time.until) break;
    if (std::optional<RoomInTime> found = before(last + Duration{1})) return found;
  }
  return before(time.until);
}

// Fewer have been let go before it is known which of them matter.
constexpr std::size_t kManyEnds = 256;

}  // namespace

std::span<const NodesInTime::From> Followed::Before(state::ShapeId s, Time until) const {
  if (only == nullptr) return nodes.Before(s, until);
  return {only->begin(), std::ranges::lower_bound(*only, until, {}, &NodesInTime::From::first)};
}

state::Amounts EndedSums::Of(state::QueueId q, const std::vector<policy::End>& ends,
                             std::size_t count) {
  Sums& sums = of_[q];
  const std::size_t stride = cluster_.nodes().stride();
  if (sums.rows.empty()) {
    sums.stride = stride;
    sums.rows.assign(stride, 0);
  }
  while (sums.rows.size() < (count + 1) * stride) {
    const std::size_t at = sums.rows.size();
    const state::WorkloadId w = ends[at / stride - 1].workload;
    sums.rows.resize(at + stride);
    std::copy_n(sums.rows.begin() + static_cast<std::ptrdiff_t>(at - stride), stride,
                sums.rows.begin() + static_cast<std::ptrdiff_t>(at));
    if (q.valid() && cluster_.workloads()[w].queue != q) continue;
    cluster_.ForEachPodOf(w, [&](state::PodId p) {
      const state::Pod& pod = cluster_.pods()[p];
      if (q.valid() && !pod.claims() && !(pod.live() && cluster_.nodes().exists(pod.node))) return;
      for (const state::Amount& a : cluster_.shapes()[pod.shape].request) {
        sums.rows[at + a.resource.value()] += a.amount;
      }
    });
  }
  state::Amounts given;
  for (std::size_t r = 0; r < stride; ++r) {
    const std::int64_t amount = sums.rows[count * stride + r];
    if (amount != 0) given.push_back({state::ResourceId(r), amount});
  }
  return given;
}

std::optional<RoomInTime> FirstRoom(Placer& placer, state::Cluster& cluster, const RoomStep& step,
                                    const TimeToCome& time, const MayHaveThen& may,
                                    bool* by_nodes) {
  bool more_refused = false;
  const auto first = [&](bool narrow) {
    if (narrow) return FirstRoomOnFew(placer, cluster, step, time, may, more_refused);
    Moments moments(placer, cluster, step, time, may);
    std::optional<RoomInTime> room = FirstRoomOf(moments, false);
    more_refused |= moments.more_refused();
    return room;
  };
  const bool may_be_narrow = MayBeNarrow(placer, cluster, step, time);
  const bool narrow = may_be_narrow && time.ends.size() >= kManyEnds;
  std::optional<RoomInTime> room = first(narrow);
  if (by_nodes != nullptr) *by_nodes = may_be_narrow && !more_refused;
  DCHECK(!may_be_narrow || room == first(!narrow));
  return room;
}

}  // namespace fairlead::engine
