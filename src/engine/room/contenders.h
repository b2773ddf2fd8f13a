#pragma once

#include "engine/room/room_step.h"
#include "state/trial.h"

namespace fairlead::engine {

// Those who wait in other queues, and are entitled to room that somebody is about to have.
//
// Within a queue a higher priority asks for no right: it has lower ones leave, or takes what they
// claim. Where that brings the queue beyond what others left it by their rights, one of
// those who wait would take the room back at once; then the lower priority, within its queue's
// right again, takes it from them; and so for ever. Such an exchange is not made.
//
// Worked: queues `a` and `b` are guaranteed 1 core each, and the node has memory for one pod. `a`
// has a pod of 1 core there, and waits with one of 2 cores and a higher priority; a pod of `b`
// waits that asks 1 core. In the exchange `a` would hold 2 cores, of which 1 is guaranteed, and the
// pod of `b` would have the right to its room: the pod of 1 core stays.
class Contenders {
 public:
  virtual ~Contenders() = default;

  // Whether one of them would take the step's room back, who could take nothing there before.
  // REQUIRES: the trial did what gives the step its room, at the cost of its own queue alone.
  virtual bool WouldTakeBack(const RoomStep& step, state::Trial& trial) const = 0;
};

}  // namespace fairlead::engine
