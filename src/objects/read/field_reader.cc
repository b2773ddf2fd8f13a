#include "objects/read/field_reader.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/did_you_mean.h"
#include "base/integer.h"

namespace fairlead::objects {
namespace {

// Objects with more faults than this show the first ones.
constexpr int kMaxFaults = 20;

bool FindPath(const Value& at, const Value& target, std::set<const Value*>& seen,
              std::string& path) {
  if (&at == &target) return true;
  // Aliases share values: what was looked through once is not looked through again.
  if (at.members().empty() && at.items().empty()) return false;
  if (!seen.insert(&at).second) return false;
  const std::size_t length = path.size();
  for (const Value::Member& member : at.members()) {
    if (length != 0) path += '.';
    path += member.key;
    if (FindPath(*member.value, target, seen, path)) return true;
    path.resize(length);
  }
  std::size_t index = 0;
  for (const Value* item : at.items()) {
    path += '[';
    path += std::to_string(index++);
    path += ']';
    if (FindPath(*item, target, seen, path)) return true;
    path.resize(length);
  }
  return false;
}

std::string AnyOf(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

// A whole number, also as "3.0": JSON made from YAML or by floating point writes it so.
std::optional<std::int64_t> WholeNumber(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point != std::string_view::npos) {
    if (text.find_first_not_of('0', point + 1) != std::string_view::npos) return std::nullopt;
    text = text.substr(0, point);
  }
  return ParseInteger<std::int64_t>(text);
}

}  // namespace

std::string PathOf(const Value& document, const Value& target) {
  std::set<const Value*> seen;
  std::string path;
  FindPath(document, target, seen, path);
  return path;
}

std::string_view NearestName(std::string_view name, std::span<const std::string_view> names) {
  std::string_view nearest;
  std::size_t least = name.size() / 3 + 2;  // as many slips make another word
  if (name.size() > 64) return nearest;
  for (const std::string_view candidate : names) {
    const std::size_t distance = EditDistance(name, candidate);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string FieldReader::ObjectName() const {
  const auto text_of = [](const Value* value) {
    return value == nullptr ? std::string() : std::string(value->text());
  };
  const Value* metadata = document_.Find("metadata");
  std::string name = text_of(Get(metadata, "name"));
  if (name.empty()) name = text_of(Get(metadata, "generateName"));
  std::string text(kind_);
  if (name.empty()) return text;
  text += ' ';
  if (scope_ == Scope::kNamespaced) {
    const std::string name_space = text_of(Get(metadata, "namespace"));
    text += (name_space.empty() ? "default" : name_space) + "/";
  }
  return text + name;
}

bool FieldReader::CountFault(const Value& at) {
  ++faults_;
  if (faults_ == kMaxFaults) {
    Report(at.line(), "", "found more faults than are shown here, expected none");
  }
  return faults_ < kMaxFaults;
}

void FieldReader::Report(std::uint32_t line, std::string path, std::string message) {
  into_.faults.push_back({.file = std::string(file_),
                          .line = line,
                          .object = ObjectName(),
                          .field = std::move(path),
                          .message = std::move(message)});
}

void FieldReader::Fault(const Value& at, std::string message) {
  if (CountFault(at)) Report(at.line(), PathOf(document_, at), std::move(message));
}

void FieldReader::FaultBelow(const Value& parent, std::string_view key, std::string message) {
  if (!CountFault(parent)) return;
  std::string path = PathOf(document_, parent);
  if (!path.empty()) path += '.';
  path += key;
  std::uint32_t line = parent.line();
  for (const Value::Member& member : parent.members()) {
    if (member.key == key) line = member.line();
  }
  Report(line, std::move(path), std::move(message));
}

void FieldReader::Missing(const Value& parent, std::string_view key, std::string_view expected) {
  FaultBelow(parent, key, "found none, expected " + std::string(expected));
}

void FieldReader::MissingInSpec(const Value* spec, std::string_view key,
                                std::string_view expected) {
  if (spec != nullptr) return Missing(*spec, key, expected);
  Missing(document_, "spec." + std::string(key), expected);
}

void FieldReader::Unexpected(const Value& found, std::string_view expected) {
  Fault(found, "found " + Describe(found) + ", expected " + std::string(expected));
}

bool FieldReader::IsMapping(const Value& value) {
  if (value.kind() == Value::Kind::kMapping) return true;
  Unexpected(value, "a mapping");
  return false;
}

const Value* FieldReader::Mapping(const Value* parent, std::string_view key) {
  const Value* value = Get(parent, key);
  return value != nullptr && IsMapping(*value) ? value : nullptr;
}

const Value* FieldReader::List(const Value* parent, std::string_view key) {
  const Value* value = Get(parent, key);
  if (value == nullptr || value->kind() == Value::Kind::kSequence) return value;
  Unexpected(*value, "a list");
  return nullptr;
}

bool FieldReader::ReadString(const Value& value, std::string& out) {
  if (value.kind() != Value::Kind::kString) {
    const bool scalar = value.kind() == Value::Kind::kBool || value.kind() == Value::Kind::kNumber;
    Unexpected(value, scalar ? "a string (in YAML, in quotes)" : "a string");
    return false;
  }
  out.assign(value.text());
  return true;
}

bool FieldReader::String(const Value* parent, std::string_view key, std::string& out) {
  const Value* value = Get(parent, key);
  return value != nullptr && ReadString(*value, out);
}

bool FieldReader::Bool(const Value* parent, std::string_view key, bool& out) {
  const Value* value = Get(parent, key);
  if (value == nullptr) return false;
  if (value->kind() != Value::Kind::kBool) {
    Unexpected(*value, "true or false");
    return false;
  }
  out = value->as_bool();
  return true;
}

bool FieldReader::Time(const Value* parent, std::string_view key,
                       std::optional<fairlead::Time>& out) {
  const Value* value = Get(parent, key);
  if (value == nullptr) return false;
  if (value->kind() != Value::Kind::kString) {
    Unexpected(*value, "a time such as 2026-01-31T12:00:00Z");
    return false;
  }
  const Result<fairlead::Time> time = ParseTime(value->text());
  if (!time) {
    Fault(*value, time.error().message);
    return false;
  }
  out = *time;
  return true;
}

bool FieldReader::ReadDuration(const Value& value, fairlead::Duration& out) {
  if (value.kind() != Value::Kind::kString) {
    Unexpected(value, "a duration such as 1h30m, 45s or 0s");
    return false;
  }
  const Result<fairlead::Duration> duration = ParseDuration(value.text());
  if (!duration) {
    Fault(value, duration.error().message);
    return false;
  }
  if (duration->us < 0) {
    Unexpected(value, "a duration that is not negative");
    return false;
  }
  out = *duration;
  return true;
}

bool FieldReader::Duration(const Value* parent, std::string_view key, fairlead::Duration& out) {
  const Value* value = Get(parent, key);
  return value != nullptr && ReadDuration(*value, out);
}

bool FieldReader::Duration(const Value* parent, std::string_view key,
                           std::optional<fairlead::Duration>& out) {
  fairlead::Duration duration;
  if (!Duration(parent, key, duration)) return false;
  out = duration;
  return true;
}

bool FieldReader::Seconds(const Value* parent, std::string_view key,
                          std::optional<fairlead::Duration>& out) {
  constexpr std::int64_t kMost = 1'000'000'000'000;  // which is for ever, and fits a Duration
  std::int64_t seconds = 0;
  if (!Integer(parent, key, seconds, 0, kMost)) return false;
  out = fairlead::Duration::Seconds(seconds);
  return true;
}

bool FieldReader::ReadInteger(const Value& value, std::int64_t min, std::int64_t max,
                              std::int64_t& out) {
  std::optional<std::int64_t> number;
  if (value.kind() == Value::Kind::kNumber) number = WholeNumber(value.text());
  if (!number || *number < min || *number > max) {
    Unexpected(value, "a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    return false;
  }
  out = *number;
  return true;
}

std::size_t FieldReader::ReadWord(const Value& value, std::span<const std::string_view> words) {
  const auto found = value.kind() == Value::Kind::kString
                         ? std::find(words.begin(), words.end(), value.text())
                         : words.end();
  if (found == words.end()) Unexpected(value, AnyOf(words));
  return static_cast<std::size_t>(found - words.begin());
}

void FieldReader::Strings(const Value* mapping, Labels& out) {
  if (mapping == nullptr) return;
  out.clear();
  out.reserve(mapping->members().size());
  for (const Value::Member& member : mapping->members()) {
    std::string text;
    if (member.value->is_null() || ReadString(*member.value, text)) {
      out.emplace_back(std::string(member.key), std::move(text));
    }
  }
  std::sort(out.begin(), out.end());
}

void FieldReader::Known(const Value* mapping, std::initializer_list<std::string_view> names) {
  if (mapping == nullptr) return;
  for (const Value::Member& member : mapping->members()) {
    if (faults_ > kMaxFaults) return;
    if (std::find(names.begin(), names.end(), member.key) != names.end()) continue;
    const std::span<const std::string_view> known(names.begin(), names.size());
    const std::string_view nearest = NearestName(member.key, known);
    FaultBelow(*mapping, member.key,
               nearest.empty() ? "found an unknown field, expected one of " + AnyOf(known)
                               : "found an unknown field, expected " + std::string(nearest));
  }
}

}  // namespace fairlead::objects
