#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "engine/place/placer.h"
#include "engine/plan/plan_writer.h"
#include "engine/room/make_room.h"
#include "engine/round/attempts.h"
#include "engine/round/backlog.h"
#include "engine/round/broken_gangs.h"
#include "engine/round/claims.h"
#include "engine/round/gang_starts.h"
#include "engine/round/job_admission.h"
#include "engine/round/moves.h"
#include "engine/round/node_reservations.h"
#include "engine/round/placements.h"
#include "engine/round/reserved_starts.h"
#include "engine/round/room_requests.h"
#include "engine/round/round_context.h"
#include "engine/round/run_time_limits.h"
#include "engine/round/turns.h"
#include "engine/round/usage_over_time.h"
#include "engine/round/waiting_contenders.h"
#include "engine/round/waiting_lines.h"
#include "engine/round/window_stops.h"
#include "state/cluster.h"

namespace fairlead::engine {

// What the engine keeps between rounds, and the round itself, a list of phases over parts: catch up
// with what changed, serve reservations and claims, then let one queue after the other start its
// best work until nothing more can start.
//
// A part knows those above it in the list of members, and none below. What it has to tell the
// others it writes down (RoundNotices), and Round hands it over.
//
// That work which could not start before is passed over until something it waits for changes is no
// shortcut in the answer: within a round room only shrinks and what is allocated only grows, and
// where somebody had to give way, those who wait for it are asked again.
class Round {
 public:
  Round() = default;
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  Plan Run(Time now);
  void Apply(const state::Change& change);

  // Brings every figure up to date with what was applied, and decides nothing.
  void CatchUp();
  // The same; what was used over time counts up to `at`, where it is given.
  void Settle(std::optional<Time> at);
  // Whether nothing was applied, or has happened, since the last round.
  bool NothingChanged() const;

  void SweepAfter(std::size_t kinds) { few_ = kinds; }
  const state::Cluster& cluster() const { return cluster_; }
  state::Marks& marks() { return cluster_.marks(); }
  const Backlog& backlog() const { return backlog_; }
  const Placements& placements() const { return placements_; }
  const ReservedStarts& reserved() const { return reserved_; }
  const BrokenGangs& broken() const { return broken_; }
  const DaemonSetCounts& daemon_set_counts() const { return reservations_.counts(); }
  Time now() const { return context_.now; }  // of the last round

 private:
  friend class WhatIf;  // tries things on the state, and undoes them
  bool NothingToDo();
  void SweepShapes();
  void TrimJournal();
  void PassUsage();
  std::optional<Time> NextRound();

  // Catching up.
  void GiveUpLostRoom(const std::vector<state::NodeId>& reshaped);
  void NoteChangedWorkloads();
  void LetNextWait();
  void NoteAllPinned();
  void GiveAdopted();

  // Phases.
  void ServeReservations();
  void ServeReserved();
  bool ServeReservedAgain();
  void LetOthersStart(std::uint32_t before);
  void TryAll();
  void Close();

  // Who is asked again, since something came free or rights have changed.
  void AskAgain(const std::function<bool(GroupId)>& whom = nullptr);
  void WakeByEvictions();
  void WakeByVacated();
  void WakeByGivenUp();
  void OfferFreedRoom();

  // How often the journal had counted these changes when they were taken up.
  struct Versions {
    std::uint64_t queues = 0, configuration = 0, budgets = 0, volumes = 0, windows = 0;
    bool operator==(const Versions&) const = default;
  };
  static Versions VersionsOf(const state::Journal& journal) {
    return {journal.queues, journal.configuration, journal.budgets, journal.volumes,
            journal.windows};
  }

  state::Cluster cluster_;
  std::size_t few_ = 4096;  // of what nobody asks any more may always be kept
  state::LogReader<state::NodeId> reshaped_{cluster_.journal().reshaped};
  state::LogReader<state::PodId> adopted_{cluster_.journal().adopted};
  Versions seen_;
  // How often in the round, and after how many steps the last time. It comes to rest much earlier.
  static constexpr std::int32_t kMostServedReserved = 64;
  std::int32_t served_reserved_ = 0;
  std::uint32_t served_reserved_after_ = 0;
  std::int32_t what_ifs_ = 0;  // that are open: nothing is applied or decided meanwhile
  Placer placer_{cluster_};
  Backlog backlog_{cluster_};
  WaitingContenders contenders_{cluster_, placer_, backlog_};
  MakeRoom room_{cluster_, placer_, &contenders_};
  Turns turns_{cluster_};
  PlanWriter plan_;
  RoundContext context_{cluster_, placer_, backlog_, room_, plan_};

  WaitingLines lines_{cluster_};
  UsageOverTime usage_{cluster_};
  GangStarts starts_{context_};
  RunTimeLimits limits_{context_, starts_};
  WindowStops windows_{context_, starts_, context_.windows};
  BrokenGangs broken_{context_, starts_};
  JobAdmission admission_{context_, starts_};
  Placements placements_{context_, admission_};
  Claims claims_{context_, admission_, placements_};
  RoomRequests rooms_{context_, starts_, admission_, placements_, claims_};
  NodeReservations reservations_{context_, admission_, claims_, rooms_};
  ReservedStarts reserved_{context_, admission_, starts_};
  Moves moves_{context_, starts_, placements_, claims_, rooms_, reserved_};
  Attempts attempts_{context_, admission_,    placements_, claims_,
                     rooms_,   reservations_, reserved_,   moves_};
};

}  // namespace fairlead::engine
