#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

// A scenario file, read: stories of what there is, what changes, and what the scheduler must then
// decide. test/scenarios/README.md describes the form for those who write one.

namespace fairlead::scenario {

// A line of a table. Cells of `-` and columns that are left out are absent.
struct Row {
  std::string table;  // "nodes", "pods", …
  std::map<std::string, std::string, std::less<>> cells;
  int line = 0;
  std::string_view Of(std::string_view column) const;  // empty when absent
};

// A line as words: a change ("node n1 cordoned") or an expectation ("bind a/p -> n1").
struct Line {
  std::vector<std::string> words;
  int line = 0;
  std::string Text() const;
};

// Raw YAML, for what no table says.
struct Yaml {
  std::string text;
  int line = 0;
};

// What happens, then a round, then what it must decide.
struct Step {
  std::vector<Row> rows;
  std::vector<Yaml> yaml;
  std::vector<Line> changes;
  std::optional<std::int64_t> at_seconds;  // of the round; absent: a minute after the one before
  std::vector<Line> expected;
  int line = 0;  // of `round:`
};

struct Story {
  std::string file, name, why;
  bool only_carried_out = false;  // not told with plans that are only assumed
  bool may_be_unproven = false;   // who has to go need not be proven to be the least
  int line = 0;
  std::vector<Step> steps;
};

Result<std::vector<Story>> ReadStories(const std::string& path);

// "a,b" → a, b. Empty text has no parts.
std::vector<std::string> Split(std::string_view text, char separator);
// "a=1" → a, 1; without the separator the second is empty.
std::pair<std::string, std::string> Cut(std::string_view text, std::string_view separator);

}  // namespace fairlead::scenario
