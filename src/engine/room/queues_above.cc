#include "engine/room/queues_above.h"

namespace fairlead::engine {

using state::QueueId;

bool QueuesAbove::AnyBeside(QueueId q, policy::Right right) {
  for (; q != state::QueueTree::Root(); q = queues_[q].parent) {
    const Known& known = AmongChildren(queues_[q].parent, right);
    if (known.first == q ? known.second.valid() : known.first.valid()) return true;
  }
  return false;
}

const QueuesAbove::Known& QueuesAbove::AmongChildren(QueueId parent, policy::Right right) {
  std::vector<Known>& of_right = known_[static_cast<std::size_t>(right)];
  if (of_right.size() < queues_.size()) of_right.resize(queues_.size());
  Known& known = of_right[parent.value()];
  if (known.version == queues_.figures_version()) return known;
  known = {.version = queues_.figures_version()};
  for (const QueueId child : queues_[parent].children) {
    if (!policy::Entitlement::MayBeAbove(cluster_, right, child)) continue;
    if (known.first.valid()) {
      known.second = child;
      break;
    }
    known.first = child;
  }
  return known;
}

}  // namespace fairlead::engine
