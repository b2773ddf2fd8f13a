#include "history/reader.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "history/packed.h"
#include "history/store.h"

namespace fairlead::history {
namespace {

constexpr std::int64_t kPatienceMs = 5'000;
// Of so many queues each is asked for its newest rows; of more, all rows are gone through, of which
// so many queues have a good part.
constexpr std::size_t kQueuesByIndex = 64;

constexpr std::string_view kDecisionColumns =
    "t.seq, t.session, t.time, t.type, t.pod, t.node, coalesce(t.workload, t.pod), q.name, u.name, "
    "t.action, t.beneficiary, t.reason, t.pod_sets";
constexpr std::string_view kEndedColumns =
    "t.seq, t.session, t.workload, q.name, u.name, t.created, t.started, t.finished, t.pods, "
    "t.evictions, t.outcome, t.used";

// One that started while no process looked tells it when it ends.
constexpr std::string_view kEstimateColumns =
    "t.seq, t.session, t.workload, q.name, u.name, t.created, t.said, t.at, t.earliest, t.latest, "
    "t.basis, coalesce(t.started, (SELECT e.started FROM ended e WHERE e.workload=t.workload AND "
    "e.created=t.created AND e.session=t.session)), t.gone";

EstimateRow ReadEstimate(const Statement& row) {
  const auto time = [&](int at) {
    return row.IsNull(at) ? std::nullopt : std::optional(Time{row.Number(at)});
  };
  return {.seq = row.Number(0),
          .session = row.Number(1),
          .estimate = {.said = {row.Number(6)},
                       .workload = row.Copy(2),
                       .queue = row.Copy(3),
                       .user = row.Copy(4),
                       .created = {row.Number(5)},
                       .at = {row.Number(7)},
                       .from = time(8),
                       .until = time(9),
                       .basis = row.Copy(10)},
          .started = time(11),
          .gone = row.Number(12) != 0};
}

DecisionRow ReadDecision(const Statement& row) {
  return {.seq = row.Number(0),
          .session = row.Number(1),
          .decision = {.time = {row.Number(2)},
                       .type = row.Copy(3),
                       .pod = row.Copy(4),
                       .node = row.Copy(5),
                       .workload = row.Copy(6),
                       .queue = row.Copy(7),
                       .user = row.Copy(8),
                       .action = row.Copy(9),
                       .beneficiary = row.Copy(10),
                       .reason = row.Copy(11),
                       .pod_sets = ParsePodSets(row.Text(12))}};
}

EndedRow ReadEnded(const Statement& row) {
  EndedRow read{.seq = row.Number(0), .session = row.Number(1)};
  read.ended = {.workload = row.Copy(2),
                .queue = row.Copy(3),
                .user = row.Copy(4),
                .created = {row.Number(5)},
                .finished = {row.Number(7)},
                .pods = static_cast<std::int32_t>(row.Number(8)),
                .evictions = static_cast<std::int32_t>(row.Number(9)),
                .made_by = row.Copy(12),
                .outcome = row.Copy(10),
                .used = ParseUsed(row.Text(11))};
  if (!row.IsNull(6)) read.ended.started = Time{row.Number(6)};
  return read;
}

}  // namespace

struct Reader::Scope {
  std::string table, columns;
  std::vector<std::string> conditions;
  std::vector<std::variant<std::int64_t, std::string>> values;  // ?1, ?2, …
  std::vector<std::int64_t> queues;                             // empty: any
  bool nothing = false;                                         // a name that nobody has

