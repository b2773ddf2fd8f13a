#include "trace/swf.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "base/ascii.h"
#include "trace/csv.h"
#include "trace/lines.h"

namespace fairlead::trace {
namespace {

const std::string kSwfNamespace = "swf";
constexpr std::int64_t kMaxProcessors = 100'000'000;
constexpr std::int64_t kMaxJobNumber = std::int64_t{1} << 53;

// Of the fields, counted from 0 as they stand in a line.
enum Field : std::size_t {
  kNumber,
  kSubmit,
  kRun = 3,
  kAllocated,
  kRequested = 7,
  kRequestedTime,
  kQueue = 14
};
constexpr std::size_t kFields = 18;
constexpr std::string_view kBlanks = " \t";

struct Header {
  std::int64_t max_nodes = 0, max_procs = 0, unix_start = 0;
};

// Numbers of jobs that were there; those that follow each other cost a bit each.
class NumbersSeen {
 public:
  // REQUIRES: at least 0. False: it was there.
  bool Insert(std::int64_t number) {
    constexpr std::int64_t kBits = 64;
    std::uint64_t& bits = words_[number / kBits];
    const std::uint64_t bit = std::uint64_t{1} << (number % kBits);
    const bool is_new = (bits & bit) == 0;
    bits |= bit;
    return is_new;
  }

 private:
  boost::unordered_flat_map<std::int64_t, std::uint64_t> words_;
};

class SwfReader {
 public:
  SwfReader(Lines lines, std::string file, objects::Manifest& into)
      : lines_(std::move(lines)), file_(std::move(file)), into_(into) {}

  // Goes to the next job; header comments on the way are taken.
  bool Next() {
    for (std::string_view line; lines_.Next(line);) {
      const std::size_t begin = line.find_first_not_of(kBlanks);
      if (begin == std::string_view::npos) continue;
      line.remove_prefix(begin);
      if (line.front() == ';') {
        TakeComment(line.substr(1));
      } else if (Split(line)) {
        return true;
      }
    }
    return false;
  }

  std::optional<std::int64_t> Number(Field field, std::int64_t low, std::int64_t high) {
    const std::optional<std::int64_t> value = ParseNumber(fields_[field]);
    if (value && *value >= low && *value <= high) return value;
    AddFault(fmt::format("field {} is \"{}\", expected a whole number {}..{}",
                         static_cast<int>(field) + 1, fields_[field].substr(0, 40), low, high));
    return std::nullopt;
  }

  // Whether no row before had that number; else it is a fault.
  bool IsNew(std::int64_t number) {
    if (seen_.Insert(number)) return true;
    AddFault(fmt::format("job {} is there twice, expected unique numbers", number));
    return false;
  }

  const Header& header() const { return header_; }
  std::uint32_t line() const { return lines_.number(); }

  void AddFault(std::string message) {
    if (into_.faults.size() >= CsvReader::kMaxFaults) return;
    into_.faults.push_back(
        {.file = file_, .line = line(), .object = {}, .field = {}, .message = std::move(message)});
  }

 private:
  // Some logs write "3600.00": a fraction of zeroes is passed over, any other is cut off.
  static std::optional<std::int64_t> ParseNumber(std::string_view text) {
    std::int64_t value = 0;
    const char* const first = text.data();
    const char* const last = first + text.size();
    auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc()) return std::nullopt;
    if (end != last && *end == '.') {
      do ++end;
      while (end != last && *end >= '0' && *end <= '9');
    }
    return end == last ? std::optional(value) : std::nullopt;
  }

  void TakeComment(std::string_view comment) {
    const std::size_t colon = comment.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view key = Trimmed(comment.substr(0, colon), kBlanks);
    std::string_view value = Trimmed(comment.substr(colon + 1), kBlanks);
    value = value.substr(0, value.find_first_of(kBlanks));  // "1024 (1152 until 1997)"
    std::int64_t* into = key == "MaxNodes"        ? &header_.max_nodes
                         : key == "MaxProcs"      ? &header_.max_procs
                         : key == "UnixStartTime" ? &header_.unix_start
                                                  : nullptr;
    if (into == nullptr) return;
    const std::optional<std::int64_t> number = ParseNumber(value);
    if (number && *number >= 0 && *number <= kMaxTraceSeconds) *into = *number;
  }

