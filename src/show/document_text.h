#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

namespace fairlead::show {

// A list of a document that may be longer than memory should hold as values: it is asked for its
// items as they are written.
struct LongList {
  using Visit = std::function<bool(const boost::json::value&)>;  // false: that was enough

  const boost::json::value* in_place_of = nullptr;  // an empty list of the document
  std::function<void(const Visit&)> for_each;       // the same at each call
};

// Takes a text piece by piece.
using TextSink = std::function<void(std::string_view)>;

// JSON for people and programs: two spaces a level, and whatever fits on a line of 120 columns
// stands on one, so that a decision is a line. Ends with a line feed.
std::string JsonText(const boost::json::value& value);
void WriteJson(const boost::json::value& value, std::span<const LongList> lists,
               const TextSink& sink);

// The same on a single line, for streams of documents. Ends with a line feed.
std::string JsonLine(const boost::json::value& value);

// Block YAML as kubectl writes it. A string that YAML would read as something else is quoted.
// Ends with a line feed.
std::string YamlText(const boost::json::value& value);
void WriteYaml(const boost::json::value& value, std::span<const LongList> lists,
               const TextSink& sink);

// A value that is no container, as JSON and YAML both read it: 0.5 stays 0.5.
std::string ScalarText(const boost::json::value& value);

}  // namespace fairlead::show
