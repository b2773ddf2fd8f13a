#include "account/ledger.h"

namespace fairlead::account {

std::string_view ToString(StayEnd end) {
  switch (end) {
    case StayEnd::kRuns:
      return "running";
    case StayEnd::kFinished:
      return "finished";
    case StayEnd::kEvicted:
      return "evicted";
    case StayEnd::kDeleted:
      return "deleted";
  }
  return "";
}

}  // namespace fairlead::account
