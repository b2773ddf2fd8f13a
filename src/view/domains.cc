#include "view/domains.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/did_you_mean.h"
#include "objects/topology.h"
#include "state/shapes.h"

namespace fairlead::view {
namespace {

// Levels ---------------------------------------------------------------------------------------

// The label keys that nodes carry, sorted.
std::vector<std::string> KeysOfNodes(const Tables& tables) {
  std::vector<std::string> keys;
  tables.nodes.ForEachUsed([&](const NodeRow& row) {
    for (const auto& [key, value] : *row.labels) {
      const auto at = std::ranges::lower_bound(keys, key);
      if (at == keys.end() || *at != key) keys.insert(at, key);
    }
  });
  return keys;
}

// The narrowest level above single nodes.
std::optional<DomainLevel> NarrowestOf(const Topology& topology) {
  for (std::size_t i = topology.levels.size(); i > 0; --i) {
    if (topology.levels[i - 1] == state::kHostnameLabel) continue;
    return DomainLevel{.topology = topology.name, .levels = topology.levels, .level = i - 1};
  }
  return std::nullopt;
}

// Finds the level that somebody names; REQUIRES: Find is asked once.
class LevelSearch {
 public:
  LevelSearch(const View& view, std::string_view by, std::string_view topology)
      : by_(by), topology_(topology), keys_(KeysOfNodes(*view.tables)) {
    for (const Topology& each : *view.topologies) {
      const bool is_there =
          !each.of_labels || std::ranges::any_of(each.levels, [&](const std::string& key) {
            return std::ranges::binary_search(keys_, key);
          });
      if (is_there) there_.push_back(&each);
    }
  }

  Result<DomainLevel> Find() {
    if (!topology_.empty() && !KeepNamed()) return Fail(NoTopology());
    if (by_.empty()) return FindNarrowest();
    for (const bool of_labels : {false, true}) {
      Result<std::optional<DomainLevel>> found = FindAmong(of_labels);
      if (!found) return tl::unexpected(found.error());
      if (*found) return std::move(**found);
    }
    if (topology_.empty() && std::ranges::binary_search(keys_, by_)) {
      return DomainLevel{.topology = {}, .levels = {std::string(by_)}, .level = 0};
    }
    return Fail(NoLevel());
  }

 private:
  bool KeepNamed() {
    names_.clear();
    for (const Topology* each : there_) names_.push_back(each->name);
    std::erase_if(there_, [&](const Topology* each) { return each->name != topology_; });
    return !there_.empty();
  }

  Result<DomainLevel> FindNarrowest() const {
    if (there_.size() != 1) return Fail("found no level, expected the name of one");
    const auto narrowest = NarrowestOf(*there_.front());
    if (!narrowest) return Fail(fmt::format("Topology {} is of single nodes alone", topology_));
    return *narrowest;
  }

  // Nothing: none of these has it.
  Result<std::optional<DomainLevel>> FindAmong(bool of_labels) const {
    std::vector<DomainLevel> found;
    for (const Topology* each : there_) {
      if (each->of_labels != of_labels) continue;
      const std::vector<std::size_t> named = objects::LevelsNamed(each->levels, by_);
      if (named.size() > 1) {
        return Fail(objects::AmbiguousLevel(each->name, each->levels, by_));
      }
      if (named.empty()) continue;
      found.push_back({.topology = each->name, .levels = each->levels, .level = named.front()});
    }
    if (found.empty()) return std::nullopt;
    const auto differs = [&](const DomainLevel& other) {
      const auto keys = [](const DomainLevel& of) {
        return std::vector(of.levels.begin(),
                           of.levels.begin() + static_cast<std::ptrdiff_t>(of.level) + 1);
      };
      return keys(other) != keys(found.front());
    };
    if (std::ranges::none_of(found, differs)) return found.front();
    std::vector<std::string> each;
    for (const DomainLevel& one : found) {
      each.push_back(fmt::format("{} ({})", one.topology, one.levels[one.level]));
    }
    return Fail(fmt::format("{} is a level of several Topologies: {}; --topology says of which",
                            by_, fmt::join(each, ", ")));
  }

  std::string NoTopology() const {
    return fmt::format("Topology {} is not there{}{}{}", topology_,
                       names_.empty() ? ", nor any other" : "; there are ", fmt::join(names_, ", "),
                       DidYouMean(topology_, names_));
  }

  std::string NoLevel() const {
    std::vector<std::string> names, lists;
    for (const Topology* each : there_) {
      const std::vector<std::string> own = objects::NamesOfLevels(each->levels);
      names.insert(names.end(), own.begin(), own.end());
      lists.push_back(fmt::format("{} ({})", each->name, fmt::join(each->levels, ", ")));
    }
    if (!topology_.empty()) {
      return objects::NoSuchLevel(topology_, there_.front()->levels, by_);
    }
    names.insert(names.end(), keys_.begin(), keys_.end());
    return fmt::format("no Topology has the level {}, and no node the label; {}{}{}", by_,
                       lists.empty() ? "no Topology is there" : "there are ",
                       fmt::join(lists, ", "), DidYouMean(by_, names));
  }

  std::string_view by_, topology_;
  std::vector<std::string> keys_;
  std::vector<const Topology*> there_;
  std::vector<std::string> names_;  // of those that were there before one was chosen
};

// Sums -----------------------------------------------------------------------------------------

// A node and its labels' values down to the level; null: it lacks one.
struct Placed {
  std::vector<const std::string*> values;
  std::uint32_t node = kNone;