  // By hand: a search for either blank would look every letter up among them.
  bool Split(std::string_view line) {
    const auto is_blank = [](char letter) { return letter == ' ' || letter == '\t'; };
    std::size_t count = 0;
    const char* at = line.data();
    const char* const last = at + line.size();
    while (at != last) {
      const char* const begin = at;
      while (at != last && !is_blank(*at)) ++at;
      if (count < kFields) fields_[count] = {begin, static_cast<std::size_t>(at - begin)};
      ++count;
      while (at != last && is_blank(*at)) ++at;
    }
    if (count != kFields) AddFault(fmt::format("has {} fields, expected {}", count, kFields));
    return count == kFields;
  }

  Lines lines_;
  std::string file_;
  objects::Manifest& into_;
  std::array<std::string_view, kFields> fields_;
  Header header_;
  NumbersSeen seen_;
};

// Which queue of a list has which number; −1: the default one.
using QueueNumbers = boost::unordered_flat_map<std::int64_t, std::uint32_t>;

// Goes to the next job that ran, and reads it. `queue_of(number)`: into JobList::queues.
template <typename QueueOf>
bool ReadJob(SwfReader& rows, TraceJob& job, QueueOf queue_of) {
  while (rows.Next()) {
    const auto number = rows.Number(kNumber, 0, kMaxJobNumber);
    const auto submit = rows.Number(kSubmit, 0, kMaxTraceSeconds);
    const auto run = rows.Number(kRun, -1, kMaxTraceSeconds);
    const auto allocated = rows.Number(kAllocated, -1, kMaxProcessors);
    const auto requested = rows.Number(kRequested, -1, kMaxProcessors);
    const auto limit = rows.Number(kRequestedTime, -1, kMaxTraceSeconds);
    const auto queue = rows.Number(kQueue, -1, kMaxJobNumber);
    if (!number || !submit || !run || !allocated || !requested || !limit || !queue) continue;
    if (!rows.IsNew(*number)) continue;
    const std::int64_t cores = *requested > 0 ? *requested : *allocated;
    if (*run < 0 || cores <= 0) continue;
    job = {.number = *number,
           .arrives = Duration::Seconds(*submit),
           .runs = Duration::Seconds(*run),
           .limit = {},
           .amount = cores,
           .queue = queue_of(*queue),
           .line = rows.line()};
    if (*limit > 0) job.limit = Duration::Seconds(std::max(*limit, *run));
    return true;
  }
  return false;
}

std::uint32_t AddQueue(std::int64_t number, QueueNumbers& numbers, JobList& list) {
  const auto [at, is_new] = numbers.try_emplace(number);
  if (is_new) at->second = list.QueueOf(number >= 0 ? fmt::format("queue-{}", number) : "");
  return at->second;
}

// What the first reading of a file found.
struct Found {
  std::string path;
  QueueNumbers queues;
  boost::unordered_flat_map<std::int64_t, std::int64_t> by_amount;  // how many jobs
  std::int64_t jobs = 0;
  bool in_order = true;  // none arrives before one that stands before it
};

// The jobs of a file that is in order; those of one moment are put into theirs.
class RowsOfFile : public JobRows {
 public:
  RowsOfFile(const Found& found, const JobList& list) : found_(found), list_(list) {
    std::optional<Lines> lines = Lines::OfFile(found.path);
    if (!lines) return;
    reader_.emplace(std::move(*lines), found.path, faults_);
    ahead_ = Read();
  }

  const TraceJob* Next() override {
    if (++at_ >= of_moment_.size()) TakeMoment();
    if (at_ < of_moment_.size()) {
      ++given_;
      return &of_moment_[at_];
    }
    if ((given_ != found_.jobs || broken_) && !changed_) {
      changed_ = objects::Fault{.file = found_.path,
                                .line = 0,
                                .object = {},
                                .field = {},
                                .message = "was changed while it was read"};
    }
    return nullptr;
  }
  const objects::Fault* fault() const override { return changed_ ? &*changed_ : nullptr; }

 private:
  std::optional<TraceJob> Read() {
    TraceJob job;
    bool known = true;
    const auto queue_of = [&](std::int64_t number) {
      const auto at = found_.queues.find(number);
      known = at != found_.queues.end();
      return known ? at->second : 0;
    };
    const bool is_there = reader_ && ReadJob(*reader_, job, queue_of);
    broken_ = broken_ || !known || !faults_.faults.empty();
    return is_there && !broken_ ? std::optional(job) : std::nullopt;
  }

  void TakeMoment() {
    at_ = 0;
    of_moment_.clear();
    while (ahead_ && (of_moment_.empty() || ahead_->arrives == of_moment_.front().arrives)) {
      of_moment_.push_back(*ahead_);
      ahead_ = Read();
    }
    if (ahead_ && ahead_->arrives < of_moment_.front().arrives) {
      broken_ = true;
      ahead_.reset();
    }
    std::ranges::sort(of_moment_, [this](const TraceJob& a, const TraceJob& b) {
      return list_.ComesBefore(a, b);
    });
  }

