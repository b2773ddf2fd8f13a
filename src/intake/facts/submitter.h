#pragma once

#include <string>
#include <string_view>

#include "objects/objects.h"
#include "objects/submitter.h"

// Who asked for work, as its objects say it (time.md §7).

namespace fairlead::intake {

// The user and the groups that an object's annotations name, packed: "USER\nGROUPS"; empty: none.
std::string PackSubmitter(const objects::Labels& annotations);
// The reverse. No user named: `owner`, without his groups.
objects::Submitter UnpackSubmitter(std::string_view packed, std::string_view owner);

}  // namespace fairlead::intake
