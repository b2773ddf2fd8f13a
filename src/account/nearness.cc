#include "account/nearness.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/wide_int.h"

namespace fairlead::account {
namespace {

using Domains = std::vector<NameId>;  // of a level, by node; kNoName: in none

Domains DomainsOf(const Ledger& ledger, const LevelRow& level) {
  Domains domains(ledger.names.size(), kNoName);
  for (const auto& [node, domain] : level.nodes) domains[node] = domain;
  return domains;
}

double Percent(std::int64_t part, std::int64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

Time EndOf(const Ledger& ledger, const Stay& stay) { return std::min(stay.end, ledger.end); }

// Stays of one workload after the other; those without a length are left out.
std::vector<const Stay*> StaysByWorkload(const Ledger& ledger) {
  std::vector<const Stay*> stays;
  for (const Stay& stay : ledger.stays) {
    if (stay.workload != kNoName && EndOf(ledger, stay) > stay.begin) stays.push_back(&stay);
  }
  std::ranges::stable_sort(stays, {}, [](const Stay* stay) { return stay->workload; });
  return stays;
}

// Counts pairs as the later of the two begins: it meets those that are there.
class PairCount {
 public:
  PairCount(const Ledger& ledger, std::span<const LevelRow> levels)
      : ledger_(ledger), nearest_(levels.size()), within_(levels.size()) {
    for (const LevelRow& level : levels) domains_.push_back(DomainsOf(ledger, level));
  }

  void Count(std::span<const Stay* const> of_workload) {
    struct Event {
      Time at;
      bool begins;
      const Stay* stay;
    };
    std::vector<Event> events;
    for (const Stay* stay : of_workload) {
      events.push_back({stay->begin, true, stay});
      events.push_back({EndOf(ledger_, *stay), false, stay});
    }
    // Who leaves then meets nobody who comes.
    std::ranges::stable_sort(events, [](const Event& a, const Event& b) {
      return std::tie(a.at, a.begins) < std::tie(b.at, b.begins);
    });
    there_ = 0;
    in_.assign(domains_.size(), {});
    whole_.assign(domains_.size(), true);
    const std::int64_t before = pairs_;
    for (const Event& event : events) {
      if (event.begins) Meet(*event.stay);
      Put(*event.stay, event.begins ? +1 : -1);
    }
    if (pairs_ == before) return;
    ++gangs_;
    for (std::size_t i = 0; i < whole_.size(); ++i) within_[i] += whole_[i] ? 1 : 0;
  }

  void WriteInto(Nearness& nearness) const {
    if (gangs_ == 0) return;
    std::int64_t near = 0;
    for (std::size_t i = 0; i < nearest_.size(); ++i) {
      nearness.levels[i].gangs_within = Percent(within_[i], gangs_);
      nearness.levels[i].nearest = Percent(nearest_[i], pairs_);
      near += nearest_[i];
    }
    nearness.apart = Percent(pairs_ - near, pairs_);
  }

 private:
  void Meet(const Stay& stay) {
    pairs_ += there_;
    std::int64_t nearer = 0;  // who shares a narrower level shares this one, too
    for (std::size_t i = domains_.size(); i-- > 0;) {
      const NameId domain = domains_[i][stay.node];
      const auto found = domain == kNoName ? in_[i].end() : in_[i].find(domain);
      const std::int64_t near = found == in_[i].end() ? 0 : found->second;
      whole_[i] = whole_[i] && near == there_;
      if (domain == kNoName) continue;
      nearest_[i] += near - nearer;
      nearer = near;
    }
  }

  void Put(const Stay& stay, std::int64_t sign) {
    there_ += sign;
    for (std::size_t i = 0; i < domains_.size(); ++i) {
      const NameId domain = domains_[i][stay.node];
      if (domain != kNoName) in_[i][domain] += sign;
    }
  }

  const Ledger& ledger_;
  std::vector<Domains> domains_;  // by level
  std::int64_t pairs_ = 0, gangs_ = 0;
  std::vector<std::int64_t> nearest_, within_;  // by level
  // Of the workload that is counted.
  std::int64_t there_ = 0;
  std::vector<boost::unordered_flat_map<NameId, std::int64_t>> in_;  // by level
  std::vector<bool> whole_;
};

// What changes for one node: how many pods have some of the resource there, and how much it offers.
struct NodeStep {
  Time at;
  NameId node = kNoName;
  std::int64_t pods = 0, offered = 0;
};

std::vector<NodeStep> StepsOf(const Ledger& ledger, std::size_t resource) {
  std::vector<NodeStep> steps;
  ledger.ForEachOffer([&](const CapacityRow& row, Time until) {
    const std::int64_t offered = ledger.Amount(row.offered, resource);
    if (offered == 0) return;
    steps.push_back({.at = std::max(row.time, ledger.start), .node = row.node, .offered = offered});
    steps.push_back({.at = until, .node = row.node, .offered = -offered});
  });
  for (const Stay& stay : ledger.stays) {
    if (ledger.Amount(stay.amounts, resource) == 0) continue;
    steps.push_back({.at = stay.begin, .node = stay.node, .pods = 1});
    steps.push_back({.at = EndOf(ledger, stay), .node = stay.node, .pods = -1});
  }
  std::ranges::stable_sort(steps, {}, &NodeStep::at);
  return steps;
}

// Integrals over time of how many domains offer anything, and how many of these nobody uses.
class FreeDomains {
 public:
  FreeDomains(const Ledger& ledger, const LevelRow& level, const std::vector<NodeStep>& steps) {
    const Domains domains = DomainsOf(ledger, level);
    Time last = ledger.start;
    for (const NodeStep& step : steps) {
      if (domains[step.node] == kNoName) continue;
      Pass(step.at - last);
      last = std::max(last, step.at);
      Take(standing_[domains[step.node]], step);
    }
    Pass(ledger.end - last);
  }

  void WriteInto(Duration whole, Nearness::OfLevel& level) const {
    if (whole <= Duration{} || offering_us_ == 0) return;
    level.free = static_cast<double>(free_us_) / static_cast<double>(whole.us);
    level.free_percent = 100.0 * static_cast<double>(free_us_) / static_cast<double>(offering_us_);
  }

 private:
  struct Standing {
    std::int64_t pods = 0, offered = 0;
    bool offers() const { return offered > 0; }
    bool is_free() const { return offers() && pods == 0; }
  };

  void Pass(Duration passed) {
    if (passed <= Duration{}) return;
    free_us_ += static_cast<WideInt>(free_) * passed.us;
    offering_us_ += static_cast<WideInt>(offering_) * passed.us;
  }
  void Take(Standing& domain, const NodeStep& step) {
    free_ -= domain.is_free() ? 1 : 0;
    offering_ -= domain.offers() ? 1 : 0;
    domain.pods += step.pods;
    domain.offered += step.offered;
    free_ += domain.is_free() ? 1 : 0;
    offering_ += domain.offers() ? 1 : 0;
  }

  boost::unordered_flat_map<NameId, Standing> standing_;
  std::int64_t free_ = 0, offering_ = 0;
  WideInt free_us_ = 0, offering_us_ = 0;
};

void AddPairs(const Ledger& ledger, const std::vector<const Stay*>& stays,
              std::span<const LevelRow> levels, Nearness& nearness) {
  PairCount pairs(ledger, levels);
  for (std::size_t from = 0, to = 0; from < stays.size(); from = to) {
    while (to < stays.size() && stays[to]->workload == stays[from]->workload) ++to;
    if (to - from > 1) pairs.Count(std::span(stays).subspan(from, to - from));
  }
  pairs.WriteInto(nearness);
}

}  // namespace

std::vector<Nearness> NearnessOf(const Ledger& ledger, std::size_t decisive) {
  std::vector<Nearness> all;
  if (ledger.levels.empty()) return all;
  const std::vector<const Stay*> stays = StaysByWorkload(ledger);
  std::vector<NodeStep> steps;
  if (decisive != std::string::npos) steps = StepsOf(ledger, decisive);
  const std::span<const LevelRow> rows = ledger.levels;
  for (std::size_t from = 0, to = 0; from < rows.size(); from = to) {
    while (to < rows.size() && rows[to].topology == rows[from].topology) ++to;
    const std::span<const LevelRow> levels = rows.subspan(from, to - from);
    Nearness& nearness = all.emplace_back();
    nearness.topology = ledger.Name(levels.front().topology);
    for (const LevelRow& level : levels) {
      Nearness::OfLevel& of = nearness.levels.emplace_back();
      of.key = ledger.Name(level.key);
      FreeDomains(ledger, level, steps).WriteInto(ledger.end - ledger.start, of);
    }
    AddPairs(ledger, stays, levels, nearness);
  }
  return all;
}

}  // namespace fairlead::account
