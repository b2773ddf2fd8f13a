// A worked example. At 10:00 on a node of 8 GPUs: a (4) runs since 9:00 and has a limit of 3 h; b
// (4) runs since 9:30, and five such as it ran 40m, 50m, 1h, 1h10m and 4h. g asks 8.
//
//   a ends at 12:00. b has run 30m: all five are possible ends, 4h the only one beyond 12:00. Of 20
//   draws some four say 13:30, the others 12:00: at 12:00, from 12:00 until 13:30, by history.

#include "host/expected_starts.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/digest.h"
#include "base/on_threads.h"
#include "base/random.h"
#include "drive/observer.h"
#include "history/past_durations.h"
#include "history/workload_tracker.h"
#include "host/offline_cluster.h"
#include "objects/key.h"
#include "policy/run_time.h"
#include "virtual/run.h"
#include "virtual/world.h"

namespace fairlead::host {
namespace {

using Basis = ExpectedStart::Basis;
using state::WorkloadId;

constexpr Duration kAtMost = Duration::Seconds(std::int64_t{365} * 24 * 3600);
constexpr std::size_t kMostUnknown = 5;
constexpr int kAlike = 2;
// Of all runs at once: each has a copy of its own, some 8 kB an object.
constexpr std::size_t kMostObjects = 100'000;

using StartTimes = std::map<std::string, Time, std::less<>>;

// The first decisions that place something of each of these workloads.
class StartWatcher : public drive::Observer {
 public:
  explicit StartWatcher(const std::map<std::string, ExpectedStart>& wanted) : wanted_(wanted) {}
  void OnEvent(const drive::Event& event) override {
    if (event.type != drive::EventType::kBind || starts_.contains(event.workload)) return;
    std::string workload(event.workload);
    if (wanted_.contains(workload)) starts_.emplace(std::move(workload), event.time);
  }
  bool KnowsAll() const { return starts_.size() == wanted_.size(); }
  StartTimes Take() { return std::move(starts_); }

 private:
  const std::map<std::string, ExpectedStart>& wanted_;
  StartTimes starts_;
};

// What made pods, as histories have it.
using Makers = std::map<std::string, std::string, std::less<>>;

// What is known of ends by which it starts, in one run.
class Grounds {
 public:
  void Add(Time end, Basis basis) {
    Time& first = first_[static_cast<std::size_t>(basis)];
    first = std::min(first, end);
  }
  void AddUnknown(const std::string& workload) { unknown_.insert(workload); }

  // What a start at that time rests on.
  Basis BasisAt(Time start) const {
    for (const Basis basis : {Basis::kHistory, Basis::kExpected}) {
      if (first_[static_cast<std::size_t>(basis)] <= start) return basis;
    }
    return Basis::kLimits;
  }
  bool used_history() const {
    return first_[static_cast<std::size_t>(Basis::kHistory)] != Time::Max();
  }
  const std::set<std::string>& unknown() const { return unknown_; }

 private:
  std::array<Time, 3> first_{Time::Max(), Time::Max(), Time::Max()};  // end of each basis
  std::set<std::string> unknown_;
};

// When pods end that do not say it themselves, in one run.
class Ends {
 public:
  Ends(const state::Cluster& before, const Makers& makers, Time now, const PastDurations& past,
       std::uint64_t draw)
      : cluster_(&before), makers_(makers), now_(now), past_(past), draw_(draw) {}

  // From now on the run's own engine knows its pods.
  void Follow(const virtual_cluster::VirtualCluster& run) {
    run_ = &run;
    cluster_ = &run.scheduler().cluster();
  }

  std::optional<Time> Of(std::string_view pod) {
    const state::PodId p = cluster_->pods().Find(pod);
    if (!p.valid() || cluster_->pods()[p].foreign) return std::nullopt;
    const WorkloadId w = cluster_->pods()[p].workload;
    if (!cluster_->workloads()[w].started()) return std::nullopt;
    if (const std::optional<Duration> drawn = Drawn(w, pod)) {
      return Note(cluster_->workloads()[w].start + *drawn, Basis::kHistory);
    }
    const auto end = policy::ExpectedEnd(*cluster_, w, now_);
    if (!end) {
      grounds_.AddUnknown(std::string(cluster_->NameOf(w)));
      return std::nullopt;
    }
    const state::RunTime& run_time = cluster_->workloads().run_time(w);
    const bool expected = run_time.expected && run_time.least() == run_time.expected;
    return Note(*end, expected ? Basis::kExpected : Basis::kLimits);
  }

