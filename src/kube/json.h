#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

// Small documents of the API: a Status, a Lease, a credential. Large ones go through src/objects.

namespace fairlead::kube {

// Null where the text is no JSON.
boost::json::value ParseJson(std::string_view text);

// What is under a path of keys; null where there is nothing. The text is empty, and the number
// absent, where it is of another type.
const boost::json::value* At(const boost::json::value& value, std::string_view key);
std::string TextAt(const boost::json::value& value, std::string_view key);
std::optional<std::int64_t> NumberAt(const boost::json::value& value, std::string_view key);

}  // namespace fairlead::kube
