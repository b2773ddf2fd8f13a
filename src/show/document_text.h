#pragma once

#include <string>

#include <boost/json/fwd.hpp>

namespace fairlead::show {

// JSON for people and programs: two spaces a level, and whatever fits on a line of 120 columns
// stands on one, so that a decision is a line. Ends with a line feed.
std::string JsonText(const boost::json::value& value);

// The same on a single line, for streams of documents. Ends with a line feed.
std::string JsonLine(const boost::json::value& value);

// Block YAML as kubectl writes it. A string that YAML would read as something else is quoted.
// Ends with a line feed.
std::string YamlText(const boost::json::value& value);

// A value that is no container, as JSON and YAML both read it: 0.5 stays 0.5.
std::string ScalarText(const boost::json::value& value);

}  // namespace fairlead::show
