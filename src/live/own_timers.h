#pragma once

#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "kube/loop.h"

namespace fairlead::live {

// Timers of somebody who may go before they are due: they end with him.
// Thread safety: the loop's thread only.
class OwnTimers {
 public:
  explicit OwnTimers(kube::Loop& loop) : loop_(loop) {}
  ~OwnTimers() {
    for (const kube::TimerId timer : timers_) loop_.CancelTimer(timer);
  }
  OwnTimers(const OwnTimers&) = delete;
  OwnTimers& operator=(const OwnTimers&) = delete;

  void After(Duration delay, std::function<void()> fn) {
    // A loop calls nothing back from inside After: `timer` is known by then.
    auto timer = std::make_shared<kube::TimerId>(0);
    *timer = loop_.After(delay, [this, timer, fn = std::move(fn)] {
      timers_.erase(*timer);
      fn();
    });
    timers_.insert(*timer);
  }

 private:
  kube::Loop& loop_;
  std::set<kube::TimerId> timers_;
};

}  // namespace fairlead::live
