// Worked: 12 pods into racks with room for 8, 8, 5 and 4. Two racks are the fewest. The first must
// leave no more than the roomiest other holds: all four qualify, and 4 is the fullest; with it goes
// the fullest that holds the other 8. The rack of 5 and one of 8 stay for others.

#include "engine/place/domain_packing.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fairlead::engine {

using state::DomainId;

namespace {

constexpr std::uint64_t kMostSets = 64;

// How many sets of `taken` there are of `all`; kMostSets + 1: more than that.
std::uint64_t SetsOf(std::size_t all, std::size_t taken) {
  std::uint64_t sets = 1;
  for (std::size_t i = 1; i <= std::min(taken, all - taken) && sets <= kMostSets; ++i) {
    sets = sets * (all - i + 1) / i;
  }
  return std::min(sets, kMostSets + 1);
}

}  // namespace

std::strong_ordering operator<=>(const DomainPacking::Use& a, const DomainPacking::Use& b) {
  const auto domains = std::lexicographical_compare_three_way(a.domains.begin(), a.domains.end(),
                                                              b.domains.begin(), b.domains.end());
  return domains != 0 ? domains : a.broken <=> b.broken;
}

bool ComesBefore(const state::DomainTree& tree, DomainId a, DomainId b) {
  if (a == b) return false;
  if (tree[a].parent != tree[b].parent) return ComesBefore(tree, tree[a].parent, tree[b].parent);
  if (tree[a].named != tree[b].named) return tree[a].named;
  return tree[a].value < tree[b].value;
}

DomainPacking::DomainPacking(const state::DomainTree& tree, std::vector<Load> loads, Slices slices)
    : tree_(tree), loads_(std::move(loads)), slices_(slices) {
  if (slices_.size > 1) SumUpSlices();
}

// A domain's number is above its parent's.
void DomainPacking::SumUpSlices() {
  rooms_.assign(tree_.size(), 0);
  for (std::uint32_t i = tree_.size(); i-- > 0;) {
    const DomainId d(i);
    const std::int64_t pods = main().PodsIn(d);
    if (tree_[d].level > slices_.level) rooms_[i] = pods;
    if (tree_[d].level == slices_.level) {
      rooms_[i] = tree_[d].named ? pods / slices_.size * slices_.size : 0;
    }
    if (tree_[d].level >= 0 && tree_[d].level <= slices_.level) {
      rooms_[tree_[d].parent.value()] += rooms_[i];
    }
  }
}

// The last slice, which is short, beside whole ones that leave no room for another whole one.
bool DomainPacking::TakesShortSlice(DomainId d) const {
  const std::int64_t left = loads_.front().pods % slices_.size;
  if (tree_[d].level == slices_.level) return main().PodsIn(d) - rooms_[d.value()] >= left;
  return std::any_of(tree_[d].children.begin(), tree_[d].children.end(),
                     [this](DomainId child) { return TakesShortSlice(child); });
}

bool DomainPacking::MightHold(DomainId d) const {
  const bool bounds = std::all_of(loads_.begin(), loads_.end(), [d](const Load& load) {
    return load.rooms->PodsIn(d) >= load.pods;
  });
  if (!bounds || rooms_.empty()) return bounds;
  const std::int64_t pods = loads_.front().pods;
  if (RoomIn(d) >= pods) return true;
  return RoomIn(d) >= pods / slices_.size * slices_.size && tree_[d].level <= slices_.level &&
         TakesShortSlice(d);
}

DomainPacking::Use DomainPacking::NothingUsed() const {
  Use use;
  use.domains.resize(static_cast<std::size_t>(tree_.last_level()) + 1);
  return use;
}

DomainPacking::Use DomainPacking::Pack(DomainId d) const {
  Use use = NothingUsed();
  PackInto(d, std::min(loads_.front().pods, RoomIn(d)), use);
  return use;
}

void DomainPacking::PackInto(DomainId d, std::int64_t pods, Use& use) const {
  if (tree_[d].children.empty()) {
    use.leaves.push_back(d);
    return;
  }
  const std::vector<Child> chosen = Choose(d, pods);
  FillInto(chosen, pods, use);
}

// In their order.
void DomainPacking::FillInto(std::span<const Child> children, std::int64_t pods, Use& use) const {
  for (const Child& child : children) {
    const std::int64_t taken = std::min(pods, child.room);
    Take(child, taken, use);
    pods -= taken;
  }
}

void DomainPacking::Take(const Child& child, std::int64_t pods, Use& use) const {
  ++use.domains[static_cast<std::size_t>(tree_[child.domain].level)];
  const bool in_part = main().PodsIn(child.domain) > pods;
  if (in_part && main().IsWhollyFree(child.domain)) ++use.broken;
  PackInto(child.domain, pods, use);
}

