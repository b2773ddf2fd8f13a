#pragma once

#include <cstdint>
#include <string_view>

#include "objects/meta.h"

namespace fairlead::intake {

// What an object says about giving way to DaemonSets' pods (semantics.md §7): its labels and
// annotations `allow-preemption`, ours before YuniKorn's. Where the label and the annotation of one
// spelling differ, "false" counts.
struct AllowPreemption {
  enum class Word : std::uint8_t { kNone, kYes, kNo };  // "true" and "false", in this spelling only
  Word word = Word::kNone;
  std::string_view invalid;  // the first that is neither
};

// A pod's own word beats that of its priority class, as in YuniKorn.
inline bool IsOptedOut(AllowPreemption::Word own, bool class_opted_out) {
  return own == AllowPreemption::Word::kNone ? class_opted_out : own == AllowPreemption::Word::kNo;
}

// The view points into `meta`. Cost: a look at the length of each key, no allocation.
AllowPreemption AllowPreemptionOf(const objects::Meta& meta);

}  // namespace fairlead::intake
