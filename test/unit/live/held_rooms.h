#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unit/live/live_world.h"

namespace fairlead::live {

// Workloads that are let go by their pods, and the room that is held for those of them that come
// when the first ones run.
//
// A workload begins with room for all of it: that is judged at every decision. What is held for
// pods to come is written nowhere, and is lost with its node, or with the process that holds it.
// Those that run by then stay, as those of a gang do that loses a pod: such a workload may stand in
// part as long as there is no room for the rest.
class HeldRooms {
 public:
  HeldRooms();
  ~HeldRooms();

  // What a process sees and decides. REQUIRES: none runs once this has ended.
  void Follow(LiveWorld::Process& process);
  // Any of them.
  void ProcessEnded() { NoteLost(); }
  // Room was lost since the workload ("namespace/name") began, and may have been its own.
  bool MayBeLost(const std::string& workload) const;

 private:
  class Follower;
  struct Begun {
    bool comes_in_groups = false;
    bool may_be_lost = false;
  };

  void NoteLost();
  // A group that loses a pod is made anew, and begins anew.
  void NoteGone(std::string_view pod);

  std::vector<std::unique_ptr<Follower>> followers_;
  std::map<std::string, Begun> begun_;  // by workload
};

}  // namespace fairlead::live
