#include "host/start_forecast.h"

#include <algorithm>
#include <utility>

namespace fairlead::host {
namespace {

constexpr auto kWantedFor = std::chrono::seconds(10);
constexpr auto kLeastRest = std::chrono::seconds(2);
constexpr int kRestsFor = 10;  // times as long as it worked
constexpr auto kMoment = std::chrono::milliseconds(100);

}  // namespace

StartForecast::StartForecast(Options options)
    : options_(std::move(options)), own_([this] { Work(); }) {}

void StartForecast::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  given_.NotifyAll();
  told_.NotifyAll();
  if (own_.joinable()) own_.join();
}

void StartForecast::Look() {
  const MutexLock lock(mutex_);
  looked_at_ = Clock::now();
  looked_ = true;
}

StartForecast::Starts StartForecast::Newest(std::chrono::milliseconds at_most) {
  Look();
  MutexLock lock(mutex_);
  const bool rests = newest_ != nullptr && took_ > kMoment && Clock::now() < rests_until_;
  if (stopping_ || rests) return newest_;
  const std::uint64_t wanted = taken_ + 1;  // what is being worked out may be of before
  hurries_ = true;
  declined_ = false;
  lock.Unlock();
  options_.wake();
  lock.Lock();
  const Clock::time_point until = Clock::now() + at_most;
  while (done_ < wanted && !declined_ && !stopping_ && told_.WaitUntil(lock, until)) continue;
  return declined_ ? nullptr : newest_;
}

bool StartForecast::Wants() const {
  const MutexLock lock(mutex_);
  if (stopping_ || done_ < taken_ || !looked_) return false;
  const Clock::time_point now = Clock::now();
  return hurries_ || (now - looked_at_ < kWantedFor && now >= rests_until_);
}

void StartForecast::Take(Objects objects, const virtual_cluster::Options& options) {
  {
    const MutexLock lock(mutex_);
    state_ = State{.objects = std::move(objects), .options = options};
    hurries_ = declined_ = false;
    ++taken_;
  }
  given_.NotifyAll();
}

void StartForecast::Decline() {
  {
    const MutexLock lock(mutex_);
    hurries_ = false;
    declined_ = true;
    rests_until_ = Clock::now() + kLeastRest;
  }
  told_.NotifyAll();
}

StartForecast::Starts StartForecast::WorkOut(const State& state) {
  if (options_.history != nullptr) {
    // What cannot be read now is read by the next; what was read stays.
    const auto reader = options_.history->OpenReader();
    if (reader) [[maybe_unused]]
      const auto read = past_.ReadOn(**reader);
  }
  std::vector<objects::Object> objects;
  objects.reserve(state.objects.size());
  for (const auto& object : state.objects) objects.push_back(*object);
  auto told = std::make_shared<Told>();
  told->now = state.options.start;
  const auto past = [this](std::string_view queue, std::string_view workload) {
    return past_.Of(queue, workload);
  };
  told->starts = ExpectedStarts(objects, state.options, {.from = past});
  return told;
}

void StartForecast::Work() {
  MutexLock lock(mutex_);
  for (;;) {
    while (!stopping_ && !state_) given_.Wait(lock);
    if (stopping_) return;
    const State state = *std::exchange(state_, std::nullopt);
    lock.Unlock();
    const Clock::time_point began = Clock::now();
    const Starts starts = WorkOut(state);
    options_.tell(starts);
    const Clock::time_point ended = Clock::now();
    lock.Lock();
    newest_ = starts;
    took_ = ended - began;
    rests_until_ = ended + std::max<Clock::duration>(kLeastRest, kRestsFor * took_);
    ++done_;
    told_.NotifyAll();
  }
}

view::ExpectedStarts ToView(const StartForecast::Told& told) {
  view::ExpectedStarts shown;
  for (const auto& [name, start] : told.starts) {
    if (!start.at) continue;
    shown.emplace(name, view::ExpectedStart{.at = start.at,
                                            .from = start.from,
                                            .until = start.until,
                                            .basis = ToString(start.basis)});
  }
  return shown;
}

std::vector<history::Estimate> ToEstimates(const StartForecast::Told& told) {
  std::vector<history::Estimate> estimates;
  for (const auto& [name, start] : told.starts) {
    if (!start.at) continue;
    estimates.push_back({.said = told.now,
                         .workload = name,
                         .at = *start.at,
                         .from = start.from,
                         .until = start.until,
                         .basis = std::string(ToString(start.basis))});
  }
  return estimates;
}

}  // namespace fairlead::host
