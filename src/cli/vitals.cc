#include "cli/vitals.h"

#include <utility>

#include <fmt/format.h>

namespace fairlead::cli {
namespace {

constexpr auto kOld = std::chrono::seconds(5);
constexpr auto kSilent = std::chrono::seconds(30);

}  // namespace

void Vitals::SetReadiness(std::string why_not) {
  const std::lock_guard lock(mutex_);
  not_ready_ = std::move(why_not);
  said_at_ = Clock::now();
}

bool Vitals::WantsMetrics() const {
  const std::lock_guard lock(mutex_);
  return asked_ || Clock::now() - metrics_at_ >= kOld;
}

void Vitals::SetMetrics(std::string text) {
  const std::lock_guard lock(mutex_);
  metrics_ = std::move(text);
  metrics_at_ = Clock::now();
  asked_ = false;
}

std::string Vitals::NotReady(Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  if (now - said_at_ < kSilent) return not_ready_;
  return fmt::format("the scheduler has not answered for {} s",
                     std::chrono::duration_cast<std::chrono::seconds>(now - said_at_).count());
}

std::string Vitals::Metrics() {
  const std::lock_guard lock(mutex_);
  asked_ = true;
  return metrics_;
}

}  // namespace fairlead::cli
