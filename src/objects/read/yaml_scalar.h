#pragma once

#include <string>
#include <string_view>

#include "objects/read/document.h"

namespace fairlead::objects {

// What a plain (unquoted) YAML scalar means to kubectl, which reads YAML 1.1: yes and on are
// booleans, 0x1f and 0755 and 1_000 are numbers, ~ is null. Timestamps stay strings.
//
// One difference: y and n are booleans to kubectl, and so no names. Here they are strings, as to
// YAML 1.2 and most other tools: a pod called y is more likely than a switch that says y.
struct PlainScalar {
  Value::Kind kind = Value::Kind::kString;
  bool truth = false;          // of a kBool
  std::string canonical = {};  // of a kNumber that JSON would write otherwise; else empty
};
PlainScalar ResolvePlain(std::string_view text);

}  // namespace fairlead::objects
