#include "host/vitals.h"

#include <utility>

#include <fmt/format.h>

namespace fairlead::host {
namespace {

constexpr auto kOldMetrics = std::chrono::seconds(5);
constexpr auto kSilent = std::chrono::seconds(30);

}  // namespace

void Vitals::SetReadiness(std::string why_not) {
  const MutexLock lock(mutex_);
  not_ready_ = std::move(why_not);
  said_at_ = Clock::now();
}

bool Vitals::WantsMetrics() const {
  const MutexLock lock(mutex_);
  return asked_ || Clock::now() - metrics_at_ >= kOldMetrics;
}

bool Vitals::IsAskedForMetrics() const {
  const MutexLock lock(mutex_);
  return asked_;
}

void Vitals::SetMetrics(std::string text) {
  const MutexLock lock(mutex_);
  metrics_ = std::move(text);
  metrics_at_ = Clock::now();
  asked_ = false;
}

std::string Vitals::NotReady(Clock::time_point now) const {
  const MutexLock lock(mutex_);
  if (now - said_at_ < kSilent) return not_ready_;
  return fmt::format("the scheduler has not answered for {} s",
                     std::chrono::duration_cast<std::chrono::seconds>(now - said_at_).count());
}

std::string Vitals::Metrics() {
  const MutexLock lock(mutex_);
  asked_ = true;
  return metrics_;
}

}  // namespace fairlead::host
