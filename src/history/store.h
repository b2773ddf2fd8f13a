#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "history/records.h"
#include "history/sqlite.h"

namespace fairlead::history {

// What a file of ours says of itself. A file of a later schema is refused, one of an earlier schema
// is brought up: schema 1 had no estimates, and no makers of pods.
inline constexpr std::int64_t kSchema = 2;
inline constexpr std::int64_t kApplicationId = 0x46414952;  // "FAIR"

// The file's name in a data directory.
std::string FileIn(const std::string& directory);

// Whether it is a history, of a schema that is known.
Result<void> CheckSchema(Connection& connection);

// What is kept: whatever is older, or more than that, goes, the oldest first.
struct Bounds {
  Duration age =
      Duration::Seconds(std::int64_t{30} * 24 * 3600);  // since it was recorded, by the wall clock
  std::int64_t bytes = 512 << 20;
};

// The writing side of the history: one writer at a time, any number of readers beside it.
//
// - Every record has a number, its `seq`: one counter for all kinds, so that a smaller one was
//   recorded earlier. A sample has one for each of its queues and one for itself, the last.
// - A session is a clock that goes on: every process of a virtual cluster begins one; processes
// that
//   schedule a real cluster follow each other in one.
// - What Write has returned for is on the disk (write-ahead log, synchronous=FULL), and survives
// the
//   end of the process and of the machine.
// - A directory belongs to one process at a time: the lock is the process's, so a killed one leaves
//   none behind.
// Thread safety: none.
class Store {
 public:
  // `directory` empty: in memory, as long as the store lives. Makes the directory where it is
  // missing. Errors name the file: in use by another process, no history, damaged, of a later
  // schema, not to be written.
  static Result<std::unique_ptr<Store>> Open(const std::string& directory, const Bounds& bounds);
  ~Store();

  // To be called once, before Write. `start`: the clock's first moment; `wall`: now.
  Result<void> Begin(Mode mode, Time start, Time wall);

  // All of it in one transaction, or nothing.
  Result<void> Write(std::span<const Record> records, Time wall);
  Result<void> Write(std::span<const Records> portions, Time wall);  // one after the other

  // A small step towards the bounds. Returns whether there is more to do.
  Result<bool> Trim(Time wall);

  const Location& location() const { return location_; }
  std::int64_t seq() const { return seq_; }  // the last that was committed
  std::int64_t bytes() const { return bytes_; }
  std::int64_t session() const { return session_; }

 private:
  class Lock;
  explicit Store(Bounds bounds);
  Result<void> Prepare(bool fresh);
  Result<void> MakeTables(bool fresh);
  // A transaction about what `put` does.
  Result<void> Transact(Time wall, const std::function<Result<void>()>& put);
  Result<void> PutAll(std::span<const Record> records);
  Result<void> Put(const Decision& decision);
  Result<void> Put(const Sample& sample);
  Result<void> Put(const Ended& ended);
  Result<void> Put(const Estimate& estimate);
  Result<void> Put(const EstimateEnd& end);
  Result<void> PutUsage(const QueueUsage& usage, std::int64_t layout);
  Result<void> PutMark(Time wall);
  Result<std::int64_t> EvictionsOf(const Ended& ended);
  Result<std::int64_t> NameId(std::string_view name);  // 0 for none
  Result<std::int64_t> LayoutId(const Resources& resources);
  Result<void> NoteParent(const QueueUsage& usage);
  Result<std::int64_t> Cutoff(Time wall);
  Result<void> Measure();

  Bounds bounds_;
  Location location_;
  std::unique_ptr<Lock> lock_;
  std::unique_ptr<Connection> connection_;
  Statement put_decision_, put_usage_, put_sample_, put_ended_, put_mark_, put_name_, put_layout_,
      put_parent_, put_seq_, count_evictions_, put_estimate_, end_estimate_;
  std::map<std::string, std::int64_t, std::less<>> names_;
  std::map<std::string, std::int64_t> layouts_;
  std::map<std::int64_t, std::int64_t> parents_;  // by the queue's name
  std::int64_t session_ = 0, seq_ = 0, next_ = 0, bytes_ = 0;
  Time marked_, written_;  // by the wall clock
};

}  // namespace fairlead::history
