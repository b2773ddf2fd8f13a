#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "effects/books.h"
#include "effects/writes.h"
#include "engine/scheduler.h"
#include "intake/intake.h"
#include "virtual/cluster.h"
#include "virtual/submission.h"
#include "virtual/world.h"

namespace fairlead::virtual_cluster {

// The parts of a virtual cluster, and what goes round between them:
//
//   tasks due, controllers ──► store ──► intake ──► changes ──► engine, books, observers
//        ▲                                                          │ a round
//        └──────────────── writes of the plan, status ◄─────────────┘
class VirtualCluster::Impl {
 public:
  explicit Impl(const Options& options) : world(options) {}

  // Submissions and deletions (cluster.cc).
  Submitted Take(std::vector<objects::Object> objects, const std::vector<Intent>& intents);
  bool Appear(SlotId slot);  // whether it is new
  void Replace(SlotId slot, SlotId by);
  bool Delete(std::size_t kind, std::string_view key);
  void DeleteStored(SlotId slot);
  void DeleteAllIn(const std::string& name_space);
  void DropStaleTasks();

  // One instant (instant.cc).
  bool HasWorkNow() const;
  void DoInstant();
  void DoDueTasks();
  bool TellEngine();
  void RunRound();
  void Apply(effects::Write& write);
  void ApplyBind(effects::BindPod& bind);
  void ApplyEvict(const effects::EvictPod& evict);
  void ApplyNominate(const effects::NominatePod& nominate);
  void ApplyReserve(const effects::ReserveNode& reserve);
  void ApplyAdmit(const effects::AdmitWorkload& admit);
  void ApplyStop(const effects::StopWorkload& stop);
  void ApplyStart(const effects::SetStartTime& set);
  void ApplyProtection(const effects::SetProtection& set);
  void ApplyFinish(const effects::FinishWorkload& finish);
  void ApplyQuotaStatus(effects::SetQuotaStatus& set);
  void ApplyWarn(const effects::Warn& warn);

  Final FinalState() const;  // final.cc
  std::vector<WorkloadFinal> FinalWorkloads() const;

  World world;
  intake::Intake intake;
  engine::Scheduler scheduler;
  effects::Books books;
  std::optional<Time> next_round;
  std::vector<state::Change> failed_binds;
  bool begun = false;  // the first instant is done: from now on arrivals are news
  std::int64_t rounds = 0;
  std::int32_t quiet_instants = 0;  // in a row, in which nothing was decided
};

}  // namespace fairlead::virtual_cluster
