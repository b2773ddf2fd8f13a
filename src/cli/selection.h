#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/result.h"
#include "objects/selector.h"

namespace fairlead::cli {

// Which objects are meant, as kubectl's -l and --field-selector say it.
class Selection {
 public:
  // `labels`: "app=web,tier!=cache,env in (dev,test),gpu,!spot"; `fields`: "status.phase=Running".
  // Error: names the flag and what cannot be read.
  static Result<Selection> Parse(std::string_view labels, std::string_view fields);

  bool selects_all() const { return labels_.requirements.empty() && fields_.empty(); }
  bool Wants(const boost::json::value& document) const;
  // A field that is to have a value, where none of `documents` has it: it may be misspelt. Else
  // empty.
  std::string_view FieldOfNone(const std::vector<boost::json::value>& documents) const;

 private:
  struct Field {
    std::string path, value;
    bool equal = true;
  };
  objects::LabelSelector labels_;
  std::vector<Field> fields_;
};

// Whether something stands there in any of them. `path` is one (cli/json_path.h).
bool AnyHas(std::string_view path, const std::vector<boost::json::value>& documents);

// Sorts `documents` by what stands at a path (cli/json_path.h): numbers as such, texts from a to z;
// those that have nothing there first. Error: it is no path.
Result<void> SortBy(std::string_view path, std::vector<boost::json::value>& documents);

// Whether cell `a` of a table stands before `b`: ages ("2h5m") and numbers as such.
bool CellBefore(std::string_view a, std::string_view b);

}  // namespace fairlead::cli
