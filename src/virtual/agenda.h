#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/time.h"
#include "virtual/slot.h"

namespace fairlead::virtual_cluster {

enum class TaskType : std::uint8_t {
  kArrive,  // a submitted object appears
  kRun,     // a bound pod begins to run
  kFinish,  // a running pod succeeds
  kGone,    // a pod on its way out is removed
};

// Something that will happen to the object in `slot`, unless that slot holds another one by then.
struct Task {
  Time time;
  std::uint64_t sequence = 0;
  SlotId slot;
  std::uint32_t generation = 0;
  TaskType type = TaskType::kArrive;
};

// What will happen, by time and then in the order in which it was put in: a binary heap.
class Agenda {
 public:
  bool empty() const { return heap_.empty(); }
  const Task& top() const { return heap_.front(); }  // REQUIRES: not empty

  void Push(Time time, TaskType type, SlotId slot, std::uint32_t generation) {
    heap_.push_back({time, next_sequence_++, slot, generation, type});
    std::push_heap(heap_.begin(), heap_.end(), After);
  }

  Task Pop() {
    std::pop_heap(heap_.begin(), heap_.end(), After);
    const Task task = heap_.back();
    heap_.pop_back();
    return task;
  }

 private:
  static bool After(const Task& a, const Task& b) {
    return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
  }

  std::vector<Task> heap_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace fairlead::virtual_cluster
