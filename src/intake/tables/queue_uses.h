#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "intake/tables/marks.h"

namespace fairlead::intake {

// How many families and gangs are of each queue: the default queue is there once the first one
// uses it. A queue that comes to be used, or is used no more, is marked.
class QueueUses {
 public:
  QueueUses(const Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  // A family or a gang that was of queue `from` is of `to` now; either may be the empty name.
  void Move(NameId from, NameId to);
  bool IsUsed(std::string_view queue) const;

 private:
  const Tables& tables_;
  Marks& marks_;
  std::vector<std::uint32_t> uses_;  // by NameId
};

}  // namespace fairlead::intake
