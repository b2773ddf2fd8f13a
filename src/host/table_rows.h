#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "base/time.h"
#include "engine/scheduler.h"
#include "host/event_log.h"
#include "objects/meta.h"
#include "server/backend.h"
#include "state/cluster.h"
#include "view/view.h"

// What the tables of `get` have in common, of a virtual cluster and of a real one.

namespace fairlead::host {

// Rows are kept apart from the columns that they have no use for.
struct TableRows {
  boost::json::array columns;
  boost::json::array rows;
};
// {"kind":"Table","now":…,"columns":[…],"rows":[[…]]}
boost::json::object ToJson(TableRows rows, Time now);

// "there is no Pod p in namespace n; did you mean q?": `names` are there.
server::Refusal NoSuch(const server::Query& query, const std::vector<std::string>& names);

boost::json::array PodColumns();
boost::json::array WorkloadColumns();
boost::json::array NodeColumns();

TableRows QueueRows(const engine::Scheduler& scheduler, const view::View& view,
                    const server::Query& query);
TableRows UserRows(const engine::Scheduler& scheduler, const server::Query& query);
TableRows EventRows(const EventLog& log, Time now, const server::Query& query);

// "3h12m": so much is left of how long it may run. Empty: it does not run, or has no limit.
std::string EndsIn(const state::Cluster& cluster, std::string_view workload, Time now);

// "in 2h10m", "in 2h10m (1h50m-3h)": when one that waits is expected to start, and between when and
// when; "never" of what can never start as it is written. Empty: nobody knows, or it does not wait.
std::string ExpectedIn(const view::View& view, const view::WorkloadRow& row, Time now);

// Those that wait, by name.
class PendingRows {
 public:
  explicit PendingRows(const view::View& view);
  std::string ExpectedOf(std::string_view workload, Time now) const;  // as ExpectedIn
  // Adds `status.expectedStart` to the document of that name, where it is known.
  void AddStart(std::string_view workload, boost::json::object& into) const;

 private:
  const view::View& view_;
  boost::unordered_flat_map<std::string_view, const view::WorkloadRow*> rows_;
};

// "12/64", both in one unit: gibibytes for memory.
std::string UsedOf(const objects::ResourceList& used, const objects::ResourceList& total,
                   std::string_view resource);

}  // namespace fairlead::host
