#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "base/amount_text.h"  // HumanAmount
#include "base/time.h"
#include "show/table.h"

// How tables say things: short forms for people. JSON and YAML never use them.

namespace fairlead::show {

// Two units at most, as kubectl's ages: "45s", "5m30s", "3h12m", "2d4h"; from ten days "400d".
std::string HumanDuration(Duration duration);
// To the second, for lists of events: "1h10m5s"; with a fraction where there is one.
std::string ExactDuration(Duration duration);
// From one moment to another; empty where `from` is no time.
std::string HumanAge(std::string_view from, std::string_view to);

// "gpu" for nvidia.com/gpu; other names as they are. And the other way round.
std::string_view ShortResource(std::string_view resource);
std::string_view FullResource(std::string_view name);
// As a column is headed by it: "GPU", "CPU"; without the domain before it.
std::string ResourceHeader(std::string_view resource);

// "1 pod", "3 pods".
std::string Counted(std::int64_t count, std::string_view one, std::string_view many = "");

// 1234567 as "1,234,567".
std::string Grouped(std::int64_t number);

// The colour of a pod's or a workload's state, a decision, a node's status.
Tone ToneOf(std::string_view state);

// Fields of JSON that may come from elsewhere: what is absent or of another kind is empty, or null.
std::string_view TextAt(const boost::json::value& value, std::string_view key);
const boost::json::value& At(const boost::json::value& value, std::string_view key);
std::int64_t NumberAt(const boost::json::value& value, std::string_view key);
// Of a list of numbers; beyond its end 0.
std::int64_t NumberIn(const boost::json::value& value, std::string_view key, std::size_t place);
const boost::json::array& ItemsAt(const boost::json::value& value, std::string_view key);

}  // namespace fairlead::show
