#pragma once

#include <algorithm>

#include "objects/meta.h"

namespace fairlead::intake {

// Whether all of `wanted` are among the labels, with the same values.
inline bool HasAll(const objects::Labels& labels, const objects::Labels& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& label) {
    const std::string* value = objects::FindLabel(labels, label.first);
    return value != nullptr && *value == label.second;
  });
}

}  // namespace fairlead::intake
