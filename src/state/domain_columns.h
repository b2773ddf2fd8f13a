#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_map.h"
#include "objects/demand_row.h"
#include "state/ids.h"
#include "state/nodes.h"

namespace fairlead::state {

// Which node is in which domain: a column for each label that some demand counts by, and the one in
// which every node is a domain by itself. A spread constraint counts only on nodes of its scope: it
// has a column of its own, in which the others are in no domain.
//
// Invariant: a column says of every node what its labels, taints and presence say, as of the last
// Refresh of the node.
// Cost: Of is two look-ups; Intern looks at all nodes, Refresh at all columns.
class DomainColumns {
 public:
  explicit DomainColumns(const NodeTable& nodes);

  static constexpr ColumnId OfNodes() { return ColumnId(0U); }
  ColumnId Intern(const objects::DemandRow& row);
  // Of demands that no label parts: all nodes are one domain; each is one, and NodesOf may be
  // asked.
  ColumnId OfAllNodes() { return Named(kAll); }
  ColumnId OfEachNode() { return Named(kEach); }

  DomainId Of(ColumnId c, NodeId n) const {  // invalid: in none
    if (c == OfNodes()) return DomainId(n.value());
    const std::vector<DomainId>& of = columns_[c.value()].of;
    return n.value() < of.size() ? of[n.value()] : DomainId();
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(columns_.size()); }
  // Whether there is any column but that of nodes.
  bool any() const { return columns_.size() > 1; }
  // Whether no two nodes share a domain of it, nor ever did: what happens on one node then makes no
  // difference on others, not even that it goes.
  bool IsByNode(ColumnId c) const { return !columns_[c.value()].shared; }
  // How many domains there are: with a node in them.
  std::int32_t CountOf(ColumnId c) const { return columns_[c.value()].domains; }
  // REQUIRES: not the column of nodes.
  const std::vector<NodeId>& NodesOf(ColumnId c, DomainId d) const {
    return columns_[c.value()].nodes[d.value()];
  }
  const std::string& KeyOf(ColumnId c) const { return columns_[c.value()].key; }
  const std::string& ValueOf(ColumnId c, DomainId d) const {
    return columns_[c.value()].values[d.value()];
  }

  // The node came, went, or is labelled or tainted otherwise. Returns the columns in which it has
  // moved.
  std::vector<ColumnId> Refresh(NodeId n);

 private:
  struct Column {
    std::string key;
    std::shared_ptr<const objects::DemandRow::Scope> scope;  // null: all nodes
    std::vector<DomainId> of;                                // by node
    std::vector<std::string> values;                         // by domain
    std::vector<std::vector<NodeId>> nodes;                  // by domain
    NameMap<DomainId> by_value;
    std::int32_t domains = 0;  // with a node
    bool shared = false;       // some domain had more than one
  };
  // In place of a label's key; no label has such a one.
  static constexpr std::string_view kAll = " all", kEach = " each";
  ColumnId Named(std::string_view key);
  DomainId DomainOf(Column& column, NodeId n) const;
  static bool Move(Column& column, NodeId n, DomainId to);
  bool InScope(const objects::DemandRow::Scope& scope, NodeId n) const;

  const NodeTable& nodes_;
  std::vector<Column> columns_;
  NameMap<ColumnId> by_text_;
};

}  // namespace fairlead::state
