#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "history/reader.h"

namespace fairlead::history {

// What of what was said first came true, by queue and basis.
//
// Within its range is who starts between its ends; where none was said, not later than a minute
// after what was said. Who has not started when its range is over is beyond it; who went without a
// start counts nowhere but among those of whom something was said.
struct EstimateScore {
  std::string queue;  // empty: all
  std::string basis;
  std::int64_t said = 0, started = 0;
  std::int64_t judged = 0, within = 0;   // judged: started, or their range is over
  std::optional<Duration> median_error;  // of those that started, either way; of two the lesser
};

class EstimateScores {
 public:
  void Add(const EstimateRow& row, Time now);
  // All first, by basis; then queue by queue.
  std::vector<EstimateScore> Take();

 private:
  struct Sum {
    EstimateScore score;
    std::vector<Duration> errors;
  };
  std::map<std::pair<std::string, std::string>, Sum> sums_;
};

// Of all that the filter selects, whatever its limit; `now` is the newest that was recorded. Error:
// the history cannot be read.
Result<std::vector<EstimateScore>> ScoresOf(Reader& reader, Filter filter);

}  // namespace fairlead::history
