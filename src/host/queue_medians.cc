#include "host/queue_medians.h"

#include <utility>

namespace fairlead::host {

QueueMedians::QueueMedians(const history::Source& history, std::function<void(Medians)> tell,
                           std::chrono::milliseconds every)
    : history_(history), tell_(std::move(tell)), every_(every), own_([this] { Work(); }) {}

void QueueMedians::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  if (own_.joinable()) own_.join();
}

// Without a history that can be read they stay as they are.
void QueueMedians::Read() {
  const auto reader = history_.OpenReader();
  if (!reader || !past_.ReadOn(**reader)) return;
  tell_(past_.MediansByQueue());
}

void QueueMedians::Work() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    lock.Unlock();
    Read();
    lock.Lock();
    const auto until = std::chrono::steady_clock::now() + every_;
    while (!stopping_ && changed_.WaitUntil(lock, until)) continue;
  }
}

}  // namespace fairlead::host
