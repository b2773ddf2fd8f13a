#include "objects/field_path.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "base/integer.h"

namespace fairlead::objects {
namespace {

constexpr std::string_view kEach = "[*]";

bool IsPlain(std::string_view name) {
  return !name.empty() && std::ranges::none_of(name, [](char c) {
    return c == '.' || c == '[' || c == ']' || c == '\'' || c == ' ';
  });
}

std::string TextOf(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) {
    if (name == kEach || ElementOf(name)) {
      text += name;
    } else if (IsPlain(name)) {
      text += (text.empty() ? "" : ".") + name;
    } else {
      text += "['" + name + "']";
    }
  }
  return text;
}

// One step, from the beginning of `rest`, which it takes it away from. Empty: it is none.
std::string TakeStep(std::string_view& rest, bool first) {
  std::string name;
  std::size_t end = 0;
  if (rest.front() == '[') {
    const bool quoted = rest.starts_with("['");
    end = rest.find(quoted ? "']" : "]");
    if (first || end == std::string_view::npos) return {};
    name = quoted ? rest.substr(2, end - 2) : rest.substr(0, end + 1);
    end += quoted ? 2 : 1;
    if (!quoted && name != kEach && !ElementOf(name)) return {};
  } else {
    if (!first) {
      if (rest.front() != '.') return {};
      rest.remove_prefix(1);
    }
    end = std::min(rest.find_first_of(".["), rest.size());
    name = rest.substr(0, end);
    if (!IsPlain(name)) return {};
  }
  rest.remove_prefix(end);
  return name;
}

}  // namespace

std::optional<std::size_t> ElementOf(std::string_view name) {
  if (name.size() < 3 || name.front() != '[' || name.back() != ']') return std::nullopt;
  return ParseInteger<std::size_t>(name.substr(1, name.size() - 2));
}

FieldPath::FieldPath(std::span<const std::string> names)
    : text_(TextOf(names)), names_(names.begin(), names.end()) {
  const auto each = std::ranges::find(names_, kEach);
  if (each != names_.end()) each_ = static_cast<std::size_t>(each - names_.begin());
}

FieldPath::FieldPath(const char* text) {
  Result<FieldPath> parsed = Parse(text);
  CHECK(parsed.has_value());
  *this = *std::move(parsed);
}

Result<FieldPath> FieldPath::Parse(std::string_view text) {
  std::vector<std::string> names;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view at = rest;
    std::string name = TakeStep(rest, names.empty());
    if (name.empty()) {
      return Fail(
          fmt::format("found the path \"{}\", expected field names joined by dots, with "
                      "['a.b'], [0] or [*], at \"{}\"",
                      text, at));
    }
    names.push_back(std::move(name));
  }
  if (std::ranges::count(names, kEach) > 1) {
    return Fail(fmt::format("found the path \"{}\", expected one [*] at most", text));
  }
  return FieldPath(std::span<const std::string>(names));
}

FieldPath FieldPath::operator/(std::string_view name) const {
  std::vector<std::string> names = names_;
  names.emplace_back(name);
  return FieldPath(std::span<const std::string>(names));
}

FieldPath FieldPath::Of(std::size_t element) const {
  if (!each_) return *this;
  std::vector<std::string> names = names_;
  names[*each_] = fmt::format("[{}]", element);
  return FieldPath(std::span<const std::string>(names));
}

}  // namespace fairlead::objects
