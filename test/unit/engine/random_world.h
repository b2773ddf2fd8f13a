#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/scheduler.h"
#include "state/change.h"

namespace fairlead::engine {

enum class Kind : std::uint8_t {
  kOneQueue,  // all work is in one queue
  kTree,      // of queues, whose specs change
  kHidden,    // and things happen that the objects do not tell afterwards: queues are deleted under
              // running work, nodes go before their pods, workloads have templates
};

// A cluster that changes at random, as the changes that intake would give: what is there now, and
// what was done last. Equal seeds make equal worlds.
class RandomWorld {
 public:
  RandomWorld(std::uint32_t seed, Kind kind);

  // One to three random things happen.
  std::vector<state::Change> Step();
  // The cluster carries out a plan; some binds fail.
  std::vector<state::Change> CarryOut(const Scheduler& scheduler, const Plan& plan);
  // Everything that is there, in a shuffled order.
  std::vector<state::Change> All();

 private:
  int Roll(int below) { return static_cast<int>(random_() % static_cast<std::uint32_t>(below)); }
  template <typename Map>
  typename Map::iterator Any(Map& map);

  void PutNode();
  void ChangeNode();
  void RemoveNode();
  void PutQueue(const std::string& name, bool fresh);
  void ChangeQueue();
  void AddPods();
  void AddGang();
  void AddGangPod(const state::WorkloadChange& gang, int set);
  void ChangeGang();
  void ChangePod();
  void RemovePod(const std::string& name);
  void RemoveGang(const std::string& name);
  state::NeedsPtr Needs();
  const char* Leaf();
  bool hidden() const { return kind_ == Kind::kHidden; }
  void Give(state::Change change) { given_.push_back(std::move(change)); }

  std::mt19937 random_;
  Kind kind_;
  int made_ = 0;
  std::int64_t clock_s_ = 0;
  std::map<std::string, state::NodeChange> nodes_;
  std::map<std::string, state::QueueChange> queues_;
  std::map<std::string, state::WorkloadChange> gangs_;
  std::map<std::string, state::PodChange> pods_;
  std::vector<state::Change> given_;
};

}  // namespace fairlead::engine
