#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/time.h"
#include "virtual/slot.h"

namespace fairlead::virtual_cluster {

enum class TaskType : std::uint8_t {
  kArrive,   // a submitted object appears
  kVolumes,  // the volumes are there for which the binding of a pod waits
  kRun,      // a bound pod begins to run
  kFinish,   // a running pod succeeds
  kGone,     // a pod on its way out is removed
};

// Something that will happen to the object in `slot`, unless that slot holds another one by then.
struct Task {
  Time time;
  std::uint64_t sequence = 0;
  SlotId slot;
  std::uint32_t generation = 0;
  TaskType type = TaskType::kArrive;
};

// What will happen, by time and then in the order in which it was put in. What is put in by time,
// as the arrivals of a trace are, stands in a line; the rest in a binary heap, which stays small
// so.
class Agenda {
 public:
  bool empty() const { return line_.empty() && heap_.empty(); }
  // REQUIRES, for this and Pop: not empty.
  const Task& top() const { return LineIsNext() ? line_.front() : heap_.front(); }

  void Push(Time time, TaskType type, SlotId slot, std::uint32_t generation) {
    const Task task{time, next_sequence_++, slot, generation, type};
    if (line_.empty() || !After(line_.back(), task)) {
      line_.push_back(task);
      return;
    }
    heap_.push_back(task);
    std::push_heap(heap_.begin(), heap_.end(), After);
  }

  Task Pop() {
    if (LineIsNext()) {
      const Task task = line_.front();
      line_.pop_front();
      return task;
    }
    std::pop_heap(heap_.begin(), heap_.end(), After);
    const Task task = heap_.back();
    heap_.pop_back();
    return task;
  }

 private:
  bool LineIsNext() const {
    return heap_.empty() || (!line_.empty() && After(heap_.front(), line_.front()));
  }
  static bool After(const Task& a, const Task& b) {
    return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
  }

  std::deque<Task> line_;
  std::vector<Task> heap_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace fairlead::virtual_cluster
