#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "objects/objects.h"
#include "objects/read/reader.h"
#include "virtual/store.h"

namespace fairlead::virtual_cluster {

// What our annotations say about one object of a submission.
struct Intent {
  Duration after;                        // fairlead.dev/arrives-at
  bool announced = false;                // it has that annotation
  std::optional<Duration> run_duration;  // of a pod: fairlead.dev/run-duration
  std::uint32_t rank = 0;                // by kind: what others stand on comes first
  std::uint32_t index = 0;               // into the submission
};

// One Intent an object, in the order in which they are to appear: by time, then kind, namespace and
// name, so that the order inside a submission does not matter. Or the faults.
tl::expected<std::vector<Intent>, std::vector<objects::Fault>> CheckSubmission(
    const std::vector<objects::Object>& objects);

// Takes what `next` says of `entry`'s object, which has the same kind and name, and keeps what the
// cluster made of it: uid, creation time, status. A pod that is bound keeps what it asks for; a Job
// that is submitted again as it was keeps the counts of its admission.
// Returns whether anything of it is another now.
bool MergeInto(Entry& entry, objects::Object next);

}  // namespace fairlead::virtual_cluster
