#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "base/name_map.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Some nodes, where only these may be looked at: those of one domain.
struct Reach {
  state::TreeId tree;
  state::DomainId domain;
  std::vector<state::NodeId> nodes;  // leaf by leaf, each leaf's by name
  std::vector<bool> has;             // by node
  bool Has(state::NodeId n) const { return n.value() < has.size() && has[n.value()]; }
};

// Which shapes may run on which nodes, decided once for each pair of shape and class. Nodes with
// the same taints, the same values of the label keys that a selector names and some node carries,
// and in the same domains of the first columns that have few, are one class.
//
// Shapes that name nodes (host names, matchFields) are judged node by node instead.
class NodeClasses {
 public:
  explicit NodeClasses(const state::Cluster& cluster) : cluster_(cluster) {}

  // Brings classes up to date: of these nodes, or of all where other keys tell them apart.
  // Returns whether all were made anew.
  bool Refresh(const std::vector<state::NodeId>& reshaped);
  // Shapes have other numbers: the next Refresh makes all anew.
  void Forget();

  // Whether all demands are met but room and what depends on other pods; and the node may be looked
  // at.
  bool Fits(state::ShapeId s, state::NodeId n) {
    return (reach_ == nullptr || reach_->Has(n)) && FitsAnywhere(s, n);
  }
  // The same whichever nodes may be looked at.
  bool FitsAnywhere(state::ShapeId s, state::NodeId n);
  // The same whatever the node's kubelet said of pods like it: what its class answers.
  bool Suits(state::ShapeId s, state::NodeId n);

  // The same whatever pods that run there take of it, be it known or not.
  bool SuitsWhenEmpty(state::ShapeId s, state::NodeId n);

  // A superset of the classes that the shape fits, as bits of ClassBit.
  std::uint64_t Mask(state::ShapeId s);
  // The same of those for which may(node) is true of any of their nodes. Cost: O(classes).
  template <typename May>
  std::uint64_t MaskWhere(state::ShapeId s, May may);
  // All nodes of a class are in the same domain of these.
  const std::vector<state::ColumnId>& columns() const { return columns_; }
  // Null: all nodes may be looked at.
  const Reach* reach() const { return reach_; }
  // Those that may be looked at: all by name, or a domain's leaf by leaf.
  const std::vector<state::NodeId>& nodes() const {
    return reach_ != nullptr ? reach_->nodes : cluster_.nodes().by_name();
  }
  // visit(node), until it returns false: of all that may be looked at, in no order that counts.
  template <typename Visit>
  void ForEachInReach(Visit visit) const;
  std::uint64_t ClassBit(state::NodeId n) const {
    return 1ULL << (classes_[n.value()].value() % 64);
  }

 private:
  friend class Confinement;
  enum class Answer : std::uint8_t { kUnknown, kNo, kYes };
  std::string Signature(state::NodeId n) const;
  bool FindKeys(const std::vector<state::NodeId>& reshaped);
  std::vector<state::ColumnId> FewDomains() const;
  void Classify(state::NodeId n);
  bool Suits(const state::Shape& shape, state::ShapeId s, state::NodeId n);
  Answer& AnswerOf(state::ShapeId s, state::ClassId c);

  const state::Cluster& cluster_;
  const Reach* reach_ = nullptr;    // null: all nodes
  std::vector<std::string> keys_;   // label keys that the signatures cover
  std::size_t keys_looked_at_ = 0;  // so many of those that selectors name
  boost::unordered_flat_set<std::string, NameHash, std::equal_to<>> carried_;  // by some node, once
  std::vector<state::ColumnId> columns_;        // that the signatures cover
  std::vector<state::ClassId> classes_;         // by node
  std::vector<state::NodeId> representatives_;  // by class: a node that is or was of it
  NameMap<state::ClassId> by_signature_;
  std::vector<std::vector<Answer>> answers_;   // by shape, then class
  std::vector<std::uint64_t> masks_;           // by shape
  std::vector<std::uint32_t> masked_classes_;  // by shape: how many classes its mask covers
};

// As long as it lives nobody finds room, or victims, outside one domain. They nest: the innermost
// counts.
class Confinement {
 public:
  Confinement(const state::Cluster& cluster, NodeClasses& classes, state::TreeId tree,
              state::DomainId domain);
  ~Confinement() { classes_.reach_ = outer_; }
  Confinement(const Confinement&) = delete;
  Confinement& operator=(const Confinement&) = delete;

 private:
  NodeClasses& classes_;
  const Reach* outer_;
  Reach reach_;
};

template <typename Visit>
void NodeClasses::ForEachInReach(Visit visit) const {
  if (reach_ != nullptr) {
    for (const state::NodeId n : reach_->nodes) {
      if (!visit(n)) return;
    }
    return;
  }
  for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
    if (!visit(state::NodeId(i))) return;
  }
}

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
