#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "drive/event.h"
#include "drive/observer.h"
#include "effects/books.h"
#include "effects/writes.h"
#include "engine/scheduler.h"
#include "intake/intake.h"
#include "objects/objects.h"
#include "state/change.h"

namespace fairlead::drive {

// Who carries out: the virtual cluster, the real one; nobody, where a saved state is planned over.
class Carrier {
 public:
  virtual ~Carrier() = default;
  // Lets happen what is due by `now`: before the changes of an instant are taken, and again after
  // each of its rounds.
  virtual void Happen(Time /*now*/) {}
  // Tells the driver of the objects that it was not told of yet (Driver::Take). False: there were
  // none.
  virtual bool TellNews(Time /*now*/) { return false; }
  // It evicts a pod, and is about to be completed with what intake knows of the pod's job: what was
  // not told of that is told (Driver::Take).
  virtual void Reveal(const effects::EvictPod& /*evict*/) {}
  // Does it, at once or later. What cannot be done is said by Driver::Fail.
  virtual void Carry(effects::Write&& write) = 0;
};

// The loop that every cluster goes through, real, virtual, replayed or saved: what happened goes
// through intake to the engine and the books, the engine decides, and what it decided goes out as
// writes. They differ in their clock, which is whoever calls Instant, and in their carrier.
//
//   objects ─► Take ─► intake ─► changes ─► observers, books, engine ─► plan ─► writes ─► carrier
//      ▲                            ▲ Fail                                                    │
//      └────────────────────────────┴───── what then happens ◄────────────────────────────────┘
//
// - The order of writes is decided here, once: what came true of workloads as soon as it is known;
//   after a round first its plan, for which somebody waits, then statuses.
// - An object that went and one of its name that comes at the same moment are two: what a removal
//   changes is worked out before anything else comes. (Of pods intake knows it by their uid.)
// - It comes to rest. What the rounds of an instant change at that very instant is decided on at
//   most kMaxRoundsPerInstant times; and after kMaxQuietTimers instants in a row that `next_round`
//   asked for and that changed nothing, it asks for no more until something changes.
//
// Thread safety: none. Cost beside that of intake, books and engine: that of the observers.
class Driver {
 public:
  static constexpr int kMaxRoundsPerInstant = 64;
  static constexpr std::int32_t kMaxQuietTimers = 10'000;

  explicit Driver(Carrier& carrier) : carrier_(carrier) {}
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // Is told of everything from now on, after those that were added before. Not owned.
  void AddObserver(Observer* observer) { observers_.push_back(observer); }

  // What comes in. A configuration that is no object of the cluster comes first.
  void Configure(Time now, const objects::SchedulerConfiguration& configuration);
  void Take(const ObjectNews& news);
  // BindFailed or EvictFailed: told with the next changes.
  void Fail(state::Change failed) { failed_.push_back(std::move(failed)); }
  // What else happened, for observers alone.
  void Tell(const Event& event) {
    for (Observer* observer : observers_) observer->OnEvent(event);
  }

  // All of one instant: what is due, what changed, and rounds until there is nothing new to decide
  // on. Without news a round is run only where one is due. `now` goes back only where a clock was
  // set.
  void Instant(Time now);
  // When there is an instant even if nothing happens before; later than the last one.
  std::optional<Time> next_round() const { return next_round_; }

  // The halves of an instant, for who decides at moments of his own: a replay, a saved state.
  // Makes the engine know what changed; whether anything had.
  bool TakeNews(Time now);
  // One round, and its writes.
  engine::Plan Decide(Time now);
  // Figures as of what is known, without a round.
  void Settle(Time now) { scheduler_.Settle(now); }

  std::int64_t rounds() const { return rounds_; }
  intake::Intake& intake() { return intake_; }
  const intake::Intake& intake() const { return intake_; }
  const engine::Scheduler& scheduler() const { return scheduler_; }
  const effects::Books& books() const { return books_; }

 private:
  void TakeChanges(std::size_t most_pods);
  engine::Plan Round(Time now);
  // What the last round decided.
  void CarryOut(engine::DecisionReports decisions);
  // What intake knows of whose write it is: of which job, and what that asks.
  void Complete(effects::Write& write);
  void Carry(effects::Write&& write);

  Carrier& carrier_;
  std::vector<Observer*> observers_;
  intake::Intake intake_;
  engine::Scheduler scheduler_;
  effects::Books books_;
  std::vector<state::Change> changes_, failed_;  // that the engine does not know yet
  Time now_;
  std::optional<Time> next_round_;
  std::int64_t rounds_ = 0, writes_ = 0;
  std::int32_t quiet_timers_ = 0;  // in a row
};

// For who decides and leaves it at that.
class NoCarrier : public Carrier {
 public:
  void Carry(effects::Write&& /*write*/) override {}
};

}  // namespace fairlead::drive
