#include "intake/join/demands.h"

#include <utility>

#include "base/sorted_set.h"
#include "objects/key.h"

namespace fairlead::intake {

using objects::DemandRow;
using objects::DemandRowPtr;
using objects::JoinedDemands;

namespace {

constexpr std::size_t kMostKnown = 65536;
constexpr std::size_t kFewSets = 64;

using Constraints = std::vector<objects::SpreadConstraint>;

// Nodes that count for a spread (objects::DemandRow::Scope). `beside`: those of the pod that are to
// be kept, or that are preferred, as it is.
std::shared_ptr<const DemandRow::Scope> ScopeOf(const objects::PodNeeds& needs,
                                                const Constraints& beside,
                                                const objects::SpreadConstraint& constraint) {
  DemandRow::Scope scope;
  for (const objects::SpreadConstraint& each : beside) scope.keys.push_back(each.topology_key);
  MakeSet(scope.keys);
  if (constraint.honors_affinity) {
    scope.node_selector = needs.node_selector;
    scope.required_terms = needs.required_terms;
    scope.has_required_terms = needs.has_required_terms;
  }
  scope.honors_taints = constraint.honors_taints;
  if (constraint.honors_taints) scope.tolerations = needs.tolerations;
  return std::make_shared<const DemandRow::Scope>(std::move(scope));
}

std::vector<objects::PodTerm> TermsOf(const objects::SpreadConstraint& constraint) {
  return {{.topology_key = constraint.topology_key,
           .selector = constraint.selector,
           .selects_nothing = constraint.selects_nothing,
           .name_spaces = {},
           .name_space_selector = std::nullopt}};
}

template <typename Drop>
void ForEachRow(const JoinedDemands& carried, Drop drop) {
  for (const DemandRowPtr& row : carried.repelled_by) drop(row);
  for (const DemandRowPtr& row : carried.attracted_by) drop(row);
  for (const JoinedDemands::Spread& each : carried.spread) drop(each.row);
  for (const JoinedDemands::Preferred& each : carried.preferred) drop(each.row);
  for (const DemandRowPtr& row : carried.preferred_spread) drop(row);
}

}  // namespace

// What is carried -------------------------------------------------------------------------------

JoinedDemands Demands::RowsOf(const objects::PodNeeds& needs, std::string_view name_space) {
  const objects::RareNeeds& rare = *needs.rare;
  JoinedDemands joined;
  for (const objects::PodTerm& term : rare.anti_affinity) {
    joined.repelled_by.push_back(
        selections_.Take(DemandRow::Kind::kRepel, {term}, name_space, term.topology_key, nullptr));
  }
  std::vector<std::string> keys;
  for (const objects::PodTerm& term : rare.affinity) keys.push_back(term.topology_key);
  MakeSet(keys);
  for (const std::string& key : keys) {
    joined.attracted_by.push_back(
        selections_.Take(DemandRow::Kind::kAttract, rare.affinity, name_space, key, nullptr));
  }
  const auto of_spread = [&](const Constraints& all, const objects::SpreadConstraint& constraint) {
    return selections_.Take(DemandRow::Kind::kSpread, TermsOf(constraint), name_space,
                            constraint.topology_key, ScopeOf(needs, all, constraint));
  };
  for (const objects::SpreadConstraint& constraint : rare.spread) {
    joined.spread.push_back({.row = of_spread(rare.spread, constraint),
                             .max_skew = constraint.max_skew,
                             .min_domains = constraint.min_domains});
  }
  const objects::Preferences& preferences = rare.preferences;
  const auto prefer = [&](const objects::Preferences::OfPods& each, std::int32_t weight) {
    joined.preferred.push_back(
        {.row = selections_.Take(DemandRow::Kind::kAttract, {each.term}, name_space,
                                 each.term.topology_key, nullptr),
         .weight = weight});
  };
  for (const objects::Preferences::OfPods& each : preferences.affinity) prefer(each, each.weight);
  for (const auto& each : preferences.anti_affinity) prefer(each, -each.weight);
  for (const objects::SpreadConstraint& constraint : preferences.spread) {
    joined.preferred_spread.push_back(of_spread(preferences.spread, constraint));
  }
  return joined;
}

DemandsId Demands::TakeOwn(const state::NeedsPtr& needs, std::string_view name_space) {
  if (needs == nullptr || !needs->rare->demands_of_others()) return {};
  const auto [at, added] =
      by_needs_.try_emplace({needs.get(), std::string(name_space)}, DemandsId());
  if (added) {
    if (unused_.empty()) {
      unused_.emplace_back(own_.size());
      own_.emplace_back();
    }
    at->second = unused_.back();
    unused_.pop_back();
    own_[at->second.value()] = {.needs = needs,
                                .name_space = std::string(name_space),
                                .joined = RowsOf(*needs, name_space)};
  }
  ++own_[at->second.value()].carriers;
  return at->second;
}

void Demands::DropOwn(DemandsId id) {
  if (!id.valid()) return;
  Own& own = own_[id.value()];
  if (--own.carriers > 0) return;
  ForEachRow(own.joined, [this](const DemandRowPtr& row) { selections_.Drop(row); });
  by_needs_.erase({own.needs.get(), own.name_space});
  own = {};
  unused_.push_back(id);
  known_.clear();  // its number may be another's
}

void Demands::Count(PodId id) {
  PodRow& row = tables_.pods[id];
  const bool carries = row.needs->rare->demands_of_others() &&
                       (row.facts.state != state::PodState::kFinished || row.facts.rare->refusal);
  if (!carries && !row.demands.valid()) return;
  // Taken before the old is dropped, so that what both have stays.
  const DemandsId fresh =
      carries ? TakeOwn(row.needs, objects::SplitKey(row.name).name_space) : DemandsId();
  DropOwn(std::exchange(row.demands, fresh));
}

void Demands::Drop(PodId id) { DropOwn(std::exchange(tables_.pods[id].demands, DemandsId())); }

void Demands::CountGang(GangRow& gang) {
  std::vector<DemandsId> fresh;
  if (gang.source != GangSource::kNone) {
    const std::string_view name_space = objects::SplitKey(gang.name).name_space;
    const std::vector<PodSetFacts>& sets = gang.pod_sets();
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const DemandsId own = TakeOwn(sets[i].expected, name_space);
      if (own.valid()) {
        fresh.resize(sets.size());
        fresh[i] = own;
      }
    }
  }
  for (const DemandsId own : std::exchange(gang.carries, std::move(fresh))) DropOwn(own);
}

