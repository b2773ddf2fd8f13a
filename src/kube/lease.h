#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/time.h"
#include "kube/loop.h"

namespace fairlead::kube {

struct LeaseOptions {
  std::string name_space, name;
  std::string identity;  // unique: host name and something random
  Duration lease_duration =
      Duration::Seconds(15);  // after so long without a renewal another takes it
  Duration renew_deadline = Duration::Seconds(10);  // after so long without success we give it up
  Duration retry_period = Duration::Seconds(2);
  std::uint64_t seed = 1;  // of the jitter
};

// Who leads among several replicas: a Lease of coordination.k8s.io/v1, kept as client-go keeps it,
// so that the two can share one.
//
// - Whether a lease has run out is judged by when it was seen to change *here*; the times written
//   in it are another machine's and only shown.
// - A lease counts from when its renewal was sent, so we stop before another starts, but for a
//   process that was stopped in between: ask LeadsAt before what must not be done twice. Writes
//   must be conditional all the same: a lease fences nothing.
// - A renewal whose outcome is unknown is read again before it counts.
//
// Thread safety: the loop's thread only.
class LeaderElection {
 public:
  struct Callbacks {
    std::function<void()> on_elected;
    std::function<void()> on_lost;                               // also by Stop, where it led
    std::function<void(const std::string& identity)> on_leader;  // another or we; may be empty
    std::function<void(const std::string& message)> on_problem;  // for the log; may be empty
  };

  // REQUIRES: lease_duration > renew_deadline > retry_period > 0, whole seconds for the first.
  LeaderElection(Loop& loop, LeaseOptions options, Callbacks callbacks);
  ~LeaderElection();  // releases nothing: Stop does

  void Start();
  // Gives the lease back where it leads or was about to, so that another need not wait, then calls
  // `done`: at the latest after retry_period. on_lost is called at once.
  void Stop(std::function<void()> done);

  bool leads() const;
  // Leads, and the lease is still ours at `now` (the loop's Now), however long nobody looked.
  bool LeadsAt(Time now) const;
  const std::string& leader() const;  // identity of the last one seen; empty: none

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::kube
