#pragma once

#include <boost/json/fwd.hpp>

#include "show/output.h"

namespace fairlead::show {

// Who holds how much, of what view/answer_top.h answers: an amount and its part of a resource in
// two columns each. Resources that nobody can have are left out.
void PrintTop(const boost::json::value& answer, Output& output);

}  // namespace fairlead::show