// Who is selected -------------------------------------------------------------------------------

DemandRowsPtr Demands::Matching(std::string_view name_space, const objects::Labels& labels) {
  if (selections_.empty()) return nullptr;
  objects::DemandRows rows = selections_.Matching(name_space, labels);
  if (rows.empty()) return nullptr;
  if (sets_.size() > 2 * sets_swept_ + kFewSets) {
    std::erase_if(sets_, [](const auto& set) { return set.second.expired(); });
    sets_swept_ = sets_.size();
  }
  std::vector<const DemandRow*> key;
  key.reserve(rows.size());
  for (const DemandRowPtr& row : rows) key.push_back(row.get());
  std::weak_ptr<const objects::DemandRows>& held = sets_[std::move(key)];
  DemandRowsPtr set = held.lock();
  if (set == nullptr) {
    set = std::make_shared<const objects::DemandRows>(std::move(rows));
    held = set;
  }
  return set;
}

DemandRowsPtr Demands::CountedBy(LabelsId id) {
  LabelsRow& row = tables_.labels[id];
  if (!std::exchange(row.selected, true)) {
    row.counted_by = Matching(row.name_space, row.labels);
    List(id);
  }
  return row.counted_by;
}

// Pods that are yet to be made count as their template says.
std::vector<DemandRowsPtr> Demands::CountedBy(const GangRow& gang) {
  std::vector<DemandRowsPtr> counted_by;
  if (gang.source == GangSource::kNone || selections_.empty()) return counted_by;
  const std::string_view name_space = objects::SplitKey(gang.name).name_space;
  const std::vector<PodSetFacts>& sets = gang.pod_sets();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].expected == nullptr) continue;
    DemandRowsPtr rows = Matching(name_space, sets[i].labels);
    if (rows == nullptr) continue;
    counted_by.resize(sets.size());
    counted_by[i] = std::move(rows);
  }
  return counted_by;
}

