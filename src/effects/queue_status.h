#pragma once

#include <boost/json/fwd.hpp>

#include "engine/explain/report.h"

namespace fairlead::effects {

// The status of a Queue: the condition Ready and its figures. It has no write of its own: figures
// of many queues change with every round, and are worth showing now and then (live/queue_statuses)
// or when somebody asks. The condition's time is the carrier's, who knows what was shown before.
boost::json::object QueueStatusOf(const engine::QueueReport& queue);

}  // namespace fairlead::effects
