#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "drive/observer.h"

namespace fairlead::host {

// The newest things that happened, for `get events`.
class EventLog : public drive::Observer {
 public:
  static constexpr std::size_t kKept = 1000;

  struct Entry {
    Time time;
    std::string type;
    std::string object;  // "namespace/name", or a name
    std::string node;
    std::string detail;
    boost::json::value json;
  };

  void OnEvent(const drive::Event& event) override;

  const std::deque<Entry>& entries() const { return entries_; }  // oldest first

 protected:
  void Keep(Entry entry);

 private:
  std::deque<Entry> entries_;
};

// The same of a real cluster, which tells of no events: what was decided.
class DecisionLog : public EventLog {
 public:
  void OnDecisions(Time now, const engine::DecisionReports& decisions) override;
};

}  // namespace fairlead::host
