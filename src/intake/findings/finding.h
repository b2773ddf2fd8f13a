#pragma once

#include <string>

namespace fairlead::intake {

// A fact about an object that its owner should know, found while joining (a condition, not a
// fault).
struct Finding {
  std::string object;  // "Queue vision"
  std::string source;  // FILE:LINE, where known
  std::string code;    // "ParentNotFound"
  std::string message;
};

}  // namespace fairlead::intake
