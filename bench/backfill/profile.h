#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fairlead::bench {

// How many processors are free from when to when, by what is known now: a step function of time
// that ends with a step for ever.
//
//   Profile p(0, 4);      // 4 free
//   p.Take(0, 10, 3);     // [0,10): 1, then 4
//   p.Take(10, 15, 4);    // [0,10): 1, [10,15): 0, then 4
//   p.Earliest(2, 8, 1)   // 2: the hole ends at 10
//   p.Earliest(2, 9, 1)   // 15
//
// Cost: a walk over the steps each.
class Profile {
 public:
  Profile(std::int64_t now, std::int64_t free) : steps_{{now, free}} {}

  // The first moment from `from` on at which so many are free for so long. REQUIRES: `from` is not
  // before the first step; the last step has so many.
  std::int64_t Earliest(std::int64_t from, std::int64_t length, std::int64_t processors) const;

  // In [begin, end). REQUIRES: `begin` is not before the first step. Give: takes it back.
  void Take(std::int64_t begin, std::int64_t end, std::int64_t processors);
  void Give(std::int64_t begin, std::int64_t end, std::int64_t processors) {
    Take(begin, end, -processors);
  }

  // What was before is over.
  void Forget(std::int64_t now);

  std::int64_t FreeAt(std::int64_t time) const { return steps_[StepAt(time)].free; }

 private:
  struct Step {
    std::int64_t time, free;
  };
  std::size_t StepAt(std::int64_t time) const;
  std::size_t SplitAt(std::int64_t time);
  void MergeAt(std::size_t step);

  std::vector<Step> steps_;  // by time, neighbours differ
};

}  // namespace fairlead::bench
