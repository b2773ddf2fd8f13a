#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/time.h"

namespace fairlead::kube {

// What time it is for the API server. Starts and transitions are written by its clock, so that is
// the clock by which they are judged; this machine's may be wrong, and may be set at any time.
//
// It runs by the machine's time since boot, which nobody sets (`now` in all that follows), and by
// an offset that answers tell: one that was sent off at s and whose head was here at r says "Date:
// d", in whole seconds, so that the server's clock was at most d + 1 s when the machine's was s,
// and at least d when it was r. The offset lies in all these intervals; its lower end is taken.
//
//   sent 100.0, here 100.2, Date 12:00:07  →  between 12:00:06.8 and 12:00:08.0 at 100.0
//   sent 101.7, here 101.8, Date 12:00:09  →  between 12:00:07.2 and 12:00:08.3 at 100.0
//   so it was between 12:00:07.2 and 12:00:08.0, and is taken to have been 12:00:07.2
//
// - It is not ahead of the server's clock but for what clocks drift apart (kDriftPpm): what is
//   protected for a while is not given up early.
// - It is never behind a time that the server has written (NoteWritten), as far as that is at most
//   kSkew ahead of what answers say: several servers need not agree to the second, and what is
//   further off is a mistake, or somebody's who wants protections to end.
// - It goes back, or far ahead, only where the server's clock was set: kAgreeing answers more that
//   say so than deny it, over kConfirmed at least. One server of several that is off changes
//   nothing, nor does a clock that is right again at once.
// - Before the first answer it is the machine's clock.
//
// Thread safety: none. Cost: a few comparisons an answer.
class ServerClock {
 public:
  static constexpr Duration kSkew = Duration::Seconds(5);
  static constexpr Duration kConfirmed = Duration::Seconds(10);
  static constexpr int kAgreeing = 3;
  static constexpr std::int64_t kDriftPpm = 500;  // NTP slews no clock faster

  // An answer with a Date. REQUIRES: sent <= received.
  void NoteAnswer(Time sent, Time received, Time date);
  // A time that the server, and nobody else, wrote into an object that is known by now.
  void NoteWritten(Time written, Time now);

  // `local`: the machine's clock. REQUIRES: `now` does not go back.
  Time At(Time now, Time local) const;
  // How long from `now` until it is `at`; zero or less: it is.
  Duration Until(Time at, Time now, Time local) const;
  // By how much the machine's clock is surely ahead of the server's; less than zero: behind.
  Duration Ahead(Time now, Time local) const;

  // Called when it is suddenly more than a second off what it was: whoever waits for a moment waits
  // anew. May be empty.
  void OnSet(std::function<void()> on_set) { on_set_ = std::move(on_set); }

 private:
  // What the server's clock says less what the machine's time is: bounds that were known at `at`.
  struct Interval {
    std::int64_t low_us = 0, high_us = 0;
    Time low_at, high_at;
  };
  struct Doubt {
    Interval says;
    Time since;
    int votes = 0;
  };
  static std::int64_t Low(const Interval& known, Time now);
  static std::int64_t High(const Interval& known, Time now);
  static void Narrow(Interval& known, const Interval& fresh, Time now);
  void TakeDoubt(const Interval& fresh, Time now);
  void Set(const Interval& fresh, Time now);

  std::optional<Interval> known_;
  std::optional<Doubt> doubt_;  // that the server's clock was set
  std::optional<Time> written_;
  std::function<void()> on_set_;
};

// Says once, and again when it changes by more than ServerClock::kSkew, how wrong the machine's
// clock is.
class ClockComplaint {
 public:
  // What is to be said of a machine's clock that is so far ahead; empty: nothing new.
  std::string About(Duration ahead);

 private:
  Duration said_;
};

}  // namespace fairlead::kube
