#include "effects/queue_status.h"

#include <string_view>

#include <boost/json.hpp>

#include "engine/explain/report_json.h"

namespace fairlead::effects {

namespace json = boost::json;

json::object QueueStatusOf(const engine::QueueReport& queue) {
  const bool ready = queue.not_ready.empty();
  json::object status{{"conditions", json::array{{{"type", "Ready"},
                                                  {"status", ready ? "True" : "False"},
                                                  {"reason", ready ? "Ready" : queue.not_ready}}}}};
  const json::value report = engine::ToJson(queue);
  for (const std::string_view key :
       {"allocated", "requested", "fairShare", "pendingWorkloads", "runningWorkloads"}) {
    status[key] = report.at(key);
  }
  for (const std::string_view key : {"usage", "medianDuration"}) {
    if (const json::value* known = report.as_object().if_contains(key)) status[key] = *known;
  }
  return status;
}

}  // namespace fairlead::effects
