#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/time.h"
#include "kube/loop.h"

namespace fairlead::kube {

// What is to be done when. Equal times: in the order in which they were added.
// Cost: O(log n) each.
class Timers {
 public:
  TimerId Add(Time when, std::function<void()> fn) {
    const TimerId id = ++last_;
    when_.emplace(id, when);
    agenda_.emplace(std::pair(when, id), std::move(fn));
    return id;
  }
  void Cancel(TimerId id) {
    const auto found = when_.find(id);
    if (found == when_.end()) return;
    agenda_.erase({found->second, id});
    when_.erase(found);
  }
  std::optional<Time> next() const {
    if (agenda_.empty()) return std::nullopt;
    return agenda_.begin()->first.first;
  }
  // Does what is due at `now`; what is added meanwhile waits for the next call, so that a timer
  // that sets itself again does not keep everything else from its turn.
  void RunDue(Time now) {
    const TimerId newest = last_;
    while (!agenda_.empty() && agenda_.begin()->first.first <= now) {
      if (agenda_.begin()->first.second > newest) return;
      auto first = agenda_.extract(agenda_.begin());
      when_.erase(first.key().second);
      first.mapped()();
    }
  }

 private:
  TimerId last_ = 0;
  std::map<std::pair<Time, TimerId>, std::function<void()>> agenda_;
  boost::unordered_flat_map<TimerId, Time> when_;
};

}  // namespace fairlead::kube