  const Found& found_;
  const JobList& list_;
  objects::Manifest faults_;
  std::optional<SwfReader> reader_;
  std::optional<TraceJob> ahead_;
  std::vector<TraceJob> of_moment_;
  std::size_t at_ = 0;
  std::int64_t given_ = 0;
  bool broken_ = false;  // it says what it did not say before
  std::optional<objects::Fault> changed_;
};

class SwfFile : public JobFile {
 public:
  explicit SwfFile(Found found) : found_(std::move(found)) {}
  std::unique_ptr<JobRows> Read(const JobList& list) const override {
    return std::make_unique<RowsOfFile>(found_, list);
  }
  std::int64_t job_count() const override { return found_.jobs; }
  std::int64_t pod_count(const JobList& list) const override {
    std::int64_t pods = 0;
    for (const auto& [amount, jobs] : found_.by_amount) {
      pods += jobs * list.PodsOf({.amount = amount});
    }
    return pods;
  }

 private:
  const Found found_;
};

// The machine, its nodes and the queues.
void Finish(SwfReader& rows, Machine machine, objects::Manifest& into, JobList& jobs) {
  const Header& header = rows.header();
  machine.resource = "cpu";
  if (machine.nodes == 0)
    machine.nodes = header.max_nodes > 0 ? header.max_nodes : header.max_procs;
  if (machine.per_node == 0 && machine.nodes > 0) {
    machine.per_node = std::max<std::int64_t>(1, header.max_procs / machine.nodes);
  }
  if (machine.nodes <= 0 || machine.nodes > kMaxProcessors) {
    rows.AddFault("says neither MaxNodes nor MaxProcs, expected one, or --nodes");
  }
  if (!into.faults.empty()) return jobs.jobs.clear();
  jobs.machine = machine;
  AppendNodes(machine, Time{header.unix_start * 1'000'000}, into.objects);
  const std::set<std::string> queues(jobs.queues.begin(), jobs.queues.end());
  for (const std::string& name : queues) {
    if (name.empty()) continue;
    objects::Queue queue;
    queue.meta.name = name;
    into.objects.emplace_back(std::move(queue));
  }
}

void ReadIntoMemory(SwfReader rows, const Machine& machine, objects::Manifest& into,
                    JobList& jobs) {
  QueueNumbers queues;
  const auto queue_of = [&](std::int64_t number) { return AddQueue(number, queues, jobs); };
  for (TraceJob job; ReadJob(rows, job, queue_of);) jobs.jobs.push_back(job);
  Finish(rows, machine, into, jobs);
  jobs.Sort();
}

}  // namespace

void ReadSwf(std::string_view text, const std::string& file, const Machine& machine,
             objects::Manifest& into, JobList& jobs) {
  jobs.name_space = kSwfNamespace;
  jobs.file = file;
  ReadIntoMemory(SwfReader(Lines(text), file, into), machine, into, jobs);
}

void ReadSwf(std::string_view text, const std::string& file, const Machine& machine,
             objects::Manifest& into) {
  JobList jobs;
  ReadSwf(text, file, machine, into, jobs);
  AppendJobs(jobs, into);
}

void ReadSwfFile(const std::string& path, const Machine& machine, objects::Manifest& into,
                 JobList& jobs) {
  jobs.name_space = kSwfNamespace;
  jobs.file = path;
  std::optional<Lines> lines = Lines::OfFile(path);
  if (!lines) {
    into.faults.push_back(
        {.file = path, .line = 0, .object = {}, .field = {}, .message = "cannot be read"});
    return;
  }
  SwfReader rows(std::move(*lines), path, into);
  Found found{.path = path, .queues = {}, .by_amount = {}};
  const auto queue_of = [&](std::int64_t number) { return AddQueue(number, found.queues, jobs); };
  Duration last;
  for (TraceJob job; ReadJob(rows, job, queue_of); last = job.arrives) {
    ++found.jobs;
    ++found.by_amount[job.amount];
    found.in_order = found.in_order && last <= job.arrives;
  }
  if (!found.in_order && into.faults.empty()) {
    // By time only when all are there.
    lines = Lines::OfFile(path);
    return ReadIntoMemory(SwfReader(std::move(*lines), path, into), machine, into, jobs);
  }
  Finish(rows, machine, into, jobs);
  if (into.faults.empty()) jobs.in_file = std::make_shared<SwfFile>(std::move(found));
}

}  // namespace fairlead::trace
