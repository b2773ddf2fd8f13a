#pragma once

#include <string_view>

namespace fairlead {

// The version of this build, such as "0.1.0". The build writes the definition.
std::string_view Version();

// What `git describe` said of the sources, such as "3f2a9c41d0"; empty in test builds and where the
// sources are no checkout.
std::string_view Commit();

}  // namespace fairlead
