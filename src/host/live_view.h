#pragma once

#include <boost/json.hpp>
#include <tl/expected.hpp>

#include "host/event_log.h"
#include "server/backend.h"
#include "view/view.h"
#include "virtual/cluster.h"

// What `get` shows of a virtual cluster. To be called where the cluster may be read.

namespace fairlead::host {

struct LiveSource {
  const virtual_cluster::VirtualCluster& cluster;
  const EventLog& log;
  const view::View& view;  // of it as it is now
};

using JsonOrRefusal = tl::expected<boost::json::value, server::Refusal>;

// A List, or the object where a name is asked for. Refusal: there is none of that name.
JsonOrRefusal ObjectsOf(const LiveSource& source, const server::Query& query);

// {"kind":"Table","now":…,"columns":[…],"rows":[[…]]}: the same for people.
JsonOrRefusal TableOf(const LiveSource& source, const server::Query& query);

// "there is no Pod x in namespace y; did you mean z?"
server::Refusal NotThere(const LiveSource& source, const server::Query& query);

}  // namespace fairlead::host