  bool outside() const { return values.back() == nullptr; }
};

// By path, those without a value behind; nodes of one domain by their rows.
bool StandsBefore(const Placed& a, const Placed& b) {
  if (a.outside() != b.outside()) return b.outside();
  if (a.outside()) return a.node < b.node;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const std::string *x = a.values[i], *y = b.values[i];
    if (x == nullptr || y == nullptr) {
      if (x != y) return y == nullptr;
    } else if (*x != *y) {
      return *x < *y;
    }
  }
  return a.node < b.node;
}

bool SameDomain(const Placed& a, const Placed& b) {
  if (a.outside() || b.outside()) return a.outside() && b.outside();
  return std::ranges::equal(a.values, b.values, [](const std::string* x, const std::string* y) {
    return x == y || (x != nullptr && y != nullptr && *x == *y);
  });
}

class DomainSums {
 public:
  DomainSums(const View& view, const DomainLevel& level)
      : tables_(*view.tables), columns_(tables_.resources->size()) {
    FindBusyNodes();
    SumNodes(level);
    CountGuests();
  }

  std::vector<DomainRow> Take() { return std::move(rows_); }

 private:
  static bool IsThere(const PodRow& pod) {
    return pod.node != kNone && pod.state != PodState::kClaiming;
  }

  void FindBusyNodes() {
    busy_.resize(tables_.nodes.size() * columns_);
    tables_.pods.ForEachUsed([&](const PodRow& pod) {
      if (!IsThere(pod) || pod.foreign() || pod.request == nullptr) return;
      for (std::size_t c = 0; c < columns_; ++c) {
        if (AmountAt(*pod.request, c) > 0) busy_[pod.node * columns_ + c] = true;
      }
    });
  }

  std::vector<Placed> PlacedNodes(const DomainLevel& level) const {
    std::vector<Placed> all;
    for (std::uint32_t n = 0; n < tables_.nodes.size(); ++n) {
      const NodeRow& node = tables_.nodes[n];
      if (!node.in_use()) continue;
      Placed& placed = all.emplace_back();
      placed.node = n;
      for (std::size_t i = 0; i <= level.level; ++i) {
        placed.values.push_back(objects::FindLabel(*node.labels, level.levels[i]));
      }
    }
    std::sort(all.begin(), all.end(), StandsBefore);
    return all;
  }

  void SumNodes(const DomainLevel& level) {
    domain_of_.assign(tables_.nodes.size(), kNone);
    const Placed* before = nullptr;
    const std::vector<Placed> all = PlacedNodes(level);
    for (const Placed& placed : all) {
      if (before == nullptr || !SameDomain(*before, placed)) rows_.push_back(NewRow(placed));
      before = &placed;
      domain_of_[placed.node] = static_cast<std::uint32_t>(rows_.size() - 1);
      Add(placed.node, rows_.back());
    }
  }

  DomainRow NewRow(const Placed& placed) const {
    DomainRow row;
    for (AmountRow* amounts : {&row.allocatable, &row.allocated, &row.free, &row.free_nodes,
                               &row.part_nodes, &row.full_nodes}) {
      amounts->resize(columns_);
    }
    if (placed.outside()) return row;
    for (const std::string* value : placed.values) row.path.push_back(value ? *value : "-");
    return row;
  }

  void Add(std::uint32_t n, DomainRow& row) const {
    const NodeRow& node = tables_.nodes[n];
    const bool ready = node.state == NodeState::kReady;
    ++row.nodes;
    row.ready += ready ? 1 : 0;
    for (std::size_t c = 0; c < columns_; ++c) {
      const std::int64_t all = AmountAt(*node.allocatable, c), used = AmountAt(*node.allocated, c);
      row.allocatable[c] += all;
      row.allocated[c] += used;
      if (!ready || all == 0) continue;
      if (used >= all) {
        ++row.full_nodes[c];
        continue;
      }
      row.free[c] += all - used;
      ++(busy_[n * columns_ + c] ? row.part_nodes : row.free_nodes)[c];
    }
  }

  void CountGuests() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stays;  // domain, workload
    tables_.pods.ForEachUsed([&](const PodRow& pod) {
      if (!IsThere(pod) || pod.workload_row == kNone || domain_of_[pod.node] == kNone) return;
      stays.emplace_back(domain_of_[pod.node], pod.workload_row);
    });
    std::sort(stays.begin(), stays.end());
    for (std::size_t i = 0; i < stays.size(); ++i) {
      std::vector<DomainRow::Guest>& guests = rows_[stays[i].first].guests;
      if (i == 0 || stays[i] != stays[i - 1]) guests.push_back({.workload = stays[i].second});
      ++guests.back().pods;
    }
    const auto first = [&](const DomainRow::Guest& a, const DomainRow::Guest& b) {
      if (a.pods != b.pods) return a.pods > b.pods;
      return *tables_.workloads[a.workload].name < *tables_.workloads[b.workload].name;
    };
    for (DomainRow& row : rows_) std::sort(row.guests.begin(), row.guests.end(), first);
  }

  const Tables& tables_;
  const std::size_t columns_;
  std::vector<bool> busy_;                // by node and column: a pod of ours there asks it
  std::vector<std::uint32_t> domain_of_;  // by node: of rows_
  std::vector<DomainRow> rows_;
};

}  // namespace

Result<DomainLevel> FindDomainLevel(const View& view, std::string_view by,
                                    std::string_view topology) {
  return LevelSearch(view, by, topology).Find();
}

std::vector<DomainLevel> DomainLevelsShown(const View& view) {
  std::vector<DomainLevel> shown;
  for (const Topology& topology : *view.topologies) {
    if (topology.of_labels && !topology.asked_for) continue;
    if (auto narrowest = NarrowestOf(topology)) shown.push_back(std::move(*narrowest));
  }
  return shown;
}

std::vector<DomainRow> DomainsOf(const View& view, const DomainLevel& level) {
  return DomainSums(view, level).Take();
}

}  // namespace fairlead::view
