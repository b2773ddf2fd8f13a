#include "bench/moves/run.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "account/bookkeeper.h"
#include "account/fold.h"
#include "bench/days/draws.h"
#include "bench/days/table.h"
#include "bench/moves/everybody.h"
#include "bench/worlds.h"
#include "objects/key.h"
#include "objects/keys.h"
#include "virtual/cluster.h"

namespace fairlead::bench {
namespace {

[[noreturn]] void GiveUp(const std::string& what) {
  fmt::print(stderr, "a day with moves: {}\n", what);
  std::exit(1);
}

// Once at each moment, when all that happens then has: as a scheduler that looks now and then.
void HaveEverybodyMove(virtual_cluster::VirtualCluster& cluster, Time& looked) {
  const std::optional<Time> next = cluster.NextEventTime();
  if (looked == cluster.Now() || (next && *next == cluster.Now())) return;
  looked = cluster.Now();
  for (const std::string& pod : MoversOfEverybody(cluster.scheduler())) {
    const objects::KeyParts parts = objects::SplitKey(pod);
    if (const auto gone = cluster.Delete("Pod", parts.name_space, parts.name); !gone) {
      GiveUp(gone.error().message);
    }
  }
}

Time InDay(Time at) { return std::clamp(at, kNow + kDayBegin, kNow + kDayEnd); }
bool IsInDay(Time at) { return at >= kNow + kDayBegin && at < kNow + kDayEnd; }

class OfLedger {
 public:
  explicit OfLedger(const account::Ledger& ledger) : ledger_(ledger) {
    const auto at = std::ranges::find(ledger.resources, objects::kGpuResource);
    if (at == ledger.resources.end()) GiveUp("nobody has GPUs");
    gpu_ = static_cast<std::size_t>(at - ledger.resources.begin());
  }

  double GpusOf(const account::Stay& stay) const {
    return static_cast<double>(ledger_.Amount(stay.amounts, gpu_)) / 1000;
  }
  bool IsLarge(const account::WorkloadRow& row) const {
    return objects::SplitKey(ledger_.Name(row.name)).name.starts_with(kLargeName);
  }

  // Node by node: how long it has nobody who asks GPUs.
  double FreeNodes() const {
    std::map<account::NameId, std::vector<std::pair<Time, std::int64_t>>> steps;
    for (const account::CapacityRow& row : ledger_.capacity) {
      if (ledger_.Amount(row.offered, gpu_) > 0) steps[row.node];
    }
    for (const account::Stay& stay : ledger_.stays) {
      if (GpusOf(stay) == 0) continue;
      steps.at(stay.node).emplace_back(stay.begin, +1);
      steps.at(stay.node).emplace_back(stay.end, -1);
    }
    double free_us = 0;
    for (auto& [node, of_node] : steps) {
      std::ranges::sort(of_node);
      std::int64_t pods = 0;
      Time last = kNow + kDayBegin;
      for (const auto& [at, sign] : of_node) {
        if (pods == 0) free_us += static_cast<double>((InDay(at) - last).us);
        last = InDay(at);
        pods += sign;
      }
      if (pods == 0) free_us += static_cast<double>((kNow + kDayEnd - last).us);
    }
    return free_us / static_cast<double>((kDayEnd - kDayBegin).us);
  }

  double Utilisation() const {
    double used_us = 0, offered = 0;
    for (const account::Stay& stay : ledger_.stays) {
      used_us += GpusOf(stay) * static_cast<double>((InDay(stay.end) - InDay(stay.begin)).us);
    }
    for (const account::CapacityRow& row : ledger_.capacity) {
      offered += static_cast<double>(row.offered[gpu_]) / 1000;
    }
    return 100 * used_us / (offered * static_cast<double>((kDayEnd - kDayBegin).us));
  }

 private:
  const account::Ledger& ledger_;
  std::size_t gpu_ = 0;
};

}  // namespace

account::Ledger RunMoves(const MoveWorld& world, MoveRule rule) {
  account::Fold fold;
  account::Bookkeeper books(fold, kNow, account::Bookkeeper::Shares::kLeftOut);
  virtual_cluster::VirtualCluster cluster(
      {.start = kNow, .delays = {}, .end_of = nullptr, .forget_ended = true});
  cluster.AddObserver(&fold);
  const auto submitted = cluster.Submit(ObjectsOf(world, rule, kNow));
  if (!submitted) GiveUp(submitted.error().front().message);
  for (Time looked; cluster.Step();) {
    if (rule == MoveRule::kEverybody) HaveEverybodyMove(cluster, looked);
  }
  return books.Take(cluster.Now());
}

MoveFigures FiguresOf(const account::Ledger& ledger) {
  const OfLedger of(ledger);
  MoveFigures figures{.free_nodes = of.FreeNodes(), .utilisation = of.Utilisation()};
  std::vector<double> large, small;
  for (const account::WorkloadRow& row : ledger.workloads) {
    if (row.finished == Time::Max()) GiveUp(ledger.Name(row.name) + " did not finish");
    if (of.IsLarge(row) && IsInDay(row.started)) ++figures.large_started;
    if (!IsInDay(row.submitted)) continue;
    (of.IsLarge(row) ? large : small)
        .push_back(static_cast<double>((row.started - row.submitted).us) / 60e6);
  }
  figures.large_wait_mean = Mean(large);
  figures.large_wait_p95 = P95(large);
  figures.small_wait_mean = Mean(small);
  for (const account::Stay& stay : ledger.stays) {
    if (stay.how == account::StayEnd::kFinished || !IsInDay(stay.end)) continue;
    const Duration ran = stay.end - stay.begin;
    figures.lost_gpu_hours += of.GpusOf(stay) * static_cast<double>(ran.us) / 3600e6;
    ++figures.moves;
    if (ran < Duration::Seconds(kHour)) ++figures.moved_within_hour;
  }
  return figures;
}

}  // namespace fairlead::bench
