#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"
#include "objects/objects.h"
#include "state/change.h"

// What objects say of how long their work runs (time.md §1).

namespace fairlead::intake {

// What the annotation fairlead.dev/expected-duration says. The view points into `annotations`.
struct ExpectedDuration {
  std::optional<Duration> value;
  std::string_view invalid;  // what it says in vain: no duration above 0
};
ExpectedDuration ExpectedDurationOf(const objects::Labels& annotations);

// Of a pod by itself. Its deadline is the end of its work only where nobody makes another in its
// place; else it is a guess.
state::RunTime RunTimeOf(const objects::Pod& pod, const ExpectedDuration& expected, bool is_remade);

// Of work of which both speak: the earlier end.
state::RunTime Earlier(const state::RunTime& a, const state::RunTime& b);

}  // namespace fairlead::intake
