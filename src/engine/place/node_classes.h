#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "state/cluster.h"

namespace fairlead::engine {

// Which shapes may run on which nodes, decided once for each pair of shape and class. Nodes with
// the same taints and the same values of the label keys that a selector names are one class.
//
// Shapes that name nodes (host names, matchFields) are judged node by node instead.
class NodeClasses {
 public:
  explicit NodeClasses(const state::Cluster& cluster) : cluster_(cluster) {}

  // Brings classes up to date: of these nodes, or of all where selectors name new keys.
  // Returns whether all were made anew.
  bool Refresh(const std::vector<state::NodeId>& reshaped);

  // Whether all demands but room and ports are met.
  bool Fits(state::ShapeId s, state::NodeId n);

  // A superset of the classes that the shape fits, as bits of ClassBit.
  std::uint64_t Mask(state::ShapeId s);
  std::uint64_t ClassBit(state::NodeId n) const {
    return 1ULL << (classes_[n.value()].value() % 64);
  }

 private:
  enum class Answer : std::uint8_t { kUnknown, kNo, kYes };
  std::string Signature(state::NodeId n) const;
  void Classify(state::NodeId n);
  Answer& AnswerOf(state::ShapeId s, state::ClassId c);

  const state::Cluster& cluster_;
  std::size_t keys_known_ = 0;                  // how many label keys the signatures cover
  std::vector<state::ClassId> classes_;         // by node
  std::vector<state::NodeId> representatives_;  // by class: a node that is or was of it
  boost::unordered_flat_map<std::string, state::ClassId> by_signature_;
  std::vector<std::vector<Answer>> answers_;   // by shape, then class
  std::vector<std::uint64_t> masks_;           // by shape
  std::vector<std::uint32_t> masked_classes_;  // by shape: how many classes its mask covers
};

}  // namespace fairlead::engine
