#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "objects/field_path.h"
#include "objects/read/field_reader.h"

namespace fairlead::objects {

// Looks fields up by their paths, from `document` on. The mappings on the way are looked at once
// each, so that what is wrong with one is told once.
class PathReader {
 public:
  using Names = std::span<const std::string>;
  PathReader(FieldReader& fields, const Value& document) : fields_(fields), document_(document) {}

  // Null: there is none, or it is none, which was reported.
  const Value* Mapping(Names names);
  const Value* ParentOf(const FieldPath& path);
  const Value* List(Names names);
  const Value* Field(const FieldPath& path);

  // It is not there and has to be: told where its path ends.
  void Missing(const FieldPath& path, std::string_view expected);

 private:
  const Value* Find(Names names);

  FieldReader& fields_;
  const Value& document_;
  std::map<std::vector<std::string>, const Value*> mappings_;
};

}  // namespace fairlead::objects
