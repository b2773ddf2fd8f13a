#include "engine/place/node_classes.h"

#include <utility>

#include "policy/node_fit.h"

namespace fairlead::engine {

using state::ClassId;
using state::NodeId;
using state::ShapeId;

std::string NodeClasses::Signature(NodeId n) const {
  std::string signature;
  auto add = [&](std::string_view text) {
    signature.append(text);
    signature.push_back('\0');
  };
  add(cluster_.nodes().exists(n) ? "1" : "0");
  add(cluster_.nodes().misread_pod(n).empty() ? "1" : "0");
  for (const std::string& key : keys_) {
    const std::string* value = objects::FindLabel(cluster_.nodes().labels(n), key);
    add(value != nullptr ? "=" + *value : std::string("-"));
  }
  for (const state::ColumnId column : columns_) {
    const state::DomainId domain = cluster_.demands().columns().Of(column, n);
    add(domain.valid() ? std::to_string(domain.value()) : std::string("-"));
  }
  for (const objects::Taint& taint : cluster_.nodes().taints(n)) {
    add(taint.key);
    add(taint.value);
    add(std::to_string(static_cast<int>(taint.effect)));
  }
  return signature;
}

// Columns of many domains, and many columns, would make a class of every node.
std::vector<state::ColumnId> NodeClasses::FewDomains() const {
  constexpr std::int32_t kFew = 16;
  constexpr std::size_t kMostColumns = 3;
  std::vector<state::ColumnId> few;
  const state::DomainColumns& columns = cluster_.demands().columns();
  for (std::uint32_t c = 1; c < columns.size() && few.size() < kMostColumns; ++c) {
    const state::ColumnId column(c);
    if (columns.CountOf(column) > 1 && columns.CountOf(column) <= kFew) few.push_back(column);
  }
  return few;
}

void NodeClasses::Classify(NodeId n) {
  auto [it, added] = by_signature_.try_emplace(
      Signature(n), ClassId(static_cast<std::uint32_t>(representatives_.size())));
  if (added) representatives_.push_back(n);
  // A class outlives the nodes it was made from: any present member can speak for it.
  representatives_[it->second.value()] = n;
  classes_[n.value()] = it->second;
}

// What selectors name and no node carries tells no nodes apart: jobs that each select by a key of
// their own cost nothing. Whether there are more keys.
bool NodeClasses::FindKeys(const std::vector<NodeId>& reshaped) {
  const state::NodeTable& nodes = cluster_.nodes();
  const state::ShapeTable& shapes = cluster_.shapes();
  const std::size_t had = keys_.size();
  const auto look = [&](NodeId n) {
    for (const auto& [key, value] : nodes.labels(n)) {
      if (carried_.contains(key)) continue;
      carried_.insert(key);
      if (shapes.Selects(key)) keys_.push_back(key);
    }
  };
  const std::vector<std::string>& selected = shapes.selected_keys();
  for (; keys_looked_at_ < selected.size(); ++keys_looked_at_) {
    if (carried_.contains(selected[keys_looked_at_])) keys_.push_back(selected[keys_looked_at_]);
  }
  for (std::size_t n = classes_.size(); n < nodes.size(); ++n) look(NodeId(n));
  for (const NodeId n : reshaped) look(n);
  return keys_.size() > had;
}

void NodeClasses::Forget() {
  keys_.clear();
  keys_looked_at_ = 0;
  classes_.clear();
}

bool NodeClasses::Refresh(const std::vector<NodeId>& reshaped) {
  const state::NodeTable& nodes = cluster_.nodes();
  std::vector<state::ColumnId> few = FewDomains();
  const bool more_keys = FindKeys(reshaped);
  const bool all = more_keys || few != columns_ || classes_.empty();
  columns_ = std::move(few);
  const std::size_t had = classes_.size();
  classes_.resize(nodes.size());
  if (all) {
    by_signature_.clear();
    representatives_.clear();
    answers_.clear();
    masks_.clear();
    masked_classes_.clear();
    for (std::uint32_t n = 0; n < nodes.size(); ++n) Classify(NodeId(n));
    return true;
  }
  for (std::size_t n = had; n < nodes.size(); ++n) Classify(NodeId(n));
  for (NodeId n : reshaped) Classify(n);
  return false;
}

NodeClasses::Answer& NodeClasses::AnswerOf(ShapeId s, ClassId c) {
  if (answers_.size() <= s.value()) answers_.resize(cluster_.shapes().size());
  std::vector<Answer>& row = answers_[s.value()];
  if (row.size() <= c.value()) row.resize(representatives_.size(), Answer::kUnknown);
  return row[c.value()];
}

inline bool NodeClasses::Suits(const state::Shape& shape, ShapeId s, NodeId n) {
  if (shape.by_node) return policy::FitsClass(cluster_, shape, n);
  Answer& answer = AnswerOf(s, classes_[n.value()]);
  if (answer == Answer::kUnknown) {
    answer = policy::FitsClass(cluster_, shape, n) ? Answer::kYes : Answer::kNo;
  }
  return answer == Answer::kYes;
}

bool NodeClasses::FitsAnywhere(ShapeId s, NodeId n) {
  const state::Shape& shape = cluster_.shapes()[s];
  return Suits(shape, s, n) && !policy::AvoidsNode(cluster_, shape, n);
}

bool NodeClasses::Suits(ShapeId s, NodeId n) { return Suits(cluster_.shapes()[s], s, n); }

bool NodeClasses::SuitsWhenEmpty(ShapeId s, NodeId n) {
  if (Suits(s, n)) return true;
  return !cluster_.nodes().misread_pod(n).empty() &&
         policy::SuitsWhenEmpty(cluster_, cluster_.shapes()[s], n);
}

std::uint64_t NodeClasses::Mask(ShapeId s) {
  if (cluster_.shapes()[s].by_node) return ~0ULL;
  if (masks_.size() <= s.value()) {
    masks_.resize(cluster_.shapes().size(), 0);
    masked_classes_.resize(cluster_.shapes().size(), 0);
  }
  std::uint32_t& covered = masked_classes_[s.value()];
  for (; covered < representatives_.size(); ++covered) {
    // The representative may have moved on to another class: then be generous.
    const NodeId n = representatives_[covered];
    const bool may = classes_[n.value()] != ClassId(covered) || Suits(s, n);
    if (may) masks_[s.value()] |= 1ULL << (covered % 64);
  }
  return masks_[s.value()];
}

Confinement::Confinement(const state::Cluster& cluster, NodeClasses& classes, state::TreeId tree,
                         state::DomainId domain)
    : classes_(classes),
      outer_(classes.reach_),
      reach_{.tree = tree, .domain = domain, .nodes = cluster.trees()[tree].NodesIn(domain)} {
  reach_.has.resize(cluster.nodes().size());
  for (const NodeId n : reach_.nodes) reach_.has[n.value()] = true;
  classes_.reach_ = &reach_;
}

}  // namespace fairlead::engine
