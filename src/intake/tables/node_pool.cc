#include "intake/tables/node_pool.h"

#include <algorithm>

#include "base/wide_int.h"
#include "intake/tables/change_equal.h"
#include "objects/selector.h"

namespace fairlead::intake {

void NodePool::Upsert(const objects::Node& node) {
  state::NodeChange fresh{.name = node.meta.name,
                          .labels = node.meta.labels,
                          .taints = node.taints,
                          .allocatable = Shared(node.allocatable),
                          .schedulable = !node.unschedulable,
                          .ready = node.ready};
  const NodeId id = tables_.nodes.Add(node.meta.name);
  NodeRow& row = tables_.nodes[id];
  if (!row.change.name.empty() && Same(row.change, fresh)) return;
  if (!(row.change.labels == fresh.labels)) marks_.MarkFlavors();
  if (!row.change.name.empty() && row.in_pool) Count(row, -1);
  row.change = std::move(fresh);
  row.source = InternSource(node.meta.source, tables_.names);
  Set(row, Selects(row));
  if (row.in_pool) Count(row, +1);
  marks_.Mark(id);
}

objects::SharedResources NodePool::Shared(const objects::ResourceList& allocatable) {
  const auto known = std::ranges::find_if(
      sizes_, [&](const objects::SharedResources& size) { return *size == allocatable; });
  if (known != sizes_.end()) return *known;
  constexpr std::size_t kMost = 32;
  if (sizes_.size() == kMost) sizes_.clear();
  return sizes_.emplace_back(allocatable);
}

bool NodePool::Selects(const NodeRow& row) const {
  return objects::HasAll(row.change.labels, tables_.configuration->node_selector);
}

void NodePool::Set(NodeRow& row, bool in_pool) {
  row.in_pool = in_pool;
  const NameId name = tables_.names.Intern(row.name);
  if (outside_.size() <= name.value()) outside_.resize(name.value() + 1);
  if (outside_[name.value()] == !in_pool) return;
  outside_[name.value()] = !in_pool;
  moved_ = true;
}

bool NodePool::Remove(std::string_view name) {
  const NodeId id = tables_.nodes.Find(name);
  if (!id.valid()) return false;
  NodeRow& row = tables_.nodes[id];
  if (row.given) marks_.Removed(state::RowKind::kNode, row.name);
  if (row.in_pool) Count(row, -1);
  Set(row, true);  // nothing is known of it any more
  marks_.MarkFlavors();
  tables_.nodes.Erase(id);
  return true;
}

void NodePool::Count(const NodeRow& row, std::int64_t by) {
  for (const auto& [resource, amount] : *row.change.allocatable) {
    allocatable_[resource] += static_cast<WideInt>(amount) * by;
  }
  size_ += by;
  devices_.Count(row.change.labels, row.change.allocatable, by);
  levels_.Count(row.change.labels, by);
  ++version_;
}

void NodePool::SelectAnew() {
  tables_.nodes.ForEach([&](NodeId id, NodeRow& row) {
    const bool in_pool = Selects(row);
    if (in_pool == row.in_pool) return;
    Set(row, in_pool);
    Count(row, in_pool ? +1 : -1);
    marks_.Mark(id);
  });
}

}  // namespace fairlead::intake
