#include "intake/facts/allow_preemption.h"

#include <algorithm>

#include "objects/keys.h"

namespace fairlead::intake {

// One pass instead of a search for each key: this is done for every change of every pod, and hardly
// any has a key of that length.
AllowPreemption AllowPreemptionOf(const objects::Meta& meta) {
  AllowPreemption said;
  AllowPreemption::Word yunikorns = AllowPreemption::Word::kNone;
  for (const objects::Labels* labels : {&meta.labels, &meta.annotations}) {
    for (const auto& [key, value] : *labels) {
      if (key != objects::kAllowPreemptionKey && key != objects::kYuniKornAllowPreemptionKey)
        continue;
      AllowPreemption::Word& word = key == objects::kAllowPreemptionKey ? said.word : yunikorns;
      if (value == "false") {
        word = AllowPreemption::Word::kNo;
      } else if (value == "true") {
        word = std::max(word, AllowPreemption::Word::kYes);
      } else if (said.invalid.empty()) {
        said.invalid = value;
      }
    }
  }
  if (said.word == AllowPreemption::Word::kNone) said.word = yunikorns;
  return said;
}

}  // namespace fairlead::intake