  Grounds TakeGrounds() { return std::move(grounds_); }

 private:
  Time Note(Time end, Basis basis) {
    grounds_.Add(end, basis);
    return end;
  }

  // The workload's name, or what made the pod that is one; of those that the run makes it knows.
  std::string WorkOf(WorkloadId w, std::string_view pod) const {
    if (!cluster_->workloads()[w].solo()) return std::string(cluster_->NameOf(w));
    if (const auto maker = makers_.find(pod); maker != makers_.end()) return maker->second;
    const auto [name_space, name] = objects::SplitKey(pod);
    const objects::Object* object = run_ == nullptr ? nullptr : run_->Find("Pod", name_space, name);
    const std::string maker =
        object == nullptr ? std::string() : history::MakerOf(objects::MetaOf(*object));
    return maker.empty() ? std::string(pod) : maker;
  }

  // Of those that ran for longer than it has: one of this draw, within its limit. Such work comes
  // in batches that are alike: a draw in which each runs as any of hundreds did says that all run
  // as long as the mean, and twenty of them say the same. So a draw has few for all of a kind.
  std::optional<Duration> Drawn(WorkloadId w, std::string_view pod) {
    if (!past_) return std::nullopt;
    const state::Workload& workload = cluster_->workloads()[w];
    const std::string_view name = cluster_->NameOf(w);
    const std::string& queue = cluster_->queues()[workload.queue].name;
    const std::string work = WorkOf(w, pod);
    const std::vector<Duration>* known = past_(queue, work);
    if (known == nullptr) return std::nullopt;
    const Duration age = now_ - workload.start;
    const auto longer = std::ranges::upper_bound(*known, age);
    const auto count = static_cast<std::uint64_t>(known->end() - longer);
    if (count == 0) return std::nullopt;  // it runs longer than any of them
    Random of_kind(SeedOf(history::PastDurations::StemOf(work), queue));
    std::vector<Duration> few;
    for (int i = 0; i < kAlike; ++i) {
      const Duration one = (*known)[of_kind.Below(known->size())];
      if (one > age) few.push_back(one);
    }
    Random own(SeedOf(name, ""));
    const Duration drawn = few.empty() ? longer[static_cast<std::ptrdiff_t>(own.Below(count))]
                                       : few[own.Below(few.size())];
    const std::optional<Duration> limit = cluster_->workloads().run_time(w).limit;
    return limit ? std::min(drawn, *limit) : drawn;
  }

  std::uint64_t SeedOf(std::string_view first, std::string_view second) const {
    Digest seed;
    seed.Add(first);
    seed.Add(second);
    seed.Add(draw_);
    return seed.value();
  }

