#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "history/records.h"
#include "history/sqlite.h"

namespace fairlead::history {

// Which of the clocks: the newest session, one by its number, or all.
struct Sessions {
  std::optional<std::int64_t> only;
  bool all = false;
};

// What all questions have in common. A queue includes those below it. Empty: any.
struct Filter {
  Sessions sessions;
  std::string queue, user, workload, type;
  std::string name_space;  // of workloads
  std::string text;        // part of a name or a reason, in any case
  std::optional<Time> from, to;
  std::optional<std::int64_t> before, after;  // seq; with `after` the oldest come first
  std::int64_t limit = 200;
};

struct DecisionRow {
  std::int64_t seq = 0, session = 0;
  Decision decision;
};
struct EndedRow {
  std::int64_t seq = 0, session = 0;
  Ended ended;
};
// What was said first of a workload, and what came of it.
struct EstimateRow {
  std::int64_t seq = 0, session = 0;
  Estimate estimate;
  std::optional<Time> started;
  bool gone = false;  // without a start
};
template <typename Row>
struct Page {
  std::vector<Row> rows;
  bool more = false;  // beyond the limit
};

struct UsageQuery {
  Sessions sessions;
  std::string queue;  // empty: the whole cluster
  std::optional<Time> from, to;
  std::int64_t points = 300;
};
// Means over the point's step, but for waiting_max_seconds, the most.
struct UsagePoint {
  Time time;  // the step's beginning
  QueueUsage mean;
  std::int64_t waiting_max_seconds = 0;
};
struct UsageSeries {
  Resources resources;
  std::int64_t step_seconds = 60;
  std::vector<UsagePoint> points;  // only of steps in which something was recorded
};

struct Session {
  std::int64_t id = 0;
  Mode mode = Mode::kReal;
  Time start;  // by its clock
  Time wall;
};

// Answers questions from a connection of its own, beside whoever writes. A question that takes
// longer than a few seconds fails. Thread safety: none; each thread has its own.
class Reader {
 public:
  static Result<std::unique_ptr<Reader>> Open(const Location& location);

  Result<Page<DecisionRow>> Decisions(const Filter& filter);
  Result<Page<EndedRow>> Workloads(const Filter& filter);
  Result<Page<EstimateRow>> Estimates(const Filter& filter);  // from, to: when it was said
  Result<UsageSeries> Usage(const UsageQuery& query);
  Result<std::vector<Session>> AllSessions();
  // The session that is meant: of no particular one the last that something was recorded in.
  Result<std::int64_t> SessionOf(const Sessions& sessions);
  // The newest moment of a session's clock that was recorded.
  Result<std::optional<Time>> Newest(const Sessions& sessions);

 private:
  explicit Reader(std::unique_ptr<Connection> connection);
  struct Scope;  // a filter, as conditions and what is bound to them
  Result<Scope> ScopeOf(const Filter& filter, std::string_view columns);
  Result<std::vector<std::int64_t>> QueuesBelow(const std::string& queue);
  Result<std::optional<std::int64_t>> NameId(std::string_view name);
  template <typename Row, typename Read>
  Result<Page<Row>> PageOf(const Filter& filter, Scope scope, const std::string& select, Read read);

  std::unique_ptr<Connection> connection_;
};

// Where a history can be read, if there is one.
class Source {
 public:
  virtual ~Source() = default;
  virtual Result<std::unique_ptr<Reader>> OpenReader() const = 0;
};

}  // namespace fairlead::history
