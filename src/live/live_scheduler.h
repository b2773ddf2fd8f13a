#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "drive/observer.h"
#include "engine/scheduler.h"
#include "intake/intake.h"
#include "kube/histogram.h"
#include "kube/lease.h"
#include "kube/loop.h"
#include "live/executor.h"
#include "live/writer.h"
#include "objects/objects.h"

namespace fairlead::live {

// Schedules a real cluster: reads it by reflectors, lets the engine decide, carries the plan out.
//
//   server ─► reflectors ─► drive::Driver: intake, engine ─► writes ─► executor ─► writer ─► server
//                  └────► what is held for writing ──────────────────────┘
//
// - Where a lease is asked for it reads nothing before it leads: what it then lists is newer than
//   anything that another leader wrote. Losing the lease is the end: on_lost, and nothing is
//   written any more. Whoever runs it starts another process.
// - It decides once all resources are listed, after every burst of changes, and at the plan's
//   nextRound. Nothing waits for a tick.
// - An object that cannot be read is reported and counted, and stays as it was known.
//
// Thread safety: all on the loop's thread.
class LiveScheduler {
 public:
  struct Options {
    objects::SchedulerConfiguration configuration;
    std::optional<kube::LeaseOptions> lease;  // absent: alone
    std::string identity;                     // of this process, in events
    std::uint64_t seed = 1;
    Writer::Options writer;
  };
  struct Callbacks {
    std::function<void(const std::string&)> on_problem;  // for the log, as the next
    std::function<void(const std::string&)> on_news;
    std::function<void()> on_lost;
  };
  enum class State : std::uint8_t { kStandby, kReading, kDeciding, kStopped };

  LiveScheduler(kube::Loop& loop, Options options, Callbacks callbacks);
  ~LiveScheduler();

  // Not owned; called on the loop's thread.
  void AddObserver(drive::Observer* observer);
  void Start();
  // How long work of these queues runs in the median: for their status.
  void SetMedianDurations(std::map<std::string, Duration> by_queue);
  // Gives the lease back; then calls `done`.
  void Stop(std::function<void()> done);

  State state() const;
  Time now() const;  // of the last round
  // By how much the machine's clock is ahead of the API server's; less than zero: behind.
  Duration clock_ahead() const;
  const engine::Scheduler& scheduler() const;
  const intake::Intake& intake() const;
  const Writer& writer() const;
  const Executor& executor() const;
  const Events& events() const;
  // How long rounds took: deciding alone.
  const kube::Histogram& deciding() const;
  // From when an object was read until the binding that was decided by it was handed over.
  const kube::Histogram& reaction() const;
  struct Cache {
    std::string resource;
    kube::ReflectorState state = kube::ReflectorState::kStopped;
    std::size_t objects = 0;
    kube::ReflectorCounts counts;
  };
  std::vector<Cache> caches() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::live
