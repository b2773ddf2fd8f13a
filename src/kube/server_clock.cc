#include "kube/server_clock.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace fairlead::kube {
namespace {

constexpr std::int64_t kSecond = 1'000'000;

// How far two clocks may have drifted apart since `then`.
std::int64_t Drift(Time then, Time now) {
  return (now - then).us / 1'000'000 * ServerClock::kDriftPpm +
         (now - then).us % 1'000'000 * ServerClock::kDriftPpm / 1'000'000;
}

}  // namespace

std::int64_t ServerClock::Low(const Interval& known, Time now) {
  return known.low_us - Drift(known.low_at, now);
}

std::int64_t ServerClock::High(const Interval& known, Time now) {
  return known.high_us + Drift(known.high_at, now);
}

// To what both say. Where that is nothing, by a skew, the one that is ahead counts.
void ServerClock::Narrow(Interval& known, const Interval& fresh, Time now) {
  const std::int64_t low = Low(known, now), high = High(known, now);
  if (fresh.high_us < low) return;
  if (fresh.low_us > high) {
    known = fresh;
    return;
  }
  if (fresh.low_us > low) {
    known.low_us = fresh.low_us;
    known.low_at = now;
  }
  if (fresh.high_us < high) {
    known.high_us = fresh.high_us;
    known.high_at = now;
  }
}

void ServerClock::NoteAnswer(Time sent, Time received, Time date) {
  const Interval fresh = {.low_us = date.us - received.us,
                          .high_us = date.us + kSecond - sent.us,
                          .low_at = received,
                          .high_at = received};
  if (!known_) return Set(fresh, received);
  const std::int64_t low = Low(*known_, received), high = High(*known_, received);
  if (fresh.low_us > high + kSkew.us || fresh.high_us < low - kSkew.us) {
    return TakeDoubt(fresh, received);
  }
  if (doubt_ && --doubt_->votes <= 0) doubt_.reset();
  Narrow(*known_, fresh, received);
  if (Low(*known_, received) > low + kSecond && on_set_) on_set_();
}

void ServerClock::TakeDoubt(const Interval& fresh, Time now) {
  const bool agrees = doubt_ && fresh.low_us <= High(doubt_->says, now) + kSkew.us &&
                      fresh.high_us >= Low(doubt_->says, now) - kSkew.us;
  if (!agrees) {
    doubt_ = {.says = fresh, .since = now, .votes = 1};
    return;
  }
  Narrow(doubt_->says, fresh, now);
  ++doubt_->votes;
  if (doubt_->votes >= kAgreeing && now - doubt_->since >= kConfirmed) {
    Set(Interval(doubt_->says), now);
  }
}

void ServerClock::Set(const Interval& fresh, Time now) {
  known_ = fresh;
  doubt_.reset();
  if (written_ && written_->us > now.us + fresh.high_us + kSkew.us) written_.reset();
  if (on_set_) on_set_();
}

void ServerClock::NoteWritten(Time written, Time now) {
  if (written_ && written <= *written_) return;
  if (known_ && written.us > now.us + High(*known_, now) + kSkew.us) return;
  written_ = written;
}

Time ServerClock::At(Time now, Time local) const {
  const Time runs = known_ ? Time{now.us + Low(*known_, now)} : local;
  return written_ ? std::max(runs, *written_) : runs;
}

// What was written last may be ahead of it: that stands still until it has come so far.
Duration ServerClock::Until(Time at, Time now, Time local) const {
  if (at <= At(now, local)) return {};
  return at - (known_ ? Time{now.us + Low(*known_, now)} : local);
}

Duration ServerClock::Ahead(Time now, Time local) const {
  if (!known_) return {};
  const std::int64_t offset = local.us - now.us;
  return {offset - std::clamp(offset, Low(*known_, now), High(*known_, now))};
}

std::string ClockComplaint::About(Duration ahead) {
  const auto size = [](Duration d) { return Duration{std::abs(d.us)}; };
  if (size(ahead - said_) <= ServerClock::kSkew) return {};
  const bool is_right = size(ahead) <= ServerClock::kSkew;
  said_ = is_right ? Duration{} : ahead;
  if (is_right) return "this machine's clock agrees with the API server's again";
  const Duration seconds = Duration::Seconds((size(ahead).us + kSecond / 2) / kSecond);
  return fmt::format("this machine's clock is {} {} the API server's, by which times are judged",
                     FormatDuration(seconds), ahead.us > 0 ? "ahead of" : "behind");
}

}  // namespace fairlead::kube
