#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "base/time.h"

namespace fairlead::kube {

// Time that passes only when somebody runs it, and what is to be done then: at one instant in the
// order in which it was asked for.
class VirtualClock {
 public:
  using Id = std::uint64_t;

  Time now() const { return now_; }

  Id At(Time time, std::function<void()> fn) {
    const Id id = ++last_;
    times_.emplace(id, time);
    agenda_.emplace(std::pair(time, id), std::move(fn));
    return id;
  }
  Id After(Duration delay, std::function<void()> fn) { return At(now_ + delay, std::move(fn)); }
  void Cancel(Id id) {
    const auto found = times_.find(id);
    if (found == times_.end()) return;
    agenda_.erase({found->second, id});
    times_.erase(found);
  }

  // Does what is due until `end`, which it then is.
  void RunUntil(Time end) {
    while (!agenda_.empty() && agenda_.begin()->first.first <= end) Step();
    now_ = end;
  }
  void RunFor(Duration duration) { RunUntil(now_ + duration); }
  // Until `done`, or `most` has passed: false.
  bool RunUntil(const std::function<bool()>& done, Duration most) {
    const Time end = now_ + most;
    while (!done()) {
      if (agenda_.empty() || agenda_.begin()->first.first > end) return false;
      Step();
    }
    return true;
  }
  // Time passes, and nobody runs: a process that is stopped.
  void Skip(Duration duration) { now_ = now_ + duration; }

 private:
  void Step() {
    auto first = agenda_.extract(agenda_.begin());
    if (now_ < first.key().first) now_ = first.key().first;
    times_.erase(first.key().second);
    first.mapped()();
  }

  Time now_ = {.us = 1'000'000'000};
  Id last_ = 0;
  std::map<std::pair<Time, Id>, std::function<void()>> agenda_;
  std::map<Id, Time> times_;
};

}  // namespace fairlead::kube
