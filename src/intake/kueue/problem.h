#pragma once

#include <string>

namespace fairlead::intake {

// Something that the owner of one of Kueue's objects should know.
struct KueueProblem {
  std::string kind, key, source;
  std::string code, message;
  bool stops = false;       // nothing starts because of it
  bool on_purpose = false;  // its owner said so: a condition, and nobody is told
  bool operator==(const KueueProblem&) const = default;
};

}  // namespace fairlead::intake
