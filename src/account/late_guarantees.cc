// A queue's headroom is what it is guaranteed, less what it has; whoever waits and asks no more
// than that is due it. Headroom changes with each row of shares, so of those that wait just the
// sizes between the old headroom and the new one are looked at.

#include "account/late_guarantees.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace fairlead::account {
namespace {

struct Waiting {
  Time from, until;
  NameId queue = kNoName;
  std::int64_t size = 0;
};

// Of workloads that others stopped, by name; in the order of their begins.
using StoppedStays = std::map<NameId, std::vector<Stay>>;

StoppedStays StaysOfStopped(const Ledger& ledger) {
  StoppedStays stays_of;
  for (const Stay& stay : ledger.stays) {
    if (stay.how == StayEnd::kEvicted) stays_of[stay.workload];
  }
  if (stays_of.empty()) return stays_of;
  ledger.ForEachByBegin([&stays_of](const Stay& stay) {
    const auto of = stays_of.find(stay.workload);
    if (of != stays_of.end()) of->second.push_back(stay);
  });
  return stays_of;
}

// From when it came until it started; and each time that others stopped it, until it ran again.
void AddWaits(const Ledger& ledger, const WorkloadRow& row, const StoppedStays& stays_of,
              std::int64_t size, std::vector<Waiting>& waits) {
  const auto add = [&](Time from, Time until) {
    if (from < until) waits.push_back({from, until, row.queue, size});
  };
  if (!row.began_before) add(row.submitted, row.started);
  const auto stays = stays_of.find(row.name);
  if (stays == stays_of.end()) return;
  Time runs_until = row.started;
  bool evicted = false;
  for (const Stay& stay : stays->second) {
    if (evicted && stay.begin > runs_until) add(runs_until, stay.begin);
    const bool goes = stay.how == StayEnd::kEvicted;
    const Time ends = std::min(goes ? stay.evicted : stay.end, ledger.end);
    if (ends < runs_until) continue;
    runs_until = ends;
    evicted = goes;
  }
  if (evicted) add(runs_until, ledger.end);
}

// In queues that are guaranteed anything: in others nothing is late.
std::vector<Waiting> WaitsOf(const Ledger& ledger, std::size_t resource,
                             const std::set<NameId>& guaranteed) {
  std::vector<Waiting> waits;
  if (guaranteed.empty()) return waits;
  const StoppedStays stays_of = StaysOfStopped(ledger);
  for (const WorkloadRow& row : ledger.workloads) {
    const std::int64_t size = ledger.Amount(row.size, resource);
    if (row.started == Time::Max() || size == 0 || !guaranteed.contains(row.queue)) continue;
    AddWaits(ledger, row, stays_of, size, waits);
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
  std::set<NameId> guaranteed;
  for (const ShareRow& row : ledger.shares) {
    if (ledger.Amount(row.guaranteed, resource) > 0) guaranteed.insert(row.queue);
  }
  const std::vector<Waiting> waits = WaitsOf(ledger, resource, guaranteed);
  std::vector<WaitEvent> events;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    events.push_back({waits[i].from, WaitEvent::What::kBegins, i});
    events.push_back({waits[i].until, WaitEvent::What::kEnds, i});
  }
  // Of one moment a queue's last row counts.
  std::map<NameId, std::size_t> last;
  for (std::size_t i = 0; i < ledger.shares.size(); ++i) {
    const ShareRow& row = ledger.shares[i];
    if (!guaranteed.contains(row.queue)) continue;
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
      headroom.Change(
          ledger.Amount(row.guaranteed, resource) - ledger.Amount(row.allocated, resource),
          event.at);
    } else if (event.what == WaitEvent::What::kBegins) {
      headroom.Begin(event.row, waits[event.row].size, event.at);
    } else {
      headroom.End(event.row, waits[event.row].size, event.at);
    }
  }
  return late;
}

}  // namespace fairlead::account
