#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "intake/facts/foreign_keys.h"
#include "objects/pod.h"
#include "state/reason.h"

// What the keys of other schedulers (foreign_keys.h) on one object ask. They are packed as one
// string, which is empty for most objects, and judged where they are joined.

namespace fairlead::intake {

// The keys among labels and annotations that ask for something or are not known. `class_name`: the
// priority class that the object's pods name; `needs`: of the pods, where the object is a pod or a
// template. Cost: ≈ 1 ns a key where there are none.
std::string PackForeign(const objects::Labels& labels, const objects::Labels& annotations,
                        std::string_view class_name, const objects::PodNeeds* needs);

// The same of a namespace: YuniKorn alone reads annotations there that say how its work is
// scheduled.
std::string PackForeignOfNameSpace(const objects::Labels& annotations);

struct ForeignAsk {
  KeyPlace place = KeyPlace::kLabel;  // where it stands; kEither: what the pods ask themselves
  std::string_view key;
  std::string_view value;           // where it makes a difference, at most 64 letters
  const ForeignKey* row = nullptr;  // null: the key is not known
};
// Calls `take` for each. REQUIRES: `packed` comes from PackForeign; the views point into it.
void ForEachAsk(std::string_view packed, const std::function<void(const ForeignAsk&)>& take);

// By what other means the object is served.
struct MetAlready {
  bool gang = false;   // its pods start together
  bool queue = false;  // a queue is named by a label that is read
};

// "metadata.labels['a.b/c']"; `of`: what has the metadata ("" or "spec.template.").
std::string FieldOf(std::string_view of, const ForeignAsk& ask);

// The first demand that is not served, and the names of the others; none: there is none.
std::optional<state::Reason> ForeignHold(std::string_view packed, MetAlready met,
                                         std::string_view of);

// Calls `tell(code, message)` for each that is passed over: it changes no decision, is met by other
// means, or is not known.
void TellForeign(std::string_view packed, MetAlready met,
                 const std::function<void(std::string_view code, std::string message)>& tell);

}  // namespace fairlead::intake
