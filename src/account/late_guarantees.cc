// A queue's headroom is what it is guaranteed, less what it has; whoever waits and asks no more
// than that is due it. Headroom changes with each row of shares, so of those that wait just the
// sizes between the old headroom and the new one are looked at.

#include "account/late_guarantees.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fairlead::account {
namespace {

struct Waiting {
  Time from, until;
  NameId queue = kNoName;
  std::int64_t size = 0;
};

using WorkloadStays = std::map<NameId, std::vector<const Stay*>>;

// From when it came until it started; and each time that others stopped it, until it ran again.
void AddWaits(const Ledger& ledger, const WorkloadRow& row, const WorkloadStays& stays_of,
              std::int64_t size, std::vector<Waiting>& waits) {
  const auto add = [&](Time from, Time until) {
    if (from < until) waits.push_back({from, until, row.queue, size});
  };
  if (!row.began_before) add(row.submitted, row.started);
  const auto of = stays_of.find(row.name);
  if (of == stays_of.end()) return;
  std::vector<const Stay*> stays = of->second;
  std::ranges::sort(stays, {}, &Stay::begin);
  Time runs_until = row.started;
  bool evicted = false;
  for (const Stay* stay : stays) {
    if (evicted && stay->begin > runs_until) add(runs_until, stay->begin);
    const bool goes = stay->how == StayEnd::kEvicted;
    const Time ends = std::min(goes ? stay->evicted : stay->end, ledger.end);
    if (ends < runs_until) continue;
    runs_until = ends;
    evicted = goes;
  }
  if (evicted) add(runs_until, ledger.end);
}

std::vector<Waiting> WaitsOf(const Ledger& ledger, std::size_t resource) {
  WorkloadStays stays_of;
  for (const Stay& stay : ledger.stays) stays_of[stay.workload].push_back(&stay);
  std::vector<Waiting> waits;
  for (const WorkloadRow& row : ledger.workloads) {
    if (row.started == Time::Max() || row.size.empty() || row.size[resource] == 0) continue;
    AddWaits(ledger, row, stays_of, row.size[resource], waits);
  }
  return waits;
}

// Of one queue, as time passes.
class Headroom {
 public:
  explicit Headroom(std::vector<Duration>& late) : late_(late) {}

  void Begin(std::size_t wait, std::int64_t size, Time now) {
    waiting_.insert({{size, wait}, size <= headroom_ ? now : kNotDue});
  }
  void End(std::size_t wait, std::int64_t size, Time now) {
    const auto at = waiting_.find({size, wait});
    Close(at->second, now);
    waiting_.erase(at);
  }
  void Change(std::int64_t headroom, Time now) {
    const auto [less, more] = std::minmax(headroom_, headroom);
    for (auto at = waiting_.upper_bound({less, kNoWait});
         at != waiting_.end() && at->first.first <= more; ++at) {
      Close(at->second, now);
      at->second = headroom > headroom_ ? now : kNotDue;
    }
    headroom_ = headroom;
  }

 private:
  static constexpr Time kNotDue = Time::Max();
  static constexpr std::size_t kNoWait = static_cast<std::size_t>(-1);
  void Close(Time since, Time now) {
    if (since != kNotDue && now > since) late_.push_back(now - since);
  }

  std::vector<Duration>& late_;
  std::int64_t headroom_ = 0;
  std::map<std::pair<std::int64_t, std::size_t>, Time> waiting_;  // since when it is due
};

// At one moment: who starts is no longer late, then guarantees and what is had change, then others
// begin to wait.
struct WaitEvent {
  enum class What : std::uint8_t { kEnds, kChanges, kBegins };
  Time at;
  What what = What::kEnds;
  std::size_t row = 0;  // of the waits, or of the shares

  std::pair<Time, What> order() const { return {at, what}; }
};

}  // namespace

std::vector<Duration> LateGuarantees(const Ledger& ledger, std::size_t resource) {
  const std::vector<Waiting> waits = WaitsOf(ledger, resource);
  std::vector<WaitEvent> events;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    events.push_back({waits[i].from, WaitEvent::What::kBegins, i});
    events.push_back({waits[i].until, WaitEvent::What::kEnds, i});
  }
  // Of one moment a queue's last row counts.
  std::map<NameId, std::size_t> last;
  for (std::size_t i = 0; i < ledger.shares.size(); ++i) {
    const ShareRow& row = ledger.shares[i];
    const auto [known, first] = last.try_emplace(row.queue, events.size());
    if (!first && events[known->second].at == row.time) {
      events[known->second].row = i;
      continue;
    }
    known->second = events.size();
    events.push_back({row.time, WaitEvent::What::kChanges, i});
  }
  std::ranges::stable_sort(events, {}, &WaitEvent::order);
  std::vector<Duration> late;
  std::map<NameId, Headroom> queues;
  for (const WaitEvent& event : events) {
    const bool changes = event.what == WaitEvent::What::kChanges;
    const NameId queue = changes ? ledger.shares[event.row].queue : waits[event.row].queue;
    Headroom& headroom = queues.try_emplace(queue, late).first->second;
    if (changes) {
      const ShareRow& row = ledger.shares[event.row];
      headroom.Change(row.guaranteed[resource] - row.allocated[resource], event.at);
    } else if (event.what == WaitEvent::What::kBegins) {
      headroom.Begin(event.row, waits[event.row].size, event.at);
    } else {
      headroom.End(event.row, waits[event.row].size, event.at);
    }
  }
  return late;
}

}  // namespace fairlead::account
