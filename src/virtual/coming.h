#pragma once

#include <optional>

#include "base/time.h"
#include "objects/objects.h"

namespace fairlead::virtual_cluster {

// Objects that come one after the other, each made as it comes: what has not come yet costs only
// what is kept here.
class Coming {
 public:
  virtual ~Coming() = default;
  // How long after the submission the next one comes; absent: none does any more. Never less than
  // for the one before; of one moment they come in the order of a submission (submission.h).
  virtual std::optional<Duration> After() const = 0;
  // REQUIRES: After(). No pod, valid, and without the annotation fairlead.dev/arrives-at.
  virtual objects::Object Take() = 0;
};

}  // namespace fairlead::virtual_cluster
