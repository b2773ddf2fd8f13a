#include "state/domain_columns.h"

#include <algorithm>

namespace fairlead::state {

DomainColumns::DomainColumns(const NodeTable& nodes) : nodes_(nodes), columns_(1) {}

ColumnId DomainColumns::Intern(const objects::DemandRow& row) {
  const auto [at, added] = by_text_.try_emplace(row.column, ColumnId(columns_.size()));
  if (!added) return at->second;
  Column& column = columns_.emplace_back();
  column.key = row.topology_key;
  column.scope = row.scope;
  column.of.resize(nodes_.size());
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    Move(column, NodeId(n), DomainOf(column, NodeId(n)));
  }
  return at->second;
}

ColumnId DomainColumns::Named(std::string_view key) {
  objects::DemandRow row;
  row.topology_key = row.column = key;
  return Intern(row);
}

// As Kubernetes' plugin PodTopologySpread has it (nodeAffinityPolicy, nodeTaintsPolicy).
bool DomainColumns::InScope(const objects::DemandRow::Scope& scope, NodeId n) const {
  if (!nodes_.exists(n)) return false;
  const objects::Labels& labels = nodes_.labels(n);
  for (const std::string& key : scope.keys) {
    if (objects::FindLabel(labels, key) == nullptr) return false;
  }
  const bool suits =
      objects::HasAll(labels, scope.node_selector) &&
      (!scope.has_required_terms || objects::Matches(scope.required_terms, labels, nodes_.name(n)));
  if (!suits || !scope.honors_taints) return suits;
  // A node that is cordoned or not ready stays eligible but for the taints that its object has.
  const std::vector<objects::Taint>& taints = nodes_.taints(n);
  const std::vector<objects::Taint>& implied = nodes_.implied_taints(n);
  return std::all_of(taints.begin(), taints.end(), [&](const objects::Taint& taint) {
    return taint.effect == objects::TaintEffect::kPreferNoSchedule ||
           std::find(implied.begin(), implied.end(), taint) != implied.end() ||
           objects::Tolerates(scope.tolerations, taint);
  });
}

DomainId DomainColumns::DomainOf(Column& column, NodeId n) const {
  if (!nodes_.exists(n) && !nodes_.is_outside(n)) return {};
  static const std::string kOne;
  const std::string* value = column.key == kAll ? &kOne
                             : column.key == kEach
                                 ? &nodes_.name(n)
                                 : objects::FindLabel(nodes_.labels(n), column.key);
  if (value == nullptr || (column.scope != nullptr && !InScope(*column.scope, n))) return {};
  const auto [at, added] = column.by_value.try_emplace(*value, DomainId(column.values.size()));
  if (added) {
    column.values.push_back(*value);
    column.nodes.emplace_back();
  }
  return at->second;
}

bool DomainColumns::Move(Column& column, NodeId n, DomainId to) {
  DomainId& at = column.of[n.value()];
  if (at == to) return false;
  if (at.valid()) {
    std::vector<NodeId>& from = column.nodes[at.value()];
    from.erase(std::lower_bound(from.begin(), from.end(), n));
    if (from.empty()) --column.domains;
  }
  if (to.valid()) {
    std::vector<NodeId>& into = column.nodes[to.value()];
    into.insert(std::lower_bound(into.begin(), into.end(), n), n);
    if (into.size() == 1) ++column.domains;
    column.shared |= into.size() > 1;
  }
  at = to;
  return true;
}

std::vector<ColumnId> DomainColumns::Refresh(NodeId n) {
  std::vector<ColumnId> moved;
  for (std::size_t c = 1; c < columns_.size(); ++c) {
    Column& column = columns_[c];
    if (column.of.size() <= n.value()) column.of.resize(nodes_.size());
    if (Move(column, n, DomainOf(column, n))) moved.emplace_back(c);
  }
  return moved;
}

}  // namespace fairlead::state
