#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "state/ids.h"

namespace fairlead::state {

// A list that is only added to. An entry keeps its position for ever; the oldest are dropped when
// they are needed no more. Entries may repeat.
template <typename Row>
class Log {
 public:
  void Add(Row row) { rows_.push_back(row); }

  std::uint64_t begin() const { return begin_; }  // of the oldest that is kept
  std::uint64_t end() const { return begin_ + rows_.size(); }
  // REQUIRES: begin() <= at < end().
  Row operator[](std::uint64_t at) const {
    DCHECK(at >= begin_ && at < end());
    return rows_[static_cast<std::size_t>(at - begin_)];
  }
  // Good until something is added. REQUIRES: begin() <= from <= end().
  std::span<const Row> Since(std::uint64_t from) const {
    DCHECK(from >= begin_ && from <= end());
    return std::span(rows_).subspan(static_cast<std::size_t>(from - begin_));
  }

  // Cost: the entries that stay. REQUIRES: position <= end().
  void DropBefore(std::uint64_t position) {
    DCHECK(position <= end());
    if (position <= begin_) return;
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(position - begin_));
    begin_ = position;
  }

 private:
  std::uint64_t begin_ = 0;
  std::vector<Row> rows_;
};

// What one reader has not taken up yet of a log, and what other parts have told it beside that, in
// the order in which it happened. Readers know nothing of each other.
template <typename Row>
class LogReader {
 public:
  explicit LogReader(const Log<Row>& log) : log_(&log), at_(log.end()) {}

  bool HasNews() const { return !news_.empty() || at_ < log_->end(); }
  // Something for this reader alone.
  void Tell(Row row) {
    Pull();
    news_.push_back(row);
  }
  // It stays news until it is taken.
  const std::vector<Row>& News() {
    Pull();
    return news_;
  }
  std::vector<Row> Take() {
    Pull();
    return std::exchange(news_, {});
  }
  // What was added since the last look is of no interest; what was news before stays so.
  void PassOver() { at_ = log_->end(); }
  // What there is by now is of no interest.
  void Forget() {
    news_.clear();
    at_ = log_->end();
  }
  // It needs nothing of the log that stands before.
  std::uint64_t position() const { return at_; }

 private:
  void Pull() {
    const std::span<const Row> more = log_->Since(at_);
    news_.insert(news_.end(), more.begin(), more.end());
    at_ = log_->end();
  }
  const Log<Row>* log_;
  std::uint64_t at_;
  std::vector<Row> news_;
};

// A queue has less than it had, and so has who counts in these accounts.
struct Relief {
  QueueId queue;
  AccountsId accounts;  // invalid: none
};

// What happened to the state: the engine follows it instead of walking the cluster. The state
// writes it, and nobody else; whoever reads it knows how far it has read (LogReader, or a
// position).
struct Journal {
  Log<NodeId> touched;        // what is free there, or what its pods would give, changed
  Log<NodeId> reshaped;       // labels, taints, allocatable or existence changed
  Log<WorkloadId> workloads;  // pods, traits or hold changed
  Log<Relief> relieved;       // a queue's allocated went down
  Log<PodId> adopted;         // pods that came for room held for them: to be told of it
  Log<WorkloadId> started;    // its start changed, and with it what protects it
  Log<WorkloadId> timed;  // of those with a limit of their run time: that, or the start, changed
  // How often these changed.
  std::uint64_t queues = 0;  // specs or structure
  std::uint64_t configuration = 0;
  std::uint64_t budgets = 0;  // numbers of a budget, or which pods it selects
  std::uint64_t volumes = 0;  // that claims may take
  std::uint64_t windows = 0;
  std::uint64_t spared = 0;  // who is no victim at this instant

  // What stands before these is read by everybody.
  struct Positions {
    std::uint64_t touched = 0, reshaped = 0, workloads = 0, relieved = 0, adopted = 0;
    std::uint64_t started = 0, timed = 0;
  };
  void DropBefore(const Positions& read) {
    touched.DropBefore(read.touched);
    reshaped.DropBefore(read.reshaped);
    workloads.DropBefore(read.workloads);
    relieved.DropBefore(read.relieved);
    adopted.DropBefore(read.adopted);
    started.DropBefore(read.started);
    timed.DropBefore(read.timed);
  }
};

}  // namespace fairlead::state
