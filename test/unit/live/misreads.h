#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "base/random.h"
#include "unit/live/live_world.h"

namespace fairlead::live {

// Pods of a LiveWorld that have a node and cannot be read: others' pods, which come, can be read
// later, and go; and ours, which somebody resizes.
//
// Such a pod asks "2?" of CPU: the world's own check takes that for 2, no scheduler can read it. So
// nothing new may go to its node, from when a scheduler has seen it until it goes or can be read
// again. Two judges see to that: here the decisions of every process, and the world's check, since
// another's pod that can be read at last takes what was free there.
class Misreads {
 public:
  // Neither is owned. `slowest`: of what is on its way to the server.
  Misreads(LiveWorld& world, Random& random, Duration slowest);
  ~Misreads();

  // As LiveWorld::Start: a process whose decisions are judged. REQUIRES: the world ends first.
  LiveWorld::Process& Start(std::uint64_t seed, bool with_lease);
  // One of those changes.
  void Change();
  // How often a node was closed, and how often another's pod could be read at last.
  std::uint64_t closed() const { return closed_; }
  std::uint64_t read() const { return read_; }

 private:
  class Watcher;

  void ResizeOurs();
  void ChangeOthers(const std::string& key);
  bool IsKnownToAll(const std::string& key) const;
  int FreeOn(const std::string& node) const;

  LiveWorld& world_;
  Random& random_;
  const Duration slowest_;
  std::vector<std::unique_ptr<Watcher>> watchers_;
  std::uint64_t closed_ = 0, read_ = 0;
};

}  // namespace fairlead::live
