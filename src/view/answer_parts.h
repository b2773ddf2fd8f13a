#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/integer.h"
#include "base/result.h"
#include "view/json_text.h"
#include "view/view.h"

// What the answers about a view are made of.

namespace fairlead::view {

inline std::string End(JsonText& json) { return json.Close('}').Take() + "\n"; }

// {"now":…,"version":…,"resources":[{"name","scale"}]: what every table begins with.
inline void Begin(const View& view, JsonText& json) {
  json.Open('{').Field("now", view.now).Field("version", view.version);
  json.Key("resources").Open('[');
  for (const Resource& resource : *view.tables->resources) {
    json.Open('{').Field("name", resource.name).Field("scale", resource.scale).Close('}');
  }
  json.Close(']');
}

// In the order of `resources`.
inline void AddAmounts(const Tables& tables, std::string_view key, const AmountRow* row,
                       JsonText& json) {
  json.Key(key).Open('[');
  for (const Resource& resource : *tables.resources) {
    json.Value(row == nullptr ? 0 : AmountAt(*row, resource.column));
  }
  json.Close(']');
}

// Into a sum.
inline void Add(AmountRow& into, const AmountRow* row) {
  if (row == nullptr) return;
  if (into.size() < row->size()) into.resize(row->size());
  for (std::size_t i = 0; i < row->size(); ++i) into[i] += (*row)[i];
}

// A number of a question's. Error: names `key`.
inline Result<std::size_t> ParseCount(std::string_view key, std::string_view text,
                                      std::size_t least, std::size_t most) {
  const auto value = ParseInteger<std::size_t>(text);
  if (value && *value >= least && *value <= most) return *value;
  return Fail(
      fmt::format("{}: found \"{}\", expected a number from {} to {}", key, text, least, most));
}

// What the page shows where nobody chose: GPUs where there are any, else CPU. Null: neither is
// known.
const Resource* MainResource(const Tables& tables);
const Resource* FindResource(const Tables& tables, std::string_view name);

}  // namespace fairlead::view
