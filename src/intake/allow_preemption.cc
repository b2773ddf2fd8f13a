#include "intake/allow_preemption.h"

#include "intake/keys.h"

namespace fairlead::intake {

// One pass instead of a search for each key: this is done for every change of every pod, and hardly
// any has a key of that length.
AllowPreemption AllowPreemptionOf(const objects::Meta& meta) {
  AllowPreemption said;
  for (const objects::Labels* labels : {&meta.labels, &meta.annotations}) {
    for (const auto& [key, value] : *labels) {
      if (key != kAllowPreemptionKey && key != kYuniKornAllowPreemptionKey) continue;
      if (value == "false") {
        said.opted_out = true;
      } else if (value != "true" && said.invalid.empty()) {
        said.invalid = value;
      }
    }
  }
  return said;
}

}  // namespace fairlead::intake
