#pragma once

#include <string>
#include <string_view>

#include "base/name_map.h"
#include "objects/submitter.h"

namespace fairlead::intake {

// Who asks, each kept once and for ever, as names are: there are as many as ever asked.
class Submitters {
 public:
  // `packed`: what its object says (facts/submitter.h); empty: it is the `owner` of its namespace.
  objects::SubmitterPtr Of(std::string_view packed, std::string_view owner);

 private:
  NameMap<objects::SubmitterPtr> said_, owners_;
};

}  // namespace fairlead::intake
