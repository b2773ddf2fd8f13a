#pragma once

#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/time.h"
#include "engine/explain/report.h"

namespace fairlead::engine {

// Plan reports as JSON, field by field as interface.md shows them, in that order. Times are RFC
// 3339 and amounts canonical quantities. A field that says nothing is left out, so that what is
// there is what a reader needs; `decisions`, `pending` and `queues` always stand, and so do a
// queue's maps.
boost::json::value ToJson(const PlanReport& report);
boost::json::value ToJson(const DecisionReport& decision);
boost::json::value ToJson(const PendingReport& pending);
boost::json::value ToJson(const QueueReport& queue);
boost::json::value ToJson(const UserReport& user);
boost::json::value ToJson(const state::Reason& reason);
// How many pods are on which node is for machines alone.
boost::json::value ToJson(const objects::Reservation& reservation);
boost::json::value ToJson(const std::vector<QueueReport>& queues);
boost::json::value ToJson(const std::vector<PodSetCount>& pod_sets);

// The document QueueShares: the rows of ReportShares as they are at `now`.
boost::json::value SharesToJson(Time now, const std::vector<QueueReport>& queues);

// What two runs are compared by: over the compact JSON of decisions, pending and queues, and thus
// over neither `now` nor `nextRound`. Does not read `report.digest`.
std::string DigestOf(const PlanReport& report);
// The same over decisions alone.
std::string DigestOf(const DecisionReports& decisions);

}  // namespace fairlead::engine
