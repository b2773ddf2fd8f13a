#pragma once

#include <boost/json.hpp>

#include "account/metrics_report.h"
#include "account/nearness.h"
#include "drive/event.h"
#include "virtual/cluster.h"

// A simulation as interface.md shows it. Heavy: include it in few files.

namespace fairlead::show {

boost::json::value ToJson(const drive::Event& event);
boost::json::value ToJson(const virtual_cluster::PodFinal& pod);
boost::json::value ToJson(const virtual_cluster::WorkloadFinal& workload);
// Seconds are numbers with a fraction where there is one; shares are percent with two decimals.
boost::json::value ToJson(const account::MetricsReport& metrics);
// By topology and level; what there is no figure of is left out.
boost::json::value ToJson(const std::vector<account::Nearness>& nearness);
// trace::AllocationCurve: percent by percent of arrived load, from 0; null where nothing arrived.
boost::json::array AllocationToJson(const std::vector<std::int64_t>& hundredths);

}  // namespace fairlead::show
