#pragma once

#include <string>
#include <vector>

#include "host/expected_starts.h"
#include "objects/objects.h"
#include "server/backend.h"
#include "virtual/cluster.h"

namespace fairlead::host {

// What would be said of work that is not there yet, if it were submitted now (options.start) to a
// cluster of these objects, whose pods and workloads are `known` by name, sorted: of each workload
// that `submitted` makes one answer as Explain's, with `expectedStart` where it would wait, by
// name. Nothing stays of it. Refused: something of it is there already; it makes no work.
server::Answer ExplainIfSubmitted(std::vector<objects::Object> there,
                                  const std::vector<std::string>& known,
                                  std::vector<objects::Object> submitted,
                                  const virtual_cluster::Options& options,
                                  const PastDurations& past = nullptr);

}  // namespace fairlead::host
