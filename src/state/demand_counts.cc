#include "state/demand_counts.h"

#include <algorithm>

#include "base/check.h"

namespace fairlead::state {

const DemandCounts::Count* DemandCounts::Find(TermId term, DomainId d) const {
  const auto at = counts_.find(KeyOf(term, d));
  return at == counts_.end() ? nullptr : &at->second;
}

std::int32_t DemandCounts::Against(TermId term, DomainId d, When when) const {
  const Count* count = Find(term, d);
  if (count == nullptr) return 0;
  return count->staying + count->coming + (when == When::kNow ? count->leaving : 0);
}

std::int32_t DemandCounts::InFavour(TermId term, DomainId d, When when) const {
  const Count* count = Find(term, d);
  return count == nullptr ? 0 : count->InFavour(when);
}

std::int32_t DemandCounts::InFavourAnywhere(TermId term, When when) const {
  const auto at = anywhere_.find(term.value());
  return at == anywhere_.end() ? 0 : at->second.InFavour(when);
}

std::int32_t DemandCounts::Matches(TermId term, DomainId d) const {
  const Count* count = Find(term, d);
  return count == nullptr ? 0 : count->staying + count->coming;
}

std::int32_t DemandCounts::Least(TermId term) const {
  DCHECK(terms_.KindOf(term) == TermKind::kSpread);
  const auto at = levels_.find(term.value());
  if (at == levels_.end()) return 0;
  std::int32_t held = 0;
  for (const auto& [level, domains] : at->second) held += domains;
  return held < columns_.CountOf(terms_.ColumnOf(term)) ? 0 : at->second.begin()->first;
}

std::span<const NodeId> DemandCounts::HoldersOf(TermId term) const {
  DCHECK(terms_.KindOf(term) == TermKind::kOnePodClaim);
  const auto at = holders_.find(term.value());
  return at == holders_.end() ? std::span<const NodeId>() : at->second;
}

void DemandCounts::MoveHolder(TermId term, NodeId n, std::int32_t times) {
  const auto at = holders_.try_emplace(term.value()).first;
  std::vector<NodeId>& nodes = at->second;
  if (times > 0) {
    nodes.push_back(n);
  } else {
    nodes.erase(std::find(nodes.begin(), nodes.end(), n));
  }
  if (nodes.empty()) holders_.erase(at);
}

void DemandCounts::NoteColumn(ColumnId c) {
  ++version_;
  versions_.resize(terms_.size(), 1);
  for (std::uint32_t term = 0; term < terms_.size(); ++term) {
    if (terms_.ColumnOf(TermId(term)) == c) versions_[term] = version_;
  }
}

void DemandCounts::Change(Count& count, Stay stay, bool favoured, std::int32_t times) {
  std::int32_t& of = stay == Stay::kLeaves  ? count.leaving
                     : stay == Stay::kComes ? count.coming
                                            : count.staying;
  of += times;
  if (stay == Stay::kComes && favoured) count.favoured += times;
  DCHECK(of >= 0 && count.favoured >= 0);
}

void DemandCounts::MoveLevel(TermId term, std::int32_t from, std::int32_t to) {
  if (from == to) return;
  const auto at = levels_.try_emplace(term.value()).first;
  Levels& levels = at->second;
  if (from > 0 && --levels[from] == 0) levels.erase(from);
  if (to > 0) ++levels[to];
  if (levels.empty()) levels_.erase(at);
}

void DemandCounts::Add(const std::vector<TermId>& terms, NodeId n, Stay stay, bool favoured,
                       std::int32_t times) {
  ++version_;
  for (const TermId term : terms) {
    const DomainId d = columns_.Of(terms_.ColumnOf(term), n);
    if (!d.valid()) continue;
    if (versions_.size() <= term.value()) versions_.resize(terms_.size(), 1);
    versions_[term.value()] = version_;
    const auto at = counts_.try_emplace(KeyOf(term, d)).first;
    Count& count = at->second;
    const std::int32_t level = count.staying + count.favoured;
    Change(count, stay, favoured, times);
    if (terms_.KindOf(term) == TermKind::kSpread) {
      MoveLevel(term, level, count.staying + count.favoured);
    } else if (terms_.KindOf(term) == TermKind::kAttracts) {
      const auto all = anywhere_.try_emplace(term.value()).first;
      Change(all->second, stay, favoured, times);
      if (all->second == Count{}) anywhere_.erase(all);
    } else if (terms_.KindOf(term) == TermKind::kOnePodClaim) {
      MoveHolder(term, n, times);
    }
    if (count == Count{}) counts_.erase(at);
  }
}

bool DemandCounts::Same(const DemandCounts& other) const {
  return counts_ == other.counts_ && anywhere_ == other.anywhere_ && levels_ == other.levels_;
}

void DemandCounts::Clear() {
  counts_.clear();
  anywhere_.clear();
  levels_.clear();
  holders_.clear();
}

}  // namespace fairlead::state
