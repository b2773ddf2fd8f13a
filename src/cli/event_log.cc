#include "cli/event_log.h"

#include "cli/event_text.h"
#include "cli/simulation_json.h"

namespace fairlead::cli {

using virtual_cluster::Event;

void EventLog::OnEvent(const Event& event) {
  rows_.push_back({.time = event.time,
                   .type = std::string(ToString(event.type)),
                   .object = std::string(ObjectOf(event)),
                   .node = std::string(event.node),
                   .detail = DetailOf(event),
                   .json = ToJson(event)});
  if (rows_.size() > kKept) rows_.pop_front();
}

void EventLog::OnChanges(Time /*now*/, std::span<const state::Change> changes) {
  index_.Apply(changes);
}

}  // namespace fairlead::cli
