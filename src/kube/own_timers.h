#pragma once

#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "kube/loop.h"

namespace fairlead::kube {

// Timers of somebody who may go before they are due: they end with him.
// Thread safety: the loop's thread only.
class OwnTimers {
 public:
  explicit OwnTimers(Loop& loop) : loop_(loop) {}
  ~OwnTimers() {
    for (const TimerId timer : timers_) loop_.CancelTimer(timer);
  }
  OwnTimers(const OwnTimers&) = delete;
  OwnTimers& operator=(const OwnTimers&) = delete;

  void After(Duration delay, std::function<void()> fn) {
    // A loop calls nothing back from inside After: `timer` is known by then.
    auto timer = std::make_shared<TimerId>(0);
    *timer = loop_.After(delay, [this, timer, fn = std::move(fn)] {
      timers_.erase(*timer);
      fn();
    });
    timers_.insert(*timer);
  }

 private:
  Loop& loop_;
  std::set<TimerId> timers_;
};

}  // namespace fairlead::kube