  std::string Bound(std::variant<std::int64_t, std::string> value) {
    values.push_back(std::move(value));
    return fmt::format("?{}", values.size());
  }
  void Add(std::string condition) { conditions.push_back(std::move(condition)); }
  std::string Where() const {
    return conditions.empty() ? "1" : fmt::format("{}", fmt::join(conditions, " AND "));
  }
};

Reader::Reader(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}

Result<std::unique_ptr<Reader>> Reader::Open(const Location& location) {
  auto connection = Connection::Open(location, Connection::Access::kRead);
  if (!connection) return tl::unexpected(connection.error());
  if (auto right = CheckSchema(**connection); !right) return tl::unexpected(right.error());
  (*connection)->EndAfter(kPatienceMs);
  return std::unique_ptr<Reader>(new Reader(std::move(*connection)));
}

Result<std::optional<std::int64_t>> Reader::NameId(std::string_view name) {
  auto find = connection_->Prepare("SELECT id FROM names WHERE name=?");
  if (!find) return tl::unexpected(find.error());
  const auto row = find->BindText(1, name).Step();
  if (!row) return tl::unexpected(row.error());
  return *row ? std::optional(find->Number(0)) : std::nullopt;
}

// The queue and all below it, by the parents that were seen last.
Result<std::vector<std::int64_t>> Reader::QueuesBelow(const std::string& queue) {
  std::vector<std::int64_t> queues;
  const auto top = NameId(queue);
  if (!top) return tl::unexpected(top.error());
  if (!*top) return queues;
  auto below = connection_->Prepare(
      "WITH RECURSIVE below(id) AS (VALUES(?1) UNION "
      "SELECT names.id FROM names JOIN below ON names.parent=below.id) SELECT id FROM below");
  if (!below) return tl::unexpected(below.error());
  below->Bind(1, **top);
  for (;;) {
    const auto row = below->Step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return queues;
    queues.push_back(below->Number(0));
  }
}

Result<std::int64_t> Reader::SessionOf(const Sessions& sessions) {
  if (sessions.only) return *sessions.only;
  const auto newest =
      connection_->Number("SELECT session FROM decisions ORDER BY seq DESC LIMIT 1");
  if (!newest) return tl::unexpected(newest.error());
  if (*newest) return **newest;
  const auto last = connection_->Number("SELECT max(id) FROM sessions");
  if (!last) return tl::unexpected(last.error());
  return last->value_or(0);
}

Result<Reader::Scope> Reader::ScopeOf(const Filter& filter, std::string_view table) {
  Scope scope{.table = std::string(table)};
  const bool decisions = table == "decisions";
  const std::string time = decisions ? "t.time" : table == "ended" ? "t.finished" : "t.said";
  if (!filter.sessions.all) {
    const auto session = SessionOf(filter.sessions);
    if (!session) return tl::unexpected(session.error());
    scope.Add(fmt::format("+t.session={}", *session));
    // Times are found by the samples of each minute: rows are in the order of seq.
    const auto bound = [&](const char* compare, const char* sample, const char* order, Time at) {
      scope.Add(fmt::format(
          "t.seq{} coalesce((SELECT seq FROM samples WHERE session={} AND "
          "time{}{} ORDER BY time {} LIMIT 1), {})",
          compare, *session, sample, at.us, order, *compare == '>' ? "0" : "9223372036854775807"));
    };
    if (filter.from) bound(">=", "<", "DESC", *filter.from);
    if (filter.to) bound("<=", ">", "ASC", *filter.to);
  }
  if (filter.from) scope.Add(fmt::format("{}>={}", time, filter.from->us));
  if (filter.to) scope.Add(fmt::format("{}<={}", time, filter.to->us));
  if (filter.before) scope.Add(fmt::format("t.seq<{}", *filter.before));
  if (filter.after) scope.Add(fmt::format("t.seq>{}", *filter.after));
  if (!filter.type.empty() && decisions) scope.Add("t.type=" + scope.Bound(filter.type));
  const std::string workload = decisions ? "coalesce(t.workload, t.pod)" : "t.workload";
  if (!filter.workload.empty()) scope.Add(workload + "=" + scope.Bound(filter.workload));
  if (!filter.name_space.empty()) {  // names between "a/" and "a0": '0' comes next after '/'
    scope.Add(workload + ">=" + scope.Bound(filter.name_space + "/"));
    scope.Add(workload + "<" + scope.Bound(filter.name_space + "0"));
  }
  if (!filter.user.empty()) {
    const auto user = NameId(filter.user);
    if (!user) return tl::unexpected(user.error());
    scope.nothing = !*user;
    scope.Add(fmt::format("t.user={}", user->value_or(0)));
  }
  if (!filter.queue.empty()) {
    auto queues = QueuesBelow(filter.queue);
    if (!queues) return tl::unexpected(queues.error());
    scope.nothing = scope.nothing || queues->empty();
    scope.queues = std::move(*queues);
  }
  if (!filter.text.empty()) {
    const std::string text = scope.Bound(filter.text);
    std::vector<std::string> anywhere;
    std::vector<const char*> columns = {"t.workload", "q.name", "u.name"};
    if (decisions) columns.insert(columns.end(), {"t.pod", "t.node", "t.reason"});
    if (!decisions) columns.push_back(table == "ended" ? "t.outcome" : "t.basis");
    for (const char* column : columns) {
      anywhere.push_back(fmt::format("instr(lower({}), lower({}))>0", column, text));
    }
    scope.Add(fmt::format("({})", fmt::join(anywhere, " OR ")));
  }
  return scope;
}

template <typename Row, typename Read>
Result<Page<Row>> Reader::PageOf(const Filter& filter, Scope scope, const std::string& columns,
                                 Read read) {
  Page<Row> page;
  if (scope.nothing) return page;
  const char* order = filter.after && !filter.before ? "ASC" : "DESC";
  const std::string tables = fmt::format(
      "{} t LEFT JOIN names q ON q.id=t.queue LEFT JOIN names u ON u.id=t.user", scope.table);
  const std::string tail = fmt::format("ORDER BY t.seq {} LIMIT {}", order, filter.limit + 1);
  if (scope.queues.size() == 1) scope.Add(fmt::format("t.queue={}", scope.queues[0]));
  if (scope.queues.size() > kQueuesByIndex) {
    scope.Add(fmt::format("+t.queue IN ({})", fmt::join(scope.queues, ",")));
  }
  std::string where = scope.Where();
  if (scope.queues.size() > 1 && scope.queues.size() <= kQueuesByIndex) {
    std::vector<std::string> each;
    for (const std::int64_t queue : scope.queues) {
      each.push_back(
          fmt::format("SELECT seq FROM (SELECT t.seq FROM {} WHERE t.queue={} AND {} {})", tables,
                      queue, where, tail));
    }
    where = fmt::format("t.seq IN ({})", fmt::join(each, " UNION ALL "));
  }
  auto select = connection_->Prepare(
      fmt::format("SELECT {} FROM {} WHERE {} {}", columns, tables, where, tail));
  if (!select) return tl::unexpected(select.error());
  for (std::size_t i = 0; i < scope.values.size(); ++i) {
    const int at = static_cast<int>(i) + 1;
    if (const auto* number = std::get_if<std::int64_t>(&scope.values[i])) {
      select->Bind(at, *number);
    } else {
      select->BindText(at, std::get<std::string>(scope.values[i]));
    }
  }
  for (;;) {
    const auto row = select->Step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return page;
    page.more = static_cast<std::int64_t>(page.rows.size()) == filter.limit;
    if (page.more) return page;
    page.rows.push_back(read(*select));
  }
}

Result<Page<DecisionRow>> Reader::Decisions(const Filter& filter) {
  auto scope = ScopeOf(filter, "decisions");
  if (!scope) return tl::unexpected(scope.error());
  return PageOf<DecisionRow>(filter, std::move(*scope), std::string(kDecisionColumns),
                             ReadDecision);
}

Result<Page<EndedRow>> Reader::Workloads(const Filter& filter) {
  const auto schema = connection_->Number("PRAGMA user_version");
  if (!schema) return tl::unexpected(schema.error());
  auto scope = ScopeOf(filter, "ended");
  if (!scope) return tl::unexpected(scope.error());
  std::string columns(kEndedColumns);
  columns += *schema >= 2 ? ", t.made_by" : ", NULL";
  return PageOf<EndedRow>(filter, std::move(*scope), columns, ReadEnded);
}

// An earlier schema has none, until a process of this version writes to it.
Result<Page<EstimateRow>> Reader::Estimates(const Filter& filter) {
  const auto schema = connection_->Number("PRAGMA user_version");
  if (!schema) return tl::unexpected(schema.error());
  if (*schema < 2) return Page<EstimateRow>();
  auto scope = ScopeOf(filter, "estimates");
  if (!scope) return tl::unexpected(scope.error());
  return PageOf<EstimateRow>(filter, std::move(*scope), std::string(kEstimateColumns),
                             ReadEstimate);
}

Result<std::vector<Session>> Reader::AllSessions() {
  auto select = connection_->Prepare("SELECT id, mode, start, wall FROM sessions ORDER BY id");
  if (!select) return tl::unexpected(select.error());
  std::vector<Session> sessions;
  for (;;) {
    const auto row = select->Step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return sessions;
    sessions.push_back({.id = select->Number(0),
                        .mode = select->Number(1) == 0 ? Mode::kVirtual : Mode::kReal,
                        .start = {select->Number(2)},
                        .wall = {select->Number(3)}});
  }
}

Result<std::optional<Time>> Reader::Newest(const Sessions& sessions) {
  const auto session = SessionOf(sessions);
  if (!session) return tl::unexpected(session.error());
  std::optional<Time> newest;
  for (const char* sql :
       {"SELECT time FROM samples WHERE session={} ORDER BY seq DESC LIMIT 1",
        "SELECT time FROM decisions WHERE +session={} ORDER BY seq DESC LIMIT 1"}) {
    const auto time = connection_->Number(fmt::format(fmt::runtime(sql), *session));
    if (!time) return tl::unexpected(time.error());
    if (*time) newest = std::max(newest.value_or(Time{**time}), Time{**time});
  }
  return newest;
}

}  // namespace fairlead::history
