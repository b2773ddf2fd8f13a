#include "intake/allow_preemption.h"

#include "intake/keys.h"

namespace fairlead::intake {

AllowPreemption AllowPreemptionOf(const objects::Meta& meta) {
  AllowPreemption said;
  for (const objects::Labels* labels : {&meta.labels, &meta.annotations}) {
    for (std::string_view key : {kAllowPreemptionKey, kYuniKornAllowPreemptionKey}) {
      const std::string* value = objects::FindLabel(*labels, key);
      if (value == nullptr || *value == "true") continue;
      if (*value == "false") {
        said.opted_out = true;
      } else if (said.invalid.empty()) {
        said.invalid = *value;
      }
    }
  }
  return said;
}

}  // namespace fairlead::intake
