#pragma once

#include <memory>
#include <string>
#include <vector>

namespace fairlead::objects {

// Who asked for a workload: a user, and the groups that he is in.
struct Submitter {
  std::string user;
  std::vector<std::string> groups;  // sorted, each once
  bool operator==(const Submitter&) const = default;
};
using SubmitterPtr = std::shared_ptr<const Submitter>;  // equal ones should share one pointer

}  // namespace fairlead::objects
