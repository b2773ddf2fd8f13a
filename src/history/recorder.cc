#include "history/recorder.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "history/packed.h"

namespace fairlead::history {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kCommitWithin = std::chrono::milliseconds(250);
constexpr auto kTrimEvery = std::chrono::seconds(1);
constexpr auto kSayEvery = std::chrono::minutes(1);
// In one transaction. So many are not waited with.
constexpr std::size_t kBatch = 2'000;
constexpr int kTrimSteps = 4;  // between two batches: more than these bring

Time TimeOf(const Record& record) {
  if (const auto* decision = std::get_if<Decision>(&record)) return decision->time;
  if (const auto* sample = std::get_if<Sample>(&record)) return sample->time;
  if (const auto* estimate = std::get_if<Estimate>(&record)) return estimate->said;
  if (const auto* end = std::get_if<EstimateEnd>(&record)) return end->time;
  return std::get<Ended>(record).finished;
}

bool IsDecision(const Record& record) { return std::holds_alternative<Decision>(record); }

}  // namespace

Recorder::Recorder(Options options) : options_(std::move(options)) {}

std::unique_ptr<Recorder> Recorder::Start(Options options) {
  std::unique_ptr<Recorder> recorder(new Recorder(std::move(options)));
  recorder->newest_ = recorder->options_.start;
  recorder->OpenStore();
  if (recorder->store_ != nullptr) {
    recorder->thread_ = std::thread([self = recorder.get()] { self->Work(); });
  }
  return recorder;
}

Recorder::~Recorder() { Stop(); }

Time Recorder::Wall() const {
  if (options_.wall) return options_.wall();
  return {std::chrono::duration_cast<std::chrono::microseconds>(
              std::chrono::system_clock::now().time_since_epoch())
              .count()};
}

void Recorder::Say(const std::string& message) const {
  if (options_.on_problem) options_.on_problem(message);
}

void Recorder::OpenStore() {
  const auto open = [this](const std::string& directory, const Bounds& bounds) -> Result<void> {
    auto opened = Store::Open(directory, bounds);
    if (!opened) return tl::unexpected(opened.error());
    if (auto begun = (*opened)->Begin(options_.mode, options_.start, Wall()); !begun) return begun;
    store_ = std::move(*opened);
    return {};
  };
  Bounds small = options_.bounds;
  small.bytes = std::min(small.bytes, options_.bytes_in_memory);
  auto opened = open(options_.directory, options_.directory.empty() ? small : options_.bounds);
  if (!opened && !options_.directory.empty()) {
    Say(opened.error().message + "; the history is kept in memory only");
    opened = open("", small);
  }
  if (!opened) {
    Say(opened.error().message + "; no history is kept");
    return;
  }
  location_ = store_->location();
  const MutexLock lock(mutex_);
  counts_.in_memory = location_.memory;
  counts_.committed_seq = store_->seq();
  counts_.bytes = store_->bytes();
}

void Recorder::Push(Records records) {
  const MutexLock lock(mutex_);
  const std::size_t before = waiting_records_;
  const bool closed = stopping_ || store_ == nullptr;
  const std::size_t room = closed ? 0 : options_.most_waiting - before;
  const std::size_t taken = std::min(room, records.size());
  pushed_ += records.size();
  dropped_waiting_ += records.size() - taken;
  counts_.dropped += records.size() - taken;
  records.erase(records.begin() + static_cast<std::ptrdiff_t>(taken), records.end());
  if (taken > 0) waiting_.push_back(PortionOf(std::move(records)));
  waiting_records_ += taken;
  const bool full = before < kBatch && waiting_records_ >= kBatch;
  if (before == 0 || full) wake_.NotifyOne();
}

void Recorder::Flush() {
  MutexLock lock(mutex_);
  if (!thread_.joinable()) return;
  const std::uint64_t until = pushed_;
  ++flushing_;
  wake_.NotifyOne();
  while (settled_ < until) done_.Wait(lock);
  --flushing_;
}

void Recorder::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.NotifyOne();
  if (thread_.joinable()) thread_.join();
}

bool Recorder::HasNews() const {
  return stopping_ || flushing_ > 0 || !waiting_.empty() || dropped_waiting_ > 0;
}

bool Recorder::IsInHurry() const {
  return stopping_ || flushing_ > 0 || waiting_records_ >= kBatch;
}

