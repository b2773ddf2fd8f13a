#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/text.h"

namespace fairlead {

// Names are long ("namespace/job-abcde-7k2p9") and looked up for every change. Boost's own hash
// goes through them byte by byte; the standard library's takes eight at once.
struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const noexcept {
    return std::hash<std::string_view>()(name);
  }
};

// Values by name, in no order. A name that is only looked up needs no std::string.
template <typename Value>
using NameMap = boost::unordered_flat_map<std::string, Value, NameHash, std::equal_to<>>;

// The same, of names that others keep as well.
template <typename Value>
using SharedNameMap = boost::unordered_flat_map<Text, Value, NameHash, std::equal_to<>>;

}  // namespace fairlead
