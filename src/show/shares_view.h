#pragma once

#include <boost/json/fwd.hpp>

#include "show/output.h"

namespace fairlead::show {

// The tables of `fairlead queue shares`, of what engine::SharesToJson made, here or at a server:
// one row a queue and resource that it is about, the queues as an indented tree.
void PrintShares(const boost::json::value& shares, Output& output);

}  // namespace fairlead::show
