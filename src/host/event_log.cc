#include "host/event_log.h"

#include "show/event_text.h"
#include "show/simulation_json.h"

namespace fairlead::host {

using drive::Event;

void EventLog::OnEvent(const Event& event) {
  entries_.push_back({.time = event.time,
                      .type = std::string(ToString(event.type)),
                      .object = std::string(show::ObjectOf(event)),
                      .node = std::string(event.node),
                      .detail = show::DetailOf(event),
                      .json = show::ToJson(event)});
  if (entries_.size() > kKept) entries_.pop_front();
}

void EventLog::OnChanges(Time /*now*/, std::span<const state::Change> changes) {
  index_.Apply(changes);
}

}  // namespace fairlead::host
