#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "history/reader.h"
#include "objects/meta.h"

namespace fairlead::history {

// What made a pod, as the history names it: "Job namespace/name"; empty: nothing did.
std::string MakerOf(const objects::Meta& meta);

// How long work ran that ended by itself, by its kind: of one queue, and of one name but for the
// numbers behind it ("lab/train-7" and "lab/train-12"); of a pod that something made, of that one's
// kind and name ("Job lab/train-7"), by which it is asked for. What was stopped, or was made new,
// ran from its first start to its end all the same, as for who waits for it.
class PastDurations {
 public:
  static constexpr std::size_t kLeast = 5;        // of a kind; with fewer nothing is said
  static constexpr std::size_t kMost = 1'000;     // of a kind, the newest
  static constexpr std::size_t kReads = 100'000;  // ended workloads, the newest, at first

  // What ended in the newest session; later calls read what ended since. Error: the history cannot
  // be read.
  Result<void> ReadOn(Reader& reader);

  // Of one that ended after those that were added before.
  void Add(std::string_view queue, std::string_view work, Duration ran);

  // A name but for the numbers behind it.
  static std::string_view StemOf(std::string_view work);

  // Sorted; null: too few are known. Valid until something is added.
  const std::vector<Duration>* Of(std::string_view queue, std::string_view work) const;
  // Of all kinds of a queue, in whole seconds, by queue; without those of which too few are known.
  std::map<std::string, Duration> MediansByQueue() const;

 private:
  struct Kind {
    std::vector<Duration> sorted;
    std::vector<Duration> by_end;  // the same, kMost at most, then in turn from `oldest` on
    std::size_t oldest = 0;
    void Add(Duration ran);
  };
  void Add(const Ended& ended);
  std::map<std::pair<std::string, std::string>, Kind> by_kind_;
  std::map<std::string, Kind> by_queue_;
  std::optional<std::int64_t> read_;  // up to this seq
};

}  // namespace fairlead::history
