#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/name_map.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Which shapes may run on which nodes, decided once for each pair of shape and class. Nodes with
// the same taints, the same values of the label keys that a selector names, and in the same domains
// of the first columns that have few, are one class.
//
// Shapes that name nodes (host names, matchFields) are judged node by node instead.
class NodeClasses {
 public:
  explicit NodeClasses(const state::Cluster& cluster) : cluster_(cluster) {}

  // Brings classes up to date: of these nodes, or of all where selectors name new keys.
  // Returns whether all were made anew.
  bool Refresh(const std::vector<state::NodeId>& reshaped);

  // Whether all demands are met but room and what depends on other pods.
  bool Fits(state::ShapeId s, state::NodeId n);
  // The same whatever the node's kubelet said of pods like it: what its class answers.
  bool Suits(state::ShapeId s, state::NodeId n);

  // A superset of the classes that the shape fits, as bits of ClassBit.
  std::uint64_t Mask(state::ShapeId s);
  // The same of those for which may(node) is true of any of their nodes. Cost: O(classes).
  template <typename May>
  std::uint64_t MaskWhere(state::ShapeId s, May may);
  // All nodes of a class are in the same domain of these.
  const std::vector<state::ColumnId>& columns() const { return columns_; }
  std::uint64_t ClassBit(state::NodeId n) const {
    return 1ULL << (classes_[n.value()].value() % 64);
  }

 private:
  enum class Answer : std::uint8_t { kUnknown, kNo, kYes };
  std::string Signature(state::NodeId n) const;
  std::vector<state::ColumnId> FewDomains() const;
  void Classify(state::NodeId n);
  bool Suits(const state::Shape& shape, state::ShapeId s, state::NodeId n);
  Answer& AnswerOf(state::ShapeId s, state::ClassId c);

  const state::Cluster& cluster_;
  std::size_t keys_known_ = 0;                  // how many label keys the signatures cover
  std::vector<state::ColumnId> columns_;        // that they cover
  std::vector<state::ClassId> classes_;         // by node
  std::vector<state::NodeId> representatives_;  // by class: a node that is or was of it
  NameMap<state::ClassId> by_signature_;
  std::vector<std::vector<Answer>> answers_;   // by shape, then class
  std::vector<std::uint64_t> masks_;           // by shape
  std::vector<std::uint32_t> masked_classes_;  // by shape: how many classes its mask covers
};

template <typename May>
std::uint64_t NodeClasses::MaskWhere(state::ShapeId s, May may) {
  std::uint64_t mask = 0;
  for (std::uint32_t c = 0; c < representatives_.size(); ++c) {
    const std::uint64_t bit = 1ULL << (c % 64);
    if ((mask & bit) != 0) continue;
    const state::NodeId n = representatives_[c];
    // The representative may have moved on to another class: then be generous.
    if (classes_[n.value()] != state::ClassId(c) || (Suits(s, n) && may(n))) mask |= bit;
  }
  return mask;
}

}  // namespace fairlead::engine
