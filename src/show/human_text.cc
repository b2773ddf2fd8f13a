#include "show/human_text.h"

#include <array>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/ascii.h"
#include "objects/keys.h"
#include "objects/read/json_fields.h"

namespace fairlead::show {

namespace json = boost::json;

std::string HumanDuration(Duration duration) {
  const std::int64_t seconds = duration.WholeSeconds();
  if (seconds < 0) return "0s";
  struct Unit {
    std::int64_t seconds;
    char name;
  };
  static constexpr std::array<Unit, 4> kUnits = {{{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}}};
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    const std::int64_t count = seconds / kUnits[i].seconds;
    if (count == 0) continue;
    // Hours matter little after ten days.
    const bool alone = i + 1 == kUnits.size() || (kUnits[i].name == 'd' && count >= 10);
    const std::int64_t rest = alone ? 0 : seconds % kUnits[i].seconds / kUnits[i + 1].seconds;
    if (rest == 0) return fmt::format("{}{}", count, kUnits[i].name);
    return fmt::format("{}{}{}{}", count, kUnits[i].name, rest, kUnits[i + 1].name);
  }
  return "0s";
}

std::string ExactDuration(Duration duration) {
  const std::int64_t minutes = duration.WholeSeconds() / 60;
  const Duration rest = duration - Duration::Seconds(minutes * 60);
  std::string text;
  if (minutes >= 60) text += fmt::format("{}h", minutes / 60);
  if (minutes % 60 != 0) text += fmt::format("{}m", minutes % 60);
  if (rest.us != 0 || text.empty()) text += FormatDuration(rest);
  return text;
}

std::string HumanAge(std::string_view from, std::string_view to) {
  const Result<Time> start = ParseTime(from);
  const Result<Time> end = ParseTime(to);
  if (!start || !end) return "";
  return HumanDuration(*end - *start);
}

std::string_view ShortResource(std::string_view resource) {
  return resource == objects::kGpuResource ? "gpu" : resource;
}

std::string_view FullResource(std::string_view name) {
  return name == "gpu" ? objects::kGpuResource : name;
}

std::string ResourceHeader(std::string_view resource) {
  return UpperCase(resource.substr(resource.find_last_of('/') + 1));
}

std::string Counted(std::int64_t count, std::string_view one, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  if (!many.empty()) return fmt::format("{} {}", Grouped(count), many);
  return fmt::format("{} {}s", Grouped(count), one);
}

std::string Grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

Tone ToneOf(std::string_view state) {
  static constexpr std::array<std::string_view, 7> kGood = {
      "Running", "Bind", "Admit", "Ready", "Run", "created", "Succeeded"};
  static constexpr std::array<std::string_view, 5> kBad = {"Evict", "Failed", "NotReady", "Stop",
                                                           "Unknown"};
  static constexpr std::array<std::string_view, 7> kWaiting = {
      "Pending", "Nominate", "Reserve", "Lend", "Starting", "Admitted", "Waiting"};
  for (const std::string_view good : kGood) {
    if (state == good) return Tone::kGood;
  }
  for (const std::string_view bad : kBad) {
    if (state.starts_with(bad)) return Tone::kBad;
  }
  for (const std::string_view waiting : kWaiting) {
    if (state.starts_with(waiting)) return Tone::kWaiting;
  }
  return Tone::kPlain;
}

const json::value& At(const json::value& value, std::string_view key) {
  static const json::value kNull;
  const json::value* found = objects::At(value, key);
  return found == nullptr ? kNull : *found;
}

std::string_view TextAt(const json::value& value, std::string_view key) {
  const json::string* text = At(value, key).if_string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

std::int64_t NumberAt(const json::value& value, std::string_view key) {
  const json::value& number = At(value, key);
  if (const std::int64_t* as_signed = number.if_int64()) return *as_signed;
  return 0;
}

std::int64_t NumberIn(const json::value& value, std::string_view key, std::size_t place) {
  const json::array& numbers = ItemsAt(value, key);
  return place < numbers.size() && numbers[place].is_int64() ? numbers[place].get_int64() : 0;
}

const json::array& ItemsAt(const json::value& value, std::string_view key) {
  static const json::array kNone;
  const json::array* items = At(value, key).if_array();
  return items == nullptr ? kNone : *items;
}

}  // namespace fairlead::show
