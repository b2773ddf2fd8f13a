#include "objects/read/json_fields.h"

#include <boost/json.hpp>

namespace fairlead::objects {

namespace json = boost::json;

namespace {

std::string TextOf(const json::value* value) {
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

std::optional<std::int64_t> NumberOf(const json::value* value) {
  const std::int64_t* number = value == nullptr ? nullptr : value->if_int64();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

}  // namespace

json::value ParseJson(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  return error ? json::value() : value;
}

const json::value* At(const json::value& value, std::string_view key) {
  const json::object* object = value.if_object();
  return object == nullptr ? nullptr : At(*object, key);
}

const json::value* At(const json::object& object, std::string_view key) {
  return object.if_contains(key);
}

const json::object* ObjectAt(const json::object& object, std::string_view key) {
  const json::value* value = At(object, key);
  return value == nullptr ? nullptr : value->if_object();
}

std::string TextAt(const json::value& value, std::string_view key) {
  return TextOf(At(value, key));
}

std::string TextAt(const json::object& object, std::string_view key) {
  return TextOf(At(object, key));
}

std::optional<std::int64_t> NumberAt(const json::value& value, std::string_view key) {
  return NumberOf(At(value, key));
}

std::optional<std::int64_t> NumberAt(const json::object& object, std::string_view key) {
  return NumberOf(At(object, key));
}

}  // namespace fairlead::objects
