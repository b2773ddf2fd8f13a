#include "kube/watch_event.h"

#include <optional>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <simdjson.h>

#include "kube/json.h"

namespace fairlead::kube {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::pair<std::string_view, WatchEvent::Type> kTypes[] = {
    {"ADDED", WatchEvent::Type::kAdded},     {"MODIFIED", WatchEvent::Type::kModified},
    {"DELETED", WatchEvent::Type::kDeleted}, {"BOOKMARK", WatchEvent::Type::kBookmark},
    {"ERROR", WatchEvent::Type::kError},
};

// As every server writes it. The object is whatever stands between: who decodes it finds out.
std::optional<WatchEvent> ReadPlain(std::string_view line) {
  constexpr std::string_view kHead = "{\"type\":\"", kMiddle = "\",\"object\":{";
  if (!line.starts_with(kHead)) return std::nullopt;
  line.remove_prefix(kHead.size());
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  for (const auto& [name, type] : kTypes) {
    if (!line.starts_with(name) || !line.substr(name.size()).starts_with(kMiddle)) continue;
    line.remove_prefix(name.size() + kMiddle.size() - 1);
    if (!line.ends_with("}}")) return std::nullopt;
    line.remove_suffix(1);
    return WatchEvent{.type = type, .object = line};
  }
  return std::nullopt;
}

}  // namespace

bool EndsInitialEvents(std::string_view bookmark) {
  const boost::json::value object = ParseJson(bookmark);
  const boost::json::value* annotations = At(object, "metadata");
  if (annotations != nullptr) annotations = At(*annotations, "annotations");
  return annotations != nullptr && TextAt(*annotations, "k8s.io/initial-events-end") == "true";
}

struct WatchEventReader::Parser {
  ondemand::parser parser;
};

WatchEventReader::WatchEventReader() : parser_(std::make_unique<Parser>()) {}
WatchEventReader::~WatchEventReader() = default;

Result<WatchEvent> WatchEventReader::Read(const objects::PaddedText& line) {
  if (const auto plain = ReadPlain(line.view())) return *plain;
  ondemand::document document;
  ondemand::object root;
  const auto fail = [](std::string what) {
    return Fail("found " + std::move(what) + ", expected an event with type and object");
  };
  const std::string_view text = line.view();
  auto& parser = parser_->parser;
  if (parser.iterate(text.data(), text.size(), text.size() + objects::PaddedText::kPadding)
              .get(document) != simdjson::SUCCESS ||
      document.get_object().get(root) != simdjson::SUCCESS) {
    return fail("no JSON object");
  }
  WatchEvent event;
  bool has_type = false;
  for (auto result : root) {
    ondemand::field field;
    std::string_view key;
    if (std::move(result).get(field) != simdjson::SUCCESS ||
        field.unescaped_key().get(key) != simdjson::SUCCESS) {
      return fail("a line that is cut off");
    }
    if (key == "type") {
      std::string_view name;
      if (field.value().get_string().get(name) != simdjson::SUCCESS) return fail("no type");
      for (const auto& [known, type] : kTypes) {
        if (known != name) continue;
        event.type = type;
        has_type = true;
      }
      if (!has_type) return fail("type \"" + std::string(name.substr(0, 32)) + "\"");
    } else if (key == "object") {
      ondemand::object object;
      if (field.value().get_object().get(object) != simdjson::SUCCESS ||
          object.raw_json().get(event.object) != simdjson::SUCCESS) {
        return fail("an object that is cut off");
      }
    }
  }
  if (!has_type) return fail("no type");
  if (event.object.empty()) return fail("no object");
  return event;
}

}  // namespace fairlead::kube
