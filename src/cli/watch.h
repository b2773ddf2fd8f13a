#pragma once

#include <map>
#include <string>

#include "cli/fetch.h"

namespace fairlead::cli {

// What `get --watch` prints of tables that it is given one after the other.
class RowChanges {
 public:
  // Of all rows that are there now, those that are new or differ from what was printed last. How
  // long something lasts is no difference, unless it is younger now: it is another of that name.
  // One that went comes once more, as Deleted.
  Rows Take(Rows now);

 private:
  std::map<std::string, NamedRow> shown_;
};

}  // namespace fairlead::cli
