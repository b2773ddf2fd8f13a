#include "cli/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "cli/progress.h"

namespace fairlead::cli {

void OnAllCores(std::size_t count, std::string_view what, std::string_view unit,
                const std::function<void(std::size_t)>& run) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<std::size_t> next = 0;
  std::mutex lock;
  std::condition_variable one_done;
  std::size_t done = 0;
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < std::min(cores, count); ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) {
        run(i);
        const std::scoped_lock hold(lock);
        ++done;
        one_done.notify_one();
      }
    });
  }
  constexpr auto kLookEvery = std::chrono::milliseconds(200);
  Progress progress(what);
  std::unique_lock hold(lock);
  while (done < count) {
    one_done.wait_for(hold, kLookEvery);
    progress.Show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(count), unit, {});
  }
}

}  // namespace fairlead::cli
