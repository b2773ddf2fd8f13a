#include "objects/read/path_reader.h"

#include <utility>

namespace fairlead::objects {

const Value* PathReader::Mapping(Names names) {
  if (names.empty()) return &document_;
  std::vector<std::string> key(names.begin(), names.end());
  const auto known = mappings_.find(key);
  if (known != mappings_.end()) return known->second;
  const Value* found = Find(names);
  mappings_.emplace(std::move(key), found);
  return found;
}

const Value* PathReader::ParentOf(const FieldPath& path) {
  return path.empty() ? nullptr : Mapping(path.names().first(path.names().size() - 1));
}

const Value* PathReader::List(Names names) {
  return fields_.List(Mapping(names.first(names.size() - 1)), names.back());
}

const Value* PathReader::Field(const FieldPath& path) {
  return path.empty() ? nullptr : FieldReader::Get(ParentOf(path), path.last());
}

void PathReader::Missing(const FieldPath& path, std::string_view expected) {
  std::size_t there = path.names().size() - 1;
  while (Mapping(path.names().first(there)) == nullptr) --there;
  FieldPath rest;
  for (const std::string& name : path.names().subspan(there)) rest = rest / name;
  fields_.Missing(*Mapping(path.names().first(there)), rest.text(), expected);
}

const Value* PathReader::Find(Names names) {
  const std::optional<std::size_t> element = ElementOf(names.back());
  if (!element) {
    return fields_.Mapping(Mapping(names.first(names.size() - 1)), names.back());
  }
  const Value* list = List(names.first(names.size() - 1));
  if (list == nullptr || *element >= list->items().size()) return nullptr;
  const Value& item = *list->items()[*element];
  return fields_.IsMapping(item) ? &item : nullptr;
}

}  // namespace fairlead::objects