void Recorder::Work() {
  Clock::time_point trimmed = Clock::now() - kTrimEvery;
  bool more_to_trim = false;
  MutexLock lock(mutex_);
  for (;;) {
    const Clock::time_point trim_at =
        Clock::now() + (more_to_trim ? Clock::duration{} : kTrimEvery);
    while (!HasNews() && wake_.WaitUntil(lock, trim_at)) continue;
    if (!waiting_.empty()) {
      const Clock::time_point commit_at = Clock::now() + kCommitWithin;
      while (!IsInHurry() && wake_.WaitUntil(lock, commit_at)) continue;
    }
    std::vector<Portion> batch = std::exchange(waiting_, {});
    waiting_records_ = 0;
    const std::uint64_t dropped = std::exchange(dropped_waiting_, 0);
    const std::uint64_t until = pushed_;
    const bool last = stopping_, wrote = !batch.empty();
    lock.Unlock();
    WriteOut(std::move(batch), dropped);
    if (wrote || more_to_trim || Clock::now() - trimmed >= kTrimEvery) {
      trimmed = Clock::now();
      more_to_trim = true;
      for (int step = 0; more_to_trim && step < kTrimSteps; ++step) {
        more_to_trim = store_->Trim(Wall()).value_or(false);
      }
    }
    lock.Lock();
    settled_ = until;
    counts_.bytes = store_->bytes();
    done_.NotifyAll();
    if (last) return;
  }
}

void Recorder::Lost(std::uint64_t records, const std::string& why) {
  if (records == 0) return;
  lost_ += records;
  const Clock::time_point now = Clock::now();
  if (said_ && now - *said_ < kSayEvery) return;
  said_ = now;
  Say(fmt::format("the history misses {} records or more: {}", lost_, why));
}

Recorder::Portion Recorder::PortionOf(Records records) {
  Portion portion{.records = {}, .packed = {}, .count = records.size()};
  if (std::ranges::all_of(records, IsDecision)) {
    portion.packed = PackDecisions(records);
  } else {
    portion.records = std::move(records);
  }
  return portion;
}

void Recorder::WriteOut(std::vector<Portion> portions, std::uint64_t dropped) {
  Lost(dropped, "they came faster than they could be written");
  if (portions.empty() && lost_ > 0) portions.emplace_back();  // for the Gap
  for (std::size_t next = 0; next < portions.size();) {
    std::vector<Records> together;
    std::size_t count = 0;
    for (; next < portions.size() && count < kBatch; ++next) {
      Portion portion = std::move(portions[next]);
      count += portion.count;
      together.push_back(portion.packed.empty() ? std::move(portion.records)
                                                : UnpackDecisions(portion.packed));
    }
    WriteTogether(std::move(together), count);
  }
}

// In one transaction.
void Recorder::WriteTogether(std::vector<Records> portions, std::size_t count) {
  for (const Records& records : portions) {
    for (const Record& record : records) newest_ = std::max(newest_, TimeOf(record));
  }
  if (lost_ > 0) {
    portions.back().emplace_back(
        Decision{.time = newest_,
                 .type = "Gap",
                 .reason = fmt::format("{} records were lost before", lost_)});
  }
  const Clock::time_point before = Clock::now();
  const auto written = store_->Write(portions, Wall());
  const auto took =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - before).count();
  if (!written) Lost(count, written.error().message);
  if (written) lost_ = 0;
  const MutexLock lock(mutex_);
  counts_.failures += written ? 0 : 1;
  counts_.dropped += written ? 0 : count;
  if (!written) return;
  counts_.committed += count;
  counts_.commits += 1;
  counts_.commit_us += static_cast<std::uint64_t>(took);
  counts_.committed_seq = store_->seq();
}

Result<std::unique_ptr<Reader>> Recorder::OpenReader() const {
  if (location_.path.empty()) return Fail("no history is kept");
  return Reader::Open(location_);
}

Recorder::Counts Recorder::counts() const {
  const MutexLock lock(mutex_);
  Counts counts = counts_;
  counts.waiting = waiting_records_;
  return counts;
}

Result<std::unique_ptr<Reader>> Directory::OpenReader() const {
  const std::string file = FileIn(directory_);
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return Fail(fmt::format("{} is not there: nothing has been recorded in {}", file, directory_));
  }
  return Reader::Open({.path = file});
}

}  // namespace fairlead::history