  const state::Cluster* cluster_;
  const virtual_cluster::VirtualCluster* run_ = nullptr;
  const Makers& makers_;
  const Time now_;
  const PastDurations& past_;
  const std::uint64_t draw_;
  Grounds grounds_;
};

StartTimes PlayForward(const std::vector<objects::Object>& objects,
                       virtual_cluster::Options options,
                       const std::map<std::string, ExpectedStart>& wanted, Ends& ends) {
  std::vector<objects::Object> there = objects;
  for (objects::Object& object : there) {
    virtual_cluster::DropLabel(objects::MetaOf(object).annotations, virtual_cluster::kArrivesAt);
  }
  options.end_of = [&ends](std::string_view pod) { return ends.Of(pod); };
  StartWatcher watcher(wanted);
  int instants = 0;
  const Time until = options.start + kAtMost;
  (void)virtual_cluster::Run(
      std::move(there),
      {.options = std::move(options),
       .until = until,
       .observers = {&watcher},
       .on_submitted = [&ends](const virtual_cluster::VirtualCluster& cluster,
                               const auto& /*submitted*/) { ends.Follow(cluster); },
       .on_instant =
           [&](const virtual_cluster::VirtualCluster&) {
             return ++instants < kForecastSteps && !watcher.KnowsAll();
           }});
  return watcher.Take();
}

Makers MakersIn(const std::vector<objects::Object>& objects) {
  Makers makers;
  for (const objects::Object& object : objects) {
    if (!std::holds_alternative<objects::Pod>(object)) continue;
    std::string maker = history::MakerOf(objects::MetaOf(object));
    if (!maker.empty()) makers.emplace(objects::MetaOf(object).Key(), std::move(maker));
  }
  return makers;
}

struct Played {
  StartTimes starts;
  Grounds grounds;
};

// By draw; one, where another says the same.
std::vector<Played> PlayDraws(const std::vector<objects::Object>& objects,
                              const virtual_cluster::Options& options, const ForecastDraws& draws,
                              const state::Cluster& before,
                              const std::map<std::string, ExpectedStart>& wanted) {
  const Makers makers = MakersIn(objects);
  const auto play = [&](std::size_t draw) {
    Ends ends(before, makers, options.start, draws.from, draw);
    StartTimes starts = PlayForward(objects, options, wanted, ends);
    return Played{.starts = std::move(starts), .grounds = ends.TakeGrounds()};
  };
  std::vector<Played> all(1, play(0));
  if (!all.front().grounds.used_history()) return all;
  all.resize(kForecastDraws);
  const std::size_t threads = std::min(draws.threads, 1 + kMostObjects / (objects.size() + 1));
  OnThreads(threads, all.size() - 1, [&](std::size_t i) { all[i + 1] = play(i + 1); });
  return all;
}

// For simulations: then that is what the start rests on.
bool SaysItsRun(const objects::Object& object) {
  const objects::Labels& annotations = objects::MetaOf(object).annotations;
  return objects::FindLabel(annotations, virtual_cluster::kRunDuration) != nullptr;
}

bool Waits(const state::Cluster& cluster, WorkloadId w) {
  const state::Workload& workload = cluster.workloads()[w];
  if (!workload.in_use || workload.started()) return false;
  bool waits = false;
  cluster.ForEachPodOf(w, [&](state::PodId p) { waits |= !cluster.pods()[p].placed(); });
  return waits || !workload.solo();
}

std::vector<std::string> PendingIn(const state::Cluster& cluster, std::string_view only) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < cluster.workloads().size(); ++i) {
    const WorkloadId w(i);
    if (!Waits(cluster, w)) continue;
    if (only.empty() || cluster.NameOf(w) == only) names.emplace_back(cluster.NameOf(w));
  }
  return names;
}

}  // namespace

std::string_view ToString(ExpectedStart::Basis basis) {
  constexpr std::string_view kNames[] = {"Limits", "Expected", "History"};
  return kNames[static_cast<std::size_t>(basis)];
}

std::map<std::string, ExpectedStart> ExpectedStarts(const std::vector<objects::Object>& objects,
                                                    const virtual_cluster::Options& options,
                                                    const ForecastDraws& draws,
                                                    std::string_view only) {
  const Basis least = std::ranges::any_of(objects, SaysItsRun) ? Basis::kExpected : Basis::kLimits;
  OfflineCluster before(objects, options.start);
  const state::Cluster& cluster = before.Settled().cluster();
  std::map<std::string, ExpectedStart> expected;
  for (const std::string& name : PendingIn(cluster, only)) expected[name];
  if (expected.empty()) return expected;

  std::map<std::string, std::vector<Time>> drawn;
  for (const auto& [starts, grounds] : PlayDraws(objects, options, draws, cluster, expected)) {
    for (auto& [name, start] : expected) {
      const auto found = starts.find(name);
      if (found != starts.end()) {
        drawn[name].push_back(found->second);
        start.basis = std::max({start.basis, least, grounds.BasisAt(found->second)});
      } else if (start.unknown.empty()) {
        start.unknown.assign(grounds.unknown().begin(), grounds.unknown().end());
        start.unknown.resize(std::min(start.unknown.size(), kMostUnknown));
      }
    }
  }
  for (auto& [name, times] : drawn) {
    ExpectedStart& start = expected[name];
    std::ranges::sort(times);
    start.at = times[(times.size() - 1) / 2];
    start.unknown.clear();
    if (times.size() < 3) continue;
    start.from = times[1];
    start.until = times[times.size() - 2];
  }
  return expected;
}

boost::json::object ToJson(const ExpectedStart& start) {
  boost::json::object object;
  if (!start.at) {
    object["unknown"] = boost::json::array(start.unknown.begin(), start.unknown.end());
    return object;
  }
  object["at"] = FormatTime(*start.at);
  if (start.from) object["from"] = FormatTime(*start.from);
  if (start.until) object["until"] = FormatTime(*start.until);
  object["basis"] = ToString(start.basis);
  return object;
}

}  // namespace fairlead::host
