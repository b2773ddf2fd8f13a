#pragma once

#include <algorithm>
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
  kContended,   // a tree whose work is more than its nodes hold, with guarantees, minimum runtimes
                // and budgets; who is evicted comes back and waits
  kDaemonSets,  // and DaemonSets' pods come and go that must run on one node each
  kMoves,       // as kContended, and work moves, some of which nobody makes again
  kUsers,       // as kTree, and queues limit what users and groups have
  kTimed,       // as kContended; and work says how long it runs at most, or may, room is kept for
                // who waits, and windows close nodes
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
  // Nothing happens but that those who leave are gone, and come back if they were evicted, and that
  // those end who have said so.
  std::vector<state::Change> LetGo(Time now);
  // Everything that is there, in a shuffled order.
  std::vector<state::Change> All();
  // Whether pods show that their nodes are reserved for them; half of the worlds.
  bool shows_reservations() const { return shows_reservations_; }

 private:
  int Roll(int below) { return static_cast<int>(random_() % static_cast<std::uint32_t>(below)); }
  template <typename Map>
  typename Map::iterator Any(Map& map);

  void PutNode();
  void ChangeNode();
  void RemoveNode();
  void PutQueue(const std::string& name, bool fresh);
  void PutContendedQueue(state::QueueChange& queue);
  objects::MaxLoss LossBounds();
  void LimitUsers(state::QueueChange& queue);
  objects::SubmitterPtr Somebody();
  void PutBudget();
  void ChangeQueue();
  void AddPods();
  void SayHowLong(state::WorkloadTraits& traits);
  void AddGang();
  void AddGangPod(const state::WorkloadChange& gang, int set);
  void ChangeGang();
  void ChangePod();
  void PutConfiguration();
  void PutConsolidation();
  void SetLandings(const state::Cluster& cluster, state::WorkloadId w);
  void ShowReservation(const Scheduler& scheduler, const Plan& plan, const Decision& decision);
  void ShowLoan(const Scheduler& scheduler, const Decision& decision);
  state::WorkloadTraits* TraitsOf(const std::string& workload);
  void PutWindow();
  bool HasEnded(const state::PodChange& pod, Time now) const;
  void ChangeDaemonSets();
  void PutDaemonSetPod();
  void EndPod(const std::string& name);
  void RemovePod(const std::string& name);
  void RemoveGang(const std::string& name);
  state::NeedsPtr Needs();
  const char* Leaf();
  Time Now() const { return std::max(planned_at_, Time{} + Duration::Seconds(clock_s_)); }
  bool hidden() const { return kind_ == Kind::kHidden; }
  bool users() const { return kind_ == Kind::kUsers; }
  bool contended() const {
    return kind_ == Kind::kContended || daemon_sets() || moves() || timed();
  }
  bool moves() const { return kind_ == Kind::kMoves; }
  bool timed() const { return kind_ == Kind::kTimed; }
  bool daemon_sets() const { return kind_ == Kind::kDaemonSets; }
  void Give(state::Change change) { given_.push_back(std::move(change)); }

  std::mt19937 random_;
  Kind kind_;
  int made_ = 0;
  std::int64_t clock_s_ = 0;
  Time planned_at_;  // the last plan that was carried out
  std::map<std::string, state::NodeChange> nodes_;
  std::map<std::string, state::QueueChange> queues_;
  std::map<std::string, state::WorkloadChange> gangs_;
  std::map<std::string, state::PodChange> pods_;
  std::map<std::string, state::BudgetChange> budgets_;
  std::map<std::string, state::WindowChange> windows_;
  state::ConfigurationChange configuration_;  // of kDaemonSets, kMoves and kTimed
  bool shows_reservations_ = false;
  std::set<std::string> evicted_;  // pods that leave because a plan said so
  std::vector<state::Change> given_;
};

}  // namespace fairlead::engine
