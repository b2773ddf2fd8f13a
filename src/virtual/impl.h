#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/driver.h"
#include "effects/writes.h"
#include "virtual/cluster.h"
#include "virtual/submission.h"
#include "virtual/world.h"

namespace fairlead::virtual_cluster {

// The parts of a virtual cluster, and what goes round between them:
//
//   tasks due, controllers ──► store ──► drive::Driver: intake, engine, books
//        ▲                                   │ rounds
//        └───────────── writes ◄─────────────┘
class VirtualCluster::Impl : private drive::Carrier {
 public:
  explicit Impl(const Options& options) : driver(*this), world(options, driver) {}

  // Submissions and deletions (cluster.cc).
  Submitted Take(std::vector<objects::Object> objects, const std::vector<Intent>& intents);
  Submitted::Outcome Appear(SlotId slot);
  bool Replace(SlotId slot, SlotId by);  // whether it says anything new
  bool Delete(std::size_t kind, std::string_view key);
  void DeleteStored(SlotId slot);
  void DeleteAllIn(const std::string& name_space);
  void DropStaleTasks();
  void TakeComing();
  std::optional<Time> NextComing() const;
  void ForgetEnded();
  void Reveal(SlotId job);

  // One instant (instant.cc).
  bool HasWorkNow() const;
  void DoInstant();
  void Happen(Time now) override;
  bool TellNews(Time now) override;
  void Reveal(const effects::EvictPod& evict) override;
  void Carry(effects::Write&& write) override;
  void ApplyEvict(const effects::EvictPod& evict);
  void NoteStops(const effects::EvictPod& evict);
  void ApplyNominate(const effects::NominatePod& nominate);
  void ApplyReserve(const effects::ReserveNode& reserve);
  void ApplyReservation(const effects::SetReservation& set);
  void ApplyLandings(const effects::SetLandings& set);
  void ApplyLoan(const effects::SetLoan& set);
  void ApplyAdmit(const effects::AdmitWorkload& admit);
  void ApplyStop(const effects::StopWorkload& stop);
  void ApplyProtection(const effects::SetProtection& set);
  void ApplyUngated(const effects::SetUngated& set);
  void ApplyFinish(const effects::FinishWorkload& finish);
  template <typename NoteIn>
  void NoteInWorkload(const std::string& name, NoteIn note);
  // What it says in the status of its workload, from now on.
  template <typename Set>
  void NoteNow(const Set& set);
  void ApplyQuotaStatus(effects::SetQuotaStatus& set);
  void ApplyGroupCondition(const effects::SetGroupCondition& set);
  void ApplyWarn(const effects::Warn& warn);

  Final FinalState() const;  // final.cc
  std::vector<WorkloadFinal> FinalWorkloads() const;

  drive::Driver driver;
  World world;
  std::unique_ptr<Coming> coming;  // null: nothing comes by itself
  Time coming_since;
  std::int64_t forgotten_workloads = 0;
  bool begun = false;  // the first instant is done: from now on arrivals are news
};

}  // namespace fairlead::virtual_cluster
