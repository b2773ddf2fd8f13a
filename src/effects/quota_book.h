#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "effects/writes.h"
#include "state/change.h"
#include "state/cluster.h"

namespace fairlead::effects {

// What is to be written into the status of each ElasticQuota: what its namespace uses, and whether
// it counts. Kept from the changes that the engine gets; the amounts are its queue's.
//
// - `used` names what min or max name, 0 included. What the engine has decided counts already. A
//   quota that does not count has none.
// - A status is written where it differs from what was written last; a warning is given once for
//   each problem as long as it lasts.
// Thread safety: none. Cost: Apply a lookup a quota that changed, TakeWrites ≈ 10 ns a quota.
class QuotaBook {
 public:
  void Apply(std::span<const state::Change> changes);

  // SetQuotaStatus and Warn, by quota. REQUIRES: the queues are settled, as after a round.
  std::vector<Write> TakeWrites(const state::Cluster& cluster);
  bool empty() const { return rows_.empty(); }

 private:
  struct Row {
    state::QuotaChange facts;
    bool fresh = true;  // the facts changed since the last write
    state::QueueId queue;
    std::vector<state::ResourceId> resources;  // of facts.resources; invalid: not known yet
    std::vector<std::int64_t> used;            // as written
    std::set<std::string> warned_of;           // codes
  };
  static void Locate(Row& row, const state::Cluster& cluster);
  static SetQuotaStatus StatusOf(const Row& row);
  static void Warn(Row& row, std::vector<Write>& writes);

  std::map<std::string, Row> rows_;
};

}  // namespace fairlead::effects
