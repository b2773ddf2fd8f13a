#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/names.h"

namespace fairlead::intake {

// Where an object was read ("FILE:LINE"), in eight bytes.
struct Source {
  NameId file = Names::kEmpty;
  std::uint32_t line = 0;
};
Source InternSource(std::string_view text, Names& names);
std::string ToString(Source source, const Names& names);

}  // namespace fairlead::intake