// The children that are used, in the order in which they are filled.
std::vector<DomainPacking::Child> DomainPacking::Choose(DomainId d, std::int64_t pods) const {
  std::vector<Child> children;
  std::int64_t in_all = 0;
  bool alike = true;
  for (const DomainId child : tree_[d].children) {
    const std::int64_t room = RoomIn(child);
    if (room == 0) continue;
    children.push_back({.domain = child, .room = room});
    alike = alike && room == children.front().room;
    in_all += room;
  }
  if (in_all <= pods || children.size() <= 1) return children;
  const bool are_leaves = tree_[children.front().domain].level == tree_.last_level();
  std::size_t count = 0;
  if (alike) {
    const std::int64_t each = children.front().room;
    count = static_cast<std::size_t>((pods + each - 1) / each);
  } else {
    std::vector<std::int64_t> rooms;
    for (const Child& child : children) rooms.push_back(child.room);
    std::sort(rooms.begin(), rooms.end(), std::greater<>());
    for (std::int64_t left = pods; left > 0; left -= rooms[count++]) {
    }
  }
  if (count == children.size()) return children;
  if (!are_leaves && SetsOf(children.size(), count) <= kMostSets) {
    return BestSet(children, count, pods);
  }
  std::vector<Child> chosen = are_leaves ? FullestLeaves(std::move(children), count, pods)
                                         : BestOf(std::move(children), count, pods);
  std::sort(chosen.begin(), chosen.end(), [this](const Child& a, const Child& b) {
    return ComesBefore(tree_, a.domain, b.domain);
  });
  return chosen;
}

// Leaves have no narrower domains: what is left to tell them apart is whether the last one, which
// alone may be used in part, was wholly free.
std::vector<DomainPacking::Child> DomainPacking::FullestLeaves(std::vector<Child> children,
                                                               std::size_t count,
                                                               std::int64_t pods) const {
  std::stable_sort(children.begin(), children.end(),
                   [](const Child& a, const Child& b) { return a.room < b.room; });
  // The roomiest `n` hold in sum: of those that are left.
  std::vector<std::int64_t> roomiest(children.size() + 1, 0);
  for (std::size_t n = 1; n <= children.size(); ++n) {
    roomiest[n] = roomiest[n - 1] + children[children.size() - n].room;
  }
  std::vector<Child> chosen;
  std::size_t first = 0;  // of those that may still be chosen
  std::int64_t left = pods;
  for (std::size_t more = count; more > 0; --more) {
    const std::int64_t least = left - roomiest[more - 1];
    auto at = std::lower_bound(
        children.begin() + static_cast<std::ptrdiff_t>(first), children.end(), least,
        [](const Child& child, std::int64_t room) { return child.room < room; });
    if (more == 1) {
      const auto breaks = [&](const Child& child) {
        return child.room > left && main().IsWhollyFree(child.domain);
      };
      const auto whole = std::find_if_not(at, children.end(), breaks);
      if (whole != children.end()) at = whole;
    }
    chosen.push_back(*at);
    left -= at->room;
    first = static_cast<std::size_t>(at - children.begin()) + 1;
  }
  return chosen;
}

std::vector<DomainPacking::Child> DomainPacking::BestOf(std::vector<Child> children,
                                                        std::size_t count,
                                                        std::int64_t pods) const {
  std::vector<Child> chosen;
  std::int64_t left = pods;
  for (std::size_t more = count; more > 0; --more) {
    std::vector<std::int64_t> rooms;
    for (const Child& child : children) rooms.push_back(child.room);
    std::sort(rooms.begin(), rooms.end(), std::greater<>());
    const std::int64_t others = std::accumulate(
        rooms.begin(), rooms.begin() + static_cast<std::ptrdiff_t>(more) - 1, std::int64_t{0});
    auto best = children.end();
    Use best_use;
    for (auto at = children.begin(); at != children.end(); ++at) {
      if (at->room < left - others) continue;
      Use use = NothingUsed();
      Take(*at, std::min(at->room, left), use);
      const bool better =
          best == children.end() || use < best_use || (use == best_use && at->room < best->room);
      if (!better) continue;
      best = at;
      best_use = std::move(use);
    }
    left -= best->room;
    chosen.push_back(*best);
    children.erase(best);
  }
  return chosen;
}

// Of all sets of so many children, by name.
std::vector<DomainPacking::Child> DomainPacking::BestSet(const std::vector<Child>& children,
                                                         std::size_t count,
                                                         std::int64_t pods) const {
  std::vector<bool> is_in(children.size(), false);
  std::fill_n(is_in.begin(), count, true);
  std::vector<Child> best;
  std::int64_t best_room = 0;
  Use best_use;
  do {
    std::vector<Child> set;
    std::int64_t room = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!is_in[i]) continue;
      set.push_back(children[i]);
      room += children[i].room;
    }
    if (room < pods) continue;
    Use use = NothingUsed();
    FillInto(set, pods, use);
    const bool better = best.empty() || use < best_use || (use == best_use && room < best_room);
    if (!better) continue;
    best = std::move(set);
    best_room = room;
    best_use = std::move(use);
  } while (std::prev_permutation(is_in.begin(), is_in.end()));
  return best;
}

void DomainPacking::SortByChoice(std::vector<DomainId>& domains, std::int64_t most) const {
  struct Candidate {
    DomainId domain;
    std::int64_t takes = 0, room = 0;
    Use use;
  };
  std::vector<Candidate> candidates;
  candidates.reserve(domains.size());
  for (const DomainId d : domains) {
    const std::int64_t room = RoomIn(d);
    candidates.push_back(
        {.domain = d, .takes = std::min(room, most), .room = room, .use = Pack(d)});
    candidates.back().use.leaves = {};
  }
  std::sort(candidates.begin(), candidates.end(), [this](const Candidate& a, const Candidate& b) {
    if (a.takes != b.takes) return a.takes > b.takes;
    if (a.use != b.use) return a.use < b.use;
    if (a.room != b.room) return a.room < b.room;
    return ComesBefore(tree_, a.domain, b.domain);
  });
  for (std::size_t i = 0; i < domains.size(); ++i) domains[i] = candidates[i].domain;
}

}  // namespace fairlead::engine
