#include "trace/named_topologies.h"

#include <utility>

namespace fairlead::trace {

std::vector<account::NamedTopology> NamedTopologies(const intake::Intake& intake) {
  std::vector<account::NamedTopology> named;
  for (intake::KnownTopology& known : intake.KnownTopologies()) {
    named.push_back({.name = std::move(known.name),
                     .levels = std::move(known.levels),
                     .of_labels = known.of_labels});
  }
  return named;
}

}  // namespace fairlead::trace
