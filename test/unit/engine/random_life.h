#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/scheduler.h"
#include "unit/engine/random_world.h"

namespace fairlead::engine {

// A random cluster, lived through: first rounds in which anything happens, then rounds in which
// nothing does but what the plans say, until it is quiet. In each the audit finds nothing wrong, a
// second round decides nothing, and in the busy ones a newcomer who sees all decides the same.
class RandomLife {
 public:
  // Every other lets go soon of what nobody asks any more.
  RandomLife(std::uint64_t seed, Kind kind) : world_(static_cast<std::uint32_t>(seed), kind) {
    if (seed % 2 == 0) scheduler_.SweepAfter(seed % 8);
  }
  virtual ~RandomLife() = default;

  // Whether all went well.
  bool Live();
  bool becomes_quiet() const { return quiet_; }
  const std::string& last_plans() const { return last_; }  // once nothing happens from outside
  int evictions() const { return evictions_; }

 protected:
  // What else is to be judged: before a round, after it (its plan is not carried out yet), and once
  // all is quiet.
  virtual void BeforeRound() {}
  virtual void AfterRound(const Plan& /*plan*/, bool /*busy*/) {}
  virtual void AtRest() {}
  // Whether a newcomer must decide the same.
  virtual bool IsComparable(const Plan& /*plan*/) const { return true; }
  virtual bool Counts(const Decision& eviction) const = 0;  // among evictions()

  RandomWorld world_;
  Scheduler scheduler_;
  std::string last_;

 private:
  void Busy();
  bool Quiet();
  Plan Decide();
  void CarryOut(const Plan& plan);

  Time now_;
  std::vector<state::Change> carried_;
  int evictions_ = 0;
  bool quiet_ = false;
  Time idle_since_;
};

}  // namespace fairlead::engine
