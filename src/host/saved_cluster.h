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
  // `now` absent: the newest time in the objects. When what waits is expected to start is worked
  // out at once.
  SavedCluster(std::vector<objects::Object> objects, std::optional<Time> now,
               const PastDurations& past);

  // As server::Backend has it: tables of what schedules, as of a real cluster; else objects as they
  // were read, with `status.expectedStart` of those that wait.
  server::Answer Get(const server::Query& query) const;

 private:
  server::Answer Objects(const server::Query& query) const;

  const std::vector<objects::Object> objects_;
  OfflineCluster offline_;
  std::shared_ptr<const view::View> view_;
};

}  // namespace fairlead::host
