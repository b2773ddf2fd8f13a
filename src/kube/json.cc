#include "kube/json.h"

#include <boost/json.hpp>

namespace fairlead::kube {

namespace json = boost::json;

json::value ParseJson(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  return error ? json::value() : value;
}

const json::value* At(const json::value& value, std::string_view key) {
  const json::object* object = value.if_object();
  return object == nullptr ? nullptr : object->if_contains(key);
}

std::string TextAt(const json::value& value, std::string_view key) {
  const json::value* found = At(value, key);
  const json::string* text = found == nullptr ? nullptr : found->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

std::optional<std::int64_t> NumberAt(const json::value& value, std::string_view key) {
  const json::value* found = At(value, key);
  const std::int64_t* number = found == nullptr ? nullptr : found->if_int64();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

}  // namespace fairlead::kube
