#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "objects/objects.h"

namespace fairlead::trace {

// How long recorded work lasts, where that is known, and where it has to be guessed.
//
// - What ended lasts as long as it was seen to.
// - What was removed, too: nobody knows for how long it would have run.
// - What was still there when the record ended would have gone on: it lasts as long as it was seen,
//   and at least for the median.
// - What never ran lasts for the median.
// The median is of what ended: of its kind and namespace, else of its kind, else of all; where
// nothing ended, of what was seen to run; where nothing ran, it never ends.
class Durations {
 public:
  enum class How : std::uint8_t { kEnded, kRemoved, kWentOn };
  struct Entry {
    std::size_t work = 0;  // which object: an index into what SetAll is given
    std::string set;       // which of its templates; a pod: empty
    std::string kind, name_space;
    std::optional<Duration> seen;  // absent: it never ran
    How how = How::kEnded;
  };

  void Add(Entry entry) { entries_.push_back(std::move(entry)); }

  // Writes fairlead.dev/run-duration.
  void SetAll(std::vector<objects::Object>& work) const;

  // What was guessed, a line each.
  std::vector<std::string> Warnings() const;

 private:
  using Pool = std::vector<Duration>;
  struct Pools {
    std::map<std::pair<std::string, std::string>, Pool> by_kind;  // and namespace; empty: of all
    Pool all;
  };
  Pools PoolsOf() const;

  std::vector<Entry> entries_;
};

// As an annotation says it. A manifest says no duration longer than 292 years: a record of more has
// a wrong clock in it, and is taken for 250.
std::string WrittenDuration(Duration duration);

}  // namespace fairlead::trace
