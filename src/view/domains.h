#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "view/view.h"

namespace fairlead::view {

// A level of a topology, whose domains are looked at.
struct DomainLevel {
  std::string topology;             // empty: none has it, it is a label by itself
  std::vector<std::string> levels;  // label keys, widest first
  std::size_t level = 0;            // which of them
};

// Finds what people call a level: by its label key, or the last word of it, as constraints do; of
// the Topology of that name, or where that is empty of any: objects first, then what well-known
// labels make where nodes carry them, then a label of nodes by itself. `by` empty: the narrowest
// level above single nodes.
// Error: there is none, or it may be several; says which there are.
Result<DomainLevel> FindDomainLevel(const View& view, std::string_view by,
                                    std::string_view topology);

// Of each Topology that is an object or asked for by some work: its narrowest level above single
// nodes. Those without one are left out.
std::vector<DomainLevel> DomainLevelsShown(const View& view);

// What is in a domain. Rows are by column of Tables::resources.
struct DomainRow {
  // The values of the labels from the widest level on; "-" where its nodes lack one of a wider
  // level. Empty: the nodes that are in no domain of the level.
  std::vector<std::string> path;
  std::int64_t nodes = 0, ready = 0;
  AmountRow allocatable, allocated;  // of all nodes
  AmountRow free;                    // of those that are ready
  // Of the ready nodes that have any of it: with room, and no pod of ours asks it there; with room
  // beside such pods; without.
  std::vector<std::int64_t> free_nodes, part_nodes, full_nodes;
  struct Guest {
    std::uint32_t workload = kNone;  // row of Tables::workloads
    std::int64_t pods = 0;
  };
  std::vector<Guest> guests;  // with the most pods first, then by name
};

// By path; the nodes that are in none last, where there are any.
// Cost: O(nodes × levels + pods), and sorting them.
std::vector<DomainRow> DomainsOf(const View& view, const DomainLevel& level);

}  // namespace fairlead::view
