#include "trace/swf.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "base/ascii.h"
#include "trace/csv.h"

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

class SwfReader {
 public:
  SwfReader(std::string_view text, const std::string& file, objects::Manifest& into)
      : rest_(text), file_(file), into_(into) {}

  // Goes to the next job; header comments on the way are taken.
  bool Next() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
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

  const Header& header() const { return header_; }
  std::uint32_t line() const { return line_; }
  std::size_t LinesAtMost() const {
    return static_cast<std::size_t>(std::ranges::count(rest_, '\n')) + 1;
  }

  void AddFault(std::string message) {
    if (into_.faults.size() >= CsvReader::kMaxFaults) return;
    into_.faults.push_back(
        {.file = file_, .line = line_, .object = {}, .field = {}, .message = std::move(message)});
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

  bool Split(std::string_view line) {
    std::size_t count = 0;
    while (!line.empty()) {
      const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
      if (count < kFields) fields_[count] = line.substr(0, end);
      ++count;
      line.remove_prefix(end);
      line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    }
    if (count != kFields) AddFault(fmt::format("has {} fields, expected {}", count, kFields));
    return count == kFields;
  }

  std::string_view rest_;
  std::string file_;
  objects::Manifest& into_;
  std::uint32_t line_ = 0;
  std::array<std::string_view, kFields> fields_;
  Header header_;
};

void ReadJobs(SwfReader& rows, JobList& into) {
  into.jobs.reserve(rows.LinesAtMost());
  boost::unordered_flat_set<std::int64_t> seen;
  while (rows.Next()) {
    const auto number = rows.Number(kNumber, 0, kMaxJobNumber);
    const auto submit = rows.Number(kSubmit, 0, kMaxTraceSeconds);
    const auto run = rows.Number(kRun, -1, kMaxTraceSeconds);
    const auto allocated = rows.Number(kAllocated, -1, kMaxProcessors);
    const auto requested = rows.Number(kRequested, -1, kMaxProcessors);
    const auto limit = rows.Number(kRequestedTime, -1, kMaxTraceSeconds);
    const auto queue = rows.Number(kQueue, -1, kMaxJobNumber);
    if (!number || !submit || !run || !allocated || !requested || !limit || !queue) continue;
    if (!seen.insert(*number).second) {
      rows.AddFault(fmt::format("job {} is there twice, expected unique numbers", *number));
      continue;
    }
    const std::int64_t cores = *requested > 0 ? *requested : *allocated;
    if (*run < 0 || cores <= 0) continue;
    TraceJob& job = into.jobs.emplace_back();
    job.number = *number;
    job.line = rows.line();
    job.queue = into.QueueOf(*queue >= 0 ? fmt::format("queue-{}", *queue) : std::string());
    job.arrives = Duration::Seconds(*submit);
    job.runs = Duration::Seconds(*run);
    if (*limit > 0) job.limit = Duration::Seconds(std::max(*limit, *run));
    job.amount = cores;
  }
}

}  // namespace

void ReadSwf(std::string_view text, const std::string& file, Machine machine,
             objects::Manifest& into, JobList& jobs) {
  SwfReader rows(text, file, into);
  jobs.name_space = kSwfNamespace;
  jobs.file = file;
  ReadJobs(rows, jobs);
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
  jobs.Sort();
  AppendNodes(machine, Time{header.unix_start * 1'000'000}, into.objects);
  const std::set<std::string> queues(jobs.queues.begin(), jobs.queues.end());
  for (const std::string& name : queues) {
    if (name.empty()) continue;
    objects::Queue queue;
    queue.meta.name = name;
    into.objects.emplace_back(std::move(queue));
  }
}

void ReadSwf(std::string_view text, const std::string& file, const Machine& machine,
             objects::Manifest& into) {
  JobList jobs;
  ReadSwf(text, file, machine, into, jobs);
  AppendJobs(jobs, into.objects);
}

void ReadSwfFile(const std::string& path, const Machine& machine, objects::Manifest& into,
                 JobList& jobs) {
  const std::optional<std::string> text = ReadWhole(path, into);
  if (text) ReadSwf(*text, path, machine, into, jobs);
}

}  // namespace fairlead::trace
