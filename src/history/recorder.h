#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "base/time.h"
#include "history/reader.h"
#include "history/records.h"
#include "history/store.h"

namespace fairlead::history {

// Writes the history on a thread of its own, so that whoever decides never waits for it.
//
//   auto recorder = Recorder::Start({.directory = "/var/lib/fairlead", …});
//   recorder->Push({Decision{…}, …});       // at once, whatever the disk does
//   auto reader = recorder->OpenReader();   // on any thread
//
// - There is always a history: what cannot be opened is said by on_problem, and then it is in
// memory.
// - Between Push and the disk stand at most `most_waiting` records. What comes on top is dropped
// and
//   counted; the history then holds a Gap in its place. So does what could not be written.
// - What waits is committed a quarter of a second after the first of it came, or sooner.
// Thread safety: Push by one thread, everything else by any.
class Recorder : public Source {
 public:
  struct Options {
    std::string directory;  // empty: in memory
    Bounds bounds;
    std::int64_t bytes_in_memory = 64 << 20;  // the bound there
    Mode mode = Mode::kVirtual;
    Time start;  // the clock's first moment
    std::size_t most_waiting = 100'000;
    std::function<void(const std::string&)> on_problem;  // called on any thread
    std::function<Time()> wall;                          // absent: the machine's clock
  };
  struct Counts {
    std::int64_t committed_seq = 0;  // every record up to this number is on the disk
    std::uint64_t committed = 0, dropped = 0, commits = 0, failures = 0, commit_us = 0;
    std::int64_t bytes = 0;
    std::size_t waiting = 0;
    bool in_memory = false;
  };

  static std::unique_ptr<Recorder> Start(Options options);
  ~Recorder() override;

  void Push(Records records);
  // Until all that was pushed before is committed, or dropped.
  void Flush();
  // Flush, and the end: what is pushed later is dropped.
  void Stop();

  Result<std::unique_ptr<Reader>> OpenReader() const override;
  Counts counts() const;

 private:
  explicit Recorder(Options options);
  void OpenStore();
  void Work();
  // What the thread wakes for, and what it does not wait any longer for.
  bool HasNews() const NEEDS_LOCK(mutex_);
  bool IsInHurry() const NEEDS_LOCK(mutex_);
  // What was pushed at once, until it is written. Decisions come by the ten thousand: where there
  // is nothing else they are packed.
  struct Portion {
    Records records;
    std::string packed;
    std::size_t count = 0;
  };
  static Portion PortionOf(Records records);
  void WriteOut(std::vector<Portion> portions, std::uint64_t dropped);
  void WriteTogether(std::vector<Records> portions, std::size_t count);
  void Lost(std::uint64_t records, const std::string& why);
  Time Wall() const;
  void Say(const std::string& message) const;

  const Options options_;
  std::unique_ptr<Store> store_;  // the thread's, once that runs
  Location location_;
  Time newest_;             // of the records written: what a Gap carries
  std::uint64_t lost_ = 0;  // since the last commit
  std::optional<std::chrono::steady_clock::time_point> said_;

  mutable Mutex mutex_;
  ConditionVariable wake_, done_;
  std::vector<Portion> waiting_ GUARDED_BY(mutex_);       // none of them empty
  std::size_t waiting_records_ GUARDED_BY(mutex_) = 0;    // in them
  std::uint64_t dropped_waiting_ GUARDED_BY(mutex_) = 0;  // since waiting_ was taken
  std::uint64_t pushed_ GUARDED_BY(mutex_) = 0, settled_ GUARDED_BY(mutex_) = 0;
  std::size_t flushing_ GUARDED_BY(mutex_) = 0;
  bool stopping_ GUARDED_BY(mutex_) = false;
  Counts counts_ GUARDED_BY(mutex_);

  std::thread thread_;
};

// The history in a data directory, whoever writes it.
class Directory : public Source {
 public:
  explicit Directory(std::string directory) : directory_(std::move(directory)) {}
  Result<std::unique_ptr<Reader>> OpenReader() const override;

 private:
  std::string directory_;
};

}  // namespace fairlead::history
