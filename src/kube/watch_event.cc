#include "kube/watch_event.h"

#include <string>
#include <utility>

#include <simdjson.h>

namespace fairlead::kube {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::pair<std::string_view, WatchEvent::Type> kTypes[] = {
    {"ADDED", WatchEvent::Type::kAdded},     {"MODIFIED", WatchEvent::Type::kModified},
    {"DELETED", WatchEvent::Type::kDeleted}, {"BOOKMARK", WatchEvent::Type::kBookmark},
    {"ERROR", WatchEvent::Type::kError},
};

}  // namespace

struct WatchEventReader::Parser {
  ondemand::parser parser;
};

WatchEventReader::WatchEventReader() : parser_(std::make_unique<Parser>()) {}
WatchEventReader::~WatchEventReader() = default;

Result<WatchEvent> WatchEventReader::Read(const objects::PaddedText& line) {
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
