#include "state/domain_trees.h"

#include <algorithm>
#include <utility>

namespace fairlead::state {

DomainTree::DomainTree(const NodeTable& nodes, std::vector<std::string> levels)
    : nodes_(nodes), levels_(std::move(levels)), domains_(1) {
  for (std::uint32_t n = 0; n < nodes.size(); ++n) Refresh(NodeId(n));
}

// `value`: null: of those that lack the label.
DomainId DomainTree::ChildOf(DomainId parent, const std::string* value) {
  const std::vector<DomainId>& children = domains_[parent.value()].children;
  const auto before = [this](DomainId d, const std::string* than) {
    const Domain& domain = domains_[d.value()];
    if (than == nullptr) return domain.named;
    return domain.named && domain.value < *than;
  };
  const auto at = std::lower_bound(children.begin(), children.end(), value, before);
  const bool is_there =
      at != children.end() &&
      (value == nullptr ? !domains_[at->value()].named
                        : domains_[at->value()].named && domains_[at->value()].value == *value);
  if (is_there) return *at;
  const DomainId made(domains_.size());
  const auto place = at - children.begin();
  Domain fresh{.parent = parent,
               .level = domains_[parent.value()].level + 1,
               .named = value != nullptr,
               .value = value != nullptr ? *value : std::string()};
  domains_.push_back(std::move(fresh));
  std::vector<DomainId>& into = domains_[parent.value()].children;
  into.insert(into.begin() + place, made);
  return made;
}

DomainId DomainTree::LeafFor(NodeId n) {
  if (!nodes_.exists(n)) return {};
  DomainId at = Root();
  for (const std::string& key : levels_) {
    at = ChildOf(at, objects::FindLabel(nodes_.labels(n), key));
  }
  return at;
}

void DomainTree::Move(NodeId n, DomainId from, DomainId to) {
  const auto by_name = [this](NodeId a, NodeId b) { return nodes_.name(a) < nodes_.name(b); };
  if (from.valid()) std::erase(domains_[from.value()].members, n);
  if (to.valid()) {
    std::vector<NodeId>& members = domains_[to.value()].members;
    members.insert(std::upper_bound(members.begin(), members.end(), n, by_name), n);
  }
  for (DomainId d = from; d.valid(); d = domains_[d.value()].parent) --domains_[d.value()].nodes;
  for (DomainId d = to; d.valid(); d = domains_[d.value()].parent) ++domains_[d.value()].nodes;
}

void DomainTree::Refresh(NodeId n) {
  if (leaf_of_.size() <= n.value()) leaf_of_.resize(nodes_.size());
  const DomainId to = LeafFor(n);
  const DomainId from = std::exchange(leaf_of_[n.value()], to);
  if (from != to) Move(n, from, to);
}

std::vector<NodeId> DomainTree::NodesIn(DomainId d) const {
  const Domain& domain = (*this)[d];
  if (domain.children.empty()) return domain.members;
  std::vector<NodeId> all;
  all.reserve(domain.nodes);
  for (const DomainId child : domain.children) {
    const std::vector<NodeId> below = NodesIn(child);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

std::optional<DomainId> DomainTree::CommonOf(std::span<const NodeId> nodes,
                                             std::int32_t level) const {
  DomainId common;
  for (const NodeId n : nodes) {
    if (!LeafOf(n).valid()) return std::nullopt;
    const DomainId of = Of(n, level);
    if (common.valid() && common != of) return std::nullopt;
    common = of;
  }
  return common;
}

std::vector<DomainId> DomainTree::Within(DomainId d, std::int32_t level) const {
  const Domain& domain = (*this)[d];
  if (domain.level == level)
    return domain.nodes > 0 && domain.named ? std::vector{d} : std::vector<DomainId>();
  std::vector<DomainId> all;
  for (const DomainId child : domain.children) {
    const std::vector<DomainId> below = Within(child, level);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

std::string DomainTree::PathOf(DomainId d) const {
  const Domain& domain = (*this)[d];
  if (!domain.parent.valid()) return {};
  const std::string above = PathOf(domain.parent);
  const std::string value = domain.named ? domain.value : "-";
  return above.empty() ? value : above + "/" + value;
}

TreeId DomainTrees::Intern(const std::vector<std::string>& levels) {
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    if (trees_[t].levels() == levels) return TreeId(t);
  }
  trees_.emplace_back(nodes_, levels);
  return TreeId(trees_.size() - 1);
}

}  // namespace fairlead::state
