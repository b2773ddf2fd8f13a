#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "drive/observer.h"

namespace fairlead::trace {

// Audits the state after every round of a run, and the round's plan (engine/audit/audit.h).
//
// Thread safety: none. Cost: O(cluster) a round, be there as little to decide as may.
class AuditedRounds : public drive::Observer {
 public:
  static constexpr std::size_t kMostKept = 50;

  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override;

  std::int64_t rounds() const { return rounds_; }
  std::int64_t complaints() const { return complaints_; }
  // The first of them, each with the time of its round.
  const std::vector<std::string>& kept() const { return kept_; }

 private:
  std::int64_t rounds_ = 0, complaints_ = 0;
  std::vector<std::string> kept_;
};

}  // namespace fairlead::trace
