#pragma once

#include <csignal>
#include <ctime>

namespace fairlead::cli {

// The exit code of what was ended by one, as shells have it.
inline constexpr int kInterrupted = 128 + SIGINT;

// SIGINT and SIGTERM as something to wait for. Make it before any thread, so that none of them is
// interrupted.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  }
  ~Signals() { Release(); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Whether one came within `seconds`.
  bool Wait(std::time_t seconds) {
    const timespec timeout{.tv_sec = seconds, .tv_nsec = 0};
    return sigtimedwait(&set_, nullptr, &timeout) > 0;
  }

  // From now on one ends the process at once, as it does by default.
  void Release() { pthread_sigmask(SIG_UNBLOCK, &set_, nullptr); }

 private:
  sigset_t set_{};
};

}  // namespace fairlead::cli
