#include "base/on_threads.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace fairlead {

std::size_t Cores() { return std::max(1U, std::thread::hardware_concurrency()); }

void OnThreads(std::size_t threads, std::size_t count,
               const std::function<void(std::size_t)>& run) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) run(i);
  };
  std::vector<std::jthread> others;
  for (std::size_t t = 1; t < std::min(threads, count); ++t) others.emplace_back(work);
  work();
}

}  // namespace fairlead