void Demands::List(LabelsId id) {
  const LabelsRow& row = tables_.labels[id];
  selections_.asked().ForEachList(row.name_space, row.labels,
                                  [&](LabelListId list) { labels_in_.Add(list, id); });
}

void Demands::List(GangId id) {
  const GangRow& gang = tables_.gangs[id];
  if (gang.source == GangSource::kNone) return;
  for (const PodSetFacts& set : gang.pod_sets()) {
    if (set.expected == nullptr) continue;
    selections_.asked().ForEachList(objects::SplitKey(gang.name).name_space, set.labels,
                                    [&](LabelListId list) { gangs_in_.Add(list, id); });
  }
}

void Demands::ListAll() {
  labels_in_.Clear();
  gangs_in_.Clear();
  tables_.labels.ForEach([this](LabelsId id, const LabelsRow& /*row*/) { List(id); });
  tables_.gangs.ForEach([this](GangId id, const GangRow& /*row*/) { List(id); });
  labels_in_.Added();
  gangs_in_.Added();
}

void Demands::Join() {
  marks_.ForEachGang([this](GangId id) { CountGang(tables_.gangs[id]); });
  const Selections::News news = selections_.TakeNews();
  const bool anew = selections_.asked().TakeGrown();
  if (anew || labels_in_.IsStale() || gangs_in_.IsStale()) ListAll();
  if (news.any()) SelectAnew(news);
  marks_.ForEachGang([this](GangId id) {
    tables_.gangs[id].counted_by = CountedBy(tables_.gangs[id]);
    List(id);
  });
  TellOutside();
}

void Demands::SelectAnew(const Selections::News& news) {
  if (news.all) {
    tables_.labels.ForEach([this](LabelsId id, const LabelsRow& /*row*/) { SelectAnew(id); });
    tables_.gangs.ForEach([this](GangId id, const GangRow& /*row*/) { SelectAnew(id); });
    return;
  }
  for (const LabelsId id : labels_in_.In(news.lists)) {
    if (tables_.labels.InUse(id)) SelectAnew(id);
  }
  for (const GangId id : gangs_in_.In(news.lists)) {
    if (tables_.gangs.InUse(id)) SelectAnew(id);
  }
}

void Demands::SelectAnew(LabelsId id) {
  LabelsRow& row = tables_.labels[id];
  DemandRowsPtr fresh = Matching(row.name_space, row.labels);
  if (fresh == row.counted_by) return;
  row.counted_by = std::move(fresh);
  marks_.MarkPodsOf(row);
}

void Demands::SelectAnew(GangId id) {
  const GangRow& gang = tables_.gangs[id];
  if (CountedBy(gang) != gang.counted_by) marks_.Mark(id);
}

// Their labels say in which domains the pods there are.
void Demands::TellOutside() {
  if (selections_.empty() || std::exchange(told_outside_, true)) return;
  tables_.nodes.ForEach([&](NodeId id, const NodeRow& row) {
    if (!row.in_pool) marks_.Mark(id);
  });
}

// What comes out --------------------------------------------------------------------------------

state::NeedsPtr Demands::Joined(const state::NeedsPtr& needs, DemandsId own,
                                const DemandRowsPtr& counted_by) {
  if (needs == nullptr || (!own.valid() && counted_by == nullptr)) return needs;
  if (known_.size() >= kMostKnown) known_.clear();
  const auto [at, added] = known_.try_emplace({needs.get(), own, counted_by.get()});
  if (!added) return at->second.joined;
  objects::PodNeeds joined = *needs;
  objects::RareNeeds& rare = joined.rare.Edit();
  if (own.valid()) {
    rare.ForgetDemandsOfOthers();
    rare.joined = own_[own.value()].joined;
  }
  rare.joined.counted_by = counted_by;
  at->second = {.needs = needs, .joined = tables_.needs.Intern(joined), .counted_by = counted_by};
  return at->second.joined;
}

}  // namespace fairlead::intake
