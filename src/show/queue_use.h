#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "drive/observer.h"
#include "show/table.h"

namespace fairlead::show {

// What the leaf queues use of one resource while a simulation runs, as bars: who stays within its
// guarantee, who borrows, who gives back.
//
//   +20m   ####++ 6   ###... 3        # within the guarantee, + beyond it, . guaranteed and unused
//
// Cost: a look at every leaf queue a round, for those who ask for it.
class QueueUse : public drive::Observer {
 public:
  // "gpu" is nvidia.com/gpu.
  explicit QueueUse(std::string_view resource);

  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override;

  // A row a change, at most `rows`: where there were more, what was in use at equal distances.
  Table Rows(Time start, std::size_t rows) const;
  // What the signs mean, and how much one of them is.
  std::string Legend() const;

 private:
  struct Use {
    std::int64_t allocated = 0, guaranteed = 0;
    bool operator==(const Use&) const = default;
  };
  struct Moment {
    Time time;
    std::map<std::string, Use> queues;
  };
  std::int64_t Sign() const;  // how much one sign stands for
  std::string Bar(const Use& use, std::int64_t sign) const;

  std::string resource_;
  std::vector<Moment> moments_;
};

}  // namespace fairlead::show
