#include "engine/round/turns.h"

#include <algorithm>
#include <utility>

namespace fairlead::engine {

using state::QueueId;
using state::QueueTree;

// Work that stands directly in an inner queue (a parent that lost its children's names) goes before
// its children's.
const state::Amounts* Turns::Best(QueueId q) const {
  for (;;) {
    const Node& node = nodes_[q.value()];
    if (node.own != nullptr || node.heap.empty()) return node.own;
    q = node.heap.front();
  }
}

void Turns::MakeTurn(QueueId q) {
  nodes_[q.value()].turn = policy::TurnOf(cluster_.queues(), q, *Best(q), cluster_.resources());
}

void Turns::Start(const std::vector<QueueId>& queues,
                  const std::vector<const state::Amounts*>& best) {
  nodes_.resize(cluster_.queues().size());
  // Join every queue to its parents, then make turns from the deepest up.
  std::vector<QueueId> joined;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    nodes_[queues[i].value()].own = best[i];
    for (QueueId q = queues[i]; q.valid() && !nodes_[q.value()].active;
         q = cluster_.queues()[q].parent) {
      nodes_[q.value()].active = true;
      joined.push_back(q);
    }
  }
  std::sort(joined.begin(), joined.end(), [this](QueueId a, QueueId b) {
    return cluster_.queues()[a].depth > cluster_.queues()[b].depth;
  });
  for (QueueId q : joined) {
    std::vector<QueueId>& heap = nodes_[q.value()].heap;
    std::make_heap(heap.begin(), heap.end(), [this](QueueId a, QueueId b) { return Later(a, b); });
    if (q == QueueTree::Root()) continue;
    MakeTurn(q);
    nodes_[cluster_.queues()[q].parent.value()].heap.push_back(q);
  }
}

QueueId Turns::Top() const {
  if (nodes_.empty()) return QueueId();
  QueueId q = QueueTree::Root();
  while (nodes_[q.value()].own == nullptr && !nodes_[q.value()].heap.empty()) {
    q = nodes_[q.value()].heap.front();
  }
  return nodes_[q.value()].own != nullptr ? q : QueueId();
}

void Turns::Update(const state::Amounts* best) {
  QueueId q = Top();
  nodes_[q.value()].own = best;
  auto later = [this](QueueId a, QueueId b) { return Later(a, b); };
  while (q != QueueTree::Root()) {
    const QueueId parent = cluster_.queues()[q].parent;
    std::vector<QueueId>& heap = nodes_[parent.value()].heap;
    const bool empty = Best(q) == nullptr;
    if (heap.size() == 1) {
      if (!empty) MakeTurn(q);
    } else {
      std::pop_heap(heap.begin(), heap.end(), later);  // by its old turn
      if (!empty) {
        MakeTurn(q);
        std::push_heap(heap.begin(), heap.end(), later);
      }
    }
    if (empty) {
      heap.pop_back();
      nodes_[q.value()].active = false;
    }
    q = parent;
  }
  if (Best(q) == nullptr) nodes_[q.value()].active = false;
}

void Turns::Refresh(QueueId q) {
  for (; q != QueueTree::Root(); q = cluster_.queues()[q].parent) {
    if (q.value() >= nodes_.size() || !nodes_[q.value()].active) continue;
    MakeTurn(q);
    SortBeside(q);
  }
}

void Turns::Put(QueueId q, const state::Amounts* best) {
  nodes_[q.value()].own = best;
  for (; q != QueueTree::Root(); q = cluster_.queues()[q].parent) {
    if (!std::exchange(nodes_[q.value()].active, true)) {
      nodes_[cluster_.queues()[q].parent.value()].heap.push_back(q);
    }
    MakeTurn(q);
    SortBeside(q);
  }
  nodes_[q.value()].active = true;
}

void Turns::SortBeside(QueueId q) {
  std::vector<QueueId>& heap = nodes_[cluster_.queues()[q].parent.value()].heap;
  std::make_heap(heap.begin(), heap.end(), [this](QueueId a, QueueId b) { return Later(a, b); });
}

}  // namespace fairlead::engine
