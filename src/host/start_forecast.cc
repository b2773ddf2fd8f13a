#include "host/start_forecast.h"

#include <algorithm>
#include <utility>

namespace fairlead::host {
namespace {

constexpr auto kLookedFor = std::chrono::seconds(10);
constexpr auto kLeastRest = std::chrono::seconds(2);
constexpr int kRestsFor = 10;  // times as long as it worked

view::ExpectedStarts ToView(const std::map<std::string, ExpectedStart>& starts) {
  view::ExpectedStarts shown;
  for (const auto& [name, start] : starts) {
    if (!start.at) continue;
    shown.emplace(name, view::ExpectedStart{.at = start.at,
                                            .from = start.from,
                                            .until = start.until,
                                            .basis = ToString(start.basis)});
  }
  return shown;
}

}  // namespace

StartForecast::StartForecast(std::function<void(Starts)> tell)
    : tell_(std::move(tell)), own_([this] { Work(); }) {}

void StartForecast::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  given_.NotifyAll();
  if (own_.joinable()) own_.join();
}

void StartForecast::Look() {
  const MutexLock lock(mutex_);
  looked_at_ = Clock::now();
  looked_ = true;
}

bool StartForecast::Wants() const {
  const MutexLock lock(mutex_);
  if (stopping_ || busy_ || !looked_) return false;
  const Clock::time_point now = Clock::now();
  return now - looked_at_ < kLookedFor && now >= rests_until_;
}

void StartForecast::Take(std::vector<objects::Object> objects,
                         const virtual_cluster::Options& options) {
  {
    const MutexLock lock(mutex_);
    state_ = State{.objects = std::move(objects), .options = options};
    busy_ = true;
  }
  given_.NotifyAll();
}

void StartForecast::Work() {
  MutexLock lock(mutex_);
  for (;;) {
    while (!stopping_ && !state_) given_.Wait(lock);
    if (stopping_) return;
    const State state = *std::exchange(state_, std::nullopt);
    lock.Unlock();
    const Clock::time_point began = Clock::now();
    tell_(std::make_shared<const view::ExpectedStarts>(
        ToView(ExpectedStarts(state.objects, state.options))));
    const Clock::time_point ended = Clock::now();
    lock.Lock();
    busy_ = false;
    rests_until_ = ended + std::max<Clock::duration>(kLeastRest, kRestsFor * (ended - began));
  }
}

}  // namespace fairlead::host
