#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "state/ids.h"

namespace fairlead::state {

// Which rows of the cluster changed since somebody last took them: for one who keeps a copy of it
// (view/view_builder.h). A row may be marked that is as it was, after a trial that was undone; none
// that differs is left out. Nothing is marked before Watch.
//
// Cost: a look at a bit a change; memory of a number a row, however long nobody takes them.
class Marks {
 public:
  struct Taken {
    std::vector<NodeId> nodes;     // what is free, or who is there
    std::vector<NodeId> reshaped;  // labels, taints, allocatable or existence
    std::vector<WorkloadId> workloads;
    std::vector<PodId> pods;
  };

  void Watch() { watched_ = true; }
  bool watched() const { return watched_; }

  void Note(NodeId n) { Note(n, nodes_); }
  void NoteReshaped(NodeId n) { Note(n, reshaped_); }
  void Note(WorkloadId w) { Note(w, workloads_); }
  void Note(PodId p) { Note(p, pods_); }

  // In the order of their first mark.
  Taken Take() {
    return {.nodes = Take(nodes_),
            .reshaped = Take(reshaped_),
            .workloads = Take(workloads_),
            .pods = Take(pods_)};
  }

 private:
  template <typename RowId>
  struct Set {
    std::vector<RowId> rows;
    std::vector<bool> has;  // by number
  };
  template <typename RowId>
  void Note(RowId row, Set<RowId>& set) {
    if (!watched_ || !row.valid()) return;
    if (row.value() >= set.has.size()) set.has.resize(row.value() + std::size_t{64});
    if (set.has[row.value()]) return;
    set.has[row.value()] = true;
    set.rows.push_back(row);
  }
  template <typename RowId>
  static std::vector<RowId> Take(Set<RowId>& set) {
    for (const RowId row : set.rows) set.has[row.value()] = false;
    return std::exchange(set.rows, {});
  }

  bool watched_ = false;
  Set<NodeId> nodes_, reshaped_;
  Set<WorkloadId> workloads_;
  Set<PodId> pods_;
};

}  // namespace fairlead::state
