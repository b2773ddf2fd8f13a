#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "history/reader.h"

namespace fairlead::history {

// How long work ran that ended by itself, by its kind: of one queue, and of one name but for the
// numbers behind it ("lab/train-7" and "lab/train-12"). What was stopped, or was made new, ran from
// its first start to its end all the same, as for who waits for it.
class PastDurations {
 public:
  static constexpr std::size_t kLeast = 5;   // of a kind; with fewer nothing is said
  static constexpr std::size_t kMost = 200;  // of a kind, the newest

  // By the newest session; reads all that ended. Error: the history cannot be read.
  static Result<PastDurations> Read(Reader& reader);

  void Add(std::string_view queue, std::string_view workload, Duration ran);
  // To be called when all are added.
  void Sort();

  // Sorted; null: too few are known.
  const std::vector<Duration>* Of(std::string_view queue, std::string_view workload) const;

 private:
  static std::string_view StemOf(std::string_view workload);
  std::map<std::pair<std::string, std::string>, std::vector<Duration>> by_kind_;
};

}  // namespace fairlead::history
