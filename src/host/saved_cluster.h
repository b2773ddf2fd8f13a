#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/time.h"
#include "host/expected_starts.h"
#include "host/offline_cluster.h"
#include "objects/objects.h"
#include "server/backend.h"
#include "view/view.h"

namespace fairlead::host {

// A saved state that is asked as a running cluster is: nothing is decided of it.
class SavedCluster {
 public:
  // `now` absent: the newest time in the objects.
  SavedCluster(std::vector<objects::Object> objects, std::optional<Time> now, PastDurations past);

  // As server::Backend has it: tables of what schedules, as of a real cluster; else objects as they
  // were read, with `status.expectedStart` of those that wait. That is worked out, on all cores,
  // for the first who asks for what may wait.
  server::Answer Get(const server::Query& query);

 private:
  void WorkOutStarts();
  server::Answer Objects(const server::Query& query) const;

  const std::vector<objects::Object> objects_;
  const PastDurations past_;
  OfflineCluster offline_;
  view::View view_;
};

}  // namespace fairlead::host
