#pragma once

#include <boost/json/fwd.hpp>

#include "show/output.h"

namespace fairlead::show {

// The domains of one level, from what the server says of them (view/answer_domains.h): as a table,
// of GPUs or, where there are none, of CPUs; else as a document, with every resource.
void PrintDomains(const boost::json::value& answer, Output& output);

}  // namespace fairlead::show
