#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

// Small documents of others, field by field: a Status, a Lease, a line of a record. Objects of the
// API go through reader.h.

namespace fairlead::objects {

// Null where the text is no JSON.
boost::json::value ParseJson(std::string_view text);

// What is under a key; null where there is nothing.
const boost::json::value* At(const boost::json::value& value, std::string_view key);
const boost::json::value* At(const boost::json::object& object, std::string_view key);
// Null, empty or absent where it is of another type.
const boost::json::object* ObjectAt(const boost::json::object& object, std::string_view key);
std::string TextAt(const boost::json::value& value, std::string_view key);
std::string TextAt(const boost::json::object& object, std::string_view key);
std::optional<std::int64_t> NumberAt(const boost::json::value& value, std::string_view key);
std::optional<std::int64_t> NumberAt(const boost::json::object& object, std::string_view key);

}  // namespace fairlead::objects
