#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "intake/tables/marks.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// The required anti-affinity of pods that run keeps others out of their domains (a domain: the
// nodes with one value of the term's topology key). Terms that say the same are one, with a number.
// A waiting pod's needs name the terms that select it, and a node the terms that hold there: where
// they have one in common the pod is refused. Pods of ours that carry such terms wait by themselves
// (UnsupportedConstraint), so that whoever refuses was bound by others, and is known before a
// round.
//
// - Coarser than Kubernetes' rule nowhere.
// - `refused_by` of labels and gangs, and `refusals` of nodes, are right after Join, which marks
//   the rows where they changed.
//
// Cost: in a cluster without such pods nothing is done; in one with them a join costs the terms,
// the labels of waiting pods, and the nodes for each term that somebody waits for.
class Refusals {
 public:
  Refusals(Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  // What the pod's terms refuse counts, where it is bound; what it refused before counts no more.
  void Count(PodId id, const objects::Pod& pod, const PodFacts& facts);
  void Drop(PodId id);
  // A pod with the labels of `row` that waits, by its facts, came (+1) or goes (-1).
  void CountWaiting(const PodRow& row, const PodFacts& facts, int by);

  // REQUIRES: gangs are joined.
  void Join();

 private:
  class Index;
  // A term of the anti-affinity of pods that run, and these pods.
  struct Row {
    std::uint64_t number = 0;  // made of what the term says
    std::string name_space;    // of the pods
    objects::PodTerm term;
    std::map<std::string, NameId> pods;  // to the node that each is on
  };

  void RefusePods(const Index& index, std::set<std::uint64_t>& in_use);
  void RefuseGangs(const Index& index, std::set<std::uint64_t>& in_use);
  void RefuseOnNodes(const std::set<std::uint64_t>& in_use);

  Tables& tables_;
  Marks& marks_;
  std::map<std::string, Row> refusals_;                         // by what they say, packed
  std::map<std::uint32_t, std::vector<std::string>> refusing_;  // by PodId: its terms
  bool joined_ = false;  // something is refused, as of the last join
};

// The needs of a pod that these terms refuse.
state::NeedsPtr WithRefusals(const Tables& tables, const state::NeedsPtr& needs,
                             const std::vector<std::uint64_t>& terms);

}  // namespace fairlead::intake
