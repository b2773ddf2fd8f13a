#pragma once

#include <optional>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "state/cluster.h"

namespace fairlead::host {

// Of a DaemonSet's pod that waits for its one node and has no power over it (semantics.md §7):
// `message` says why not, and `remedy` what an administrator would do who trusts it. Empty: it is
// no such pod.
std::optional<boost::json::object> Untrusted(const state::Cluster& cluster, std::string_view pod);

}  // namespace fairlead::host
