#include "history/store.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <type_traits>
#include <utility>
#include <variant>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history/packed.h"

namespace fairlead::history {
namespace {

// Names of queues and users stand once. A workload that has its pod's name is not said twice. All
// tables that grow are keyed by seq, so that the oldest are the first rows of each.
constexpr const char* kTables = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
INSERT INTO meta VALUES('seq', 0);
CREATE TABLE sessions(id INTEGER PRIMARY KEY, mode INTEGER, start INTEGER, wall INTEGER);
CREATE TABLE names(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, parent INTEGER);
CREATE TABLE layouts(id INTEGER PRIMARY KEY, resources TEXT NOT NULL UNIQUE);
CREATE TABLE marks(seq INTEGER PRIMARY KEY, wall INTEGER);
CREATE TABLE decisions(seq INTEGER PRIMARY KEY, session INTEGER, time INTEGER, type TEXT, pod TEXT,
  node TEXT, workload TEXT, queue INTEGER, user INTEGER, action TEXT, beneficiary TEXT, reason TEXT,
  pod_sets TEXT);
CREATE INDEX decisions_by_queue ON decisions(queue);
CREATE INDEX decisions_by_workload ON decisions(coalesce(workload, pod));
CREATE INDEX decisions_by_user ON decisions(user) WHERE user IS NOT NULL;
CREATE TABLE samples(seq INTEGER PRIMARY KEY, session INTEGER, time INTEGER);
CREATE INDEX samples_by_time ON samples(session, time);
CREATE TABLE usage(seq INTEGER PRIMARY KEY, session INTEGER, queue INTEGER, layout INTEGER,
  amounts BLOB, running INTEGER, pending INTEGER, waiting_since INTEGER, gone INTEGER);
CREATE INDEX usage_by_queue ON usage(queue);
CREATE TABLE ended(seq INTEGER PRIMARY KEY, session INTEGER, workload TEXT, queue INTEGER,
  user INTEGER, created INTEGER, started INTEGER, finished INTEGER, pods INTEGER,
  evictions INTEGER, outcome TEXT, used TEXT);
CREATE UNIQUE INDEX ended_once ON ended(workload, created, session);
CREATE INDEX ended_by_queue ON ended(queue);
CREATE INDEX ended_by_user ON ended(user) WHERE user IS NOT NULL;
)";

// Since schema 2.
constexpr const char* kSchema2 = R"(
CREATE TABLE estimates(seq INTEGER PRIMARY KEY, session INTEGER, workload TEXT, queue INTEGER,
  user INTEGER, created INTEGER, said INTEGER, at INTEGER, earliest INTEGER, latest INTEGER,
  basis TEXT, started INTEGER, gone INTEGER);
CREATE UNIQUE INDEX estimates_once ON estimates(workload, created, session);
ALTER TABLE ended ADD COLUMN made_by TEXT;
)";

constexpr const char* kGrowing[] = {"decisions", "samples", "usage", "ended", "estimates", "marks"};
constexpr std::int64_t kTrimRows = 5'000;  // a step, by seq
constexpr std::int64_t kTrimPages = 500;   // given back to the system a step
constexpr Duration kMarkEvery = Duration::Seconds(60);
constexpr mode_t kOurs = S_IRUSR | S_IWUSR;  // who used what is not for all users of a machine

Error About(const std::string& path, std::string_view what) {
  return {.message = fmt::format("{}: {}", path, what)};
}

// Each in memory has a name of its own.
std::string MemoryName() {
  static std::atomic<int> made = 0;
  return fmt::format("fairlead-history-{}", ++made);
}

// Before SQLite makes it for all to read; its log and index take the file's mode. So do those of an
// earlier version that are there.
void KeepPrivate(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOurs);
  if (file < 0) return;  // SQLite says why
  ::fchmod(file, kOurs);
  ::close(file);
  for (const char* beside : {"-wal", "-shm"}) ::chmod((path + beside).c_str(), kOurs);
}

}  // namespace

std::string FileIn(const std::string& directory) { return directory + "/history.sqlite"; }

// Held by the open file, so that it ends with the process, however that ends.
class Store::Lock {
 public:
  static Result<std::unique_ptr<Lock>> Take(const std::string& directory) {
    const std::string path = directory + "/history.lock";
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOurs);
    if (file < 0) return tl::unexpected(About(path, std::strerror(errno)));
    ::fchmod(file, kOurs);
    std::unique_ptr<Lock> lock(new Lock(file));
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return tl::unexpected(About(path, std::strerror(errno)));
      return Fail(
          fmt::format("{} is in use by another process{}", FileIn(directory), Holder(file)));
    }
    const std::string me = fmt::format("{}\n", ::getpid());
    if (::ftruncate(file, 0) == 0) {
      // Only for messages: who cannot say it may have the lock all the same.
      [[maybe_unused]] const auto written = ::pwrite(file, me.data(), me.size(), 0);
    }
    return lock;
  }
  ~Lock() { ::close(file_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  explicit Lock(int file) : file_(file) {}
  static std::string Holder(int file) {
    char text[32] = {};
    const auto length = ::pread(file, text, sizeof text - 1, 0);
    if (length <= 1) return {};
    return fmt::format(" ({})", std::string_view(text, static_cast<std::size_t>(length - 1)));
  }
  int file_;
};

Store::Store(Bounds bounds) : bounds_(bounds) {}
Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::Open(const std::string& directory, const Bounds& bounds) {
  std::unique_ptr<Store> store(new Store(bounds));
  if (directory.empty()) {
    store->location_ = {.path = MemoryName(), .memory = true};
  } else {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) return tl::unexpected(About(directory, error.message()));
    store->location_ = {.path = FileIn(directory)};
    auto lock = Lock::Take(directory);
    if (!lock) return tl::unexpected(lock.error());
    store->lock_ = std::move(*lock);
    KeepPrivate(store->location_.path);
  }
  auto connection = Connection::Open(store->location_, Connection::Access::kWrite);
  if (!connection) return tl::unexpected(connection.error());
  store->connection_ = std::move(*connection);
  const auto tables = store->connection_->Number("SELECT count(*) FROM sqlite_schema");
  if (!tables) return tl::unexpected(tables.error());
  if (auto prepared = store->Prepare(*tables == 0); !prepared) {
    return tl::unexpected(prepared.error());
  }
  return store;
}

Result<void> CheckSchema(Connection& connection) {
  const auto id = connection.Number("PRAGMA application_id");
  const auto schema = connection.Number("PRAGMA user_version");
  if (!id) return tl::unexpected(id.error());
  if (!schema) return tl::unexpected(schema.error());
  if (*id != kApplicationId) {
    return tl::unexpected(About(connection.path(), "a database, but no history of Fairlead's"));
  }
  if (**schema > kSchema) {
    return tl::unexpected(About(connection.path(),
                                fmt::format("found schema {}, expected at most {}: a later version "
                                            "of Fairlead wrote it",
                                            **schema, kSchema)));
  }
  return {};
}

// All of them, or those that an earlier schema had not.
Result<void> Store::MakeTables(bool fresh) {
  const auto schema = connection_->Number("PRAGMA user_version");
  if (!schema) return tl::unexpected(schema.error());
  if (!fresh && **schema == kSchema) return {};
  return connection_->Do(
      fmt::format("BEGIN; {} {} PRAGMA application_id={}; PRAGMA user_version={}; COMMIT;",
                  fresh ? kTables : "", kSchema2, kApplicationId, kSchema));
}

Result<void> Store::Prepare(bool fresh) {
  const bool memory = location_.memory;
  // The page size and auto_vacuum of a file are decided before its first table is made.
  std::string begin = fresh ? "PRAGMA auto_vacuum=INCREMENTAL;" : "";
  // What is in memory already needs no other copy of it.
  begin += memory ? "PRAGMA journal_mode=MEMORY; PRAGMA cache_size=-256;"
                  : "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                    "PRAGMA journal_size_limit=16777216;";
  if (!fresh) {
    if (auto right = CheckSchema(*connection_); !right) return right;
  }
  if (auto done = connection_->Do(begin); !done) return done;
  if (auto made = MakeTables(fresh); !made) return made;
  const std::pair<Statement*, const char*> all[] = {
      {&put_decision_, "INSERT INTO decisions VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"},
      {&put_usage_, "INSERT INTO usage VALUES(?,?,?,?,?,?,?,?,?)"},
      {&put_sample_, "INSERT INTO samples VALUES(?,?,?)"},
      {&put_ended_, "INSERT OR IGNORE INTO ended VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"},
      {&put_estimate_, "INSERT OR IGNORE INTO estimates VALUES(?,?,?,?,?,?,?,?,?,?,?,NULL,0)"},
      {&end_estimate_,
       "UPDATE estimates SET started=?, gone=? WHERE workload=? AND created=? AND session=? AND "
       "started IS NULL"},
      {&put_mark_, "INSERT INTO marks VALUES(?,?)"},
      {&put_name_, "INSERT INTO names(name) VALUES(?) RETURNING id"},
      {&put_layout_, "INSERT INTO layouts(resources) VALUES(?) RETURNING id"},
      {&put_parent_, "UPDATE names SET parent=? WHERE id=?"},
      {&put_seq_, "UPDATE meta SET value=? WHERE key='seq'"},
      {&count_evictions_,
       "SELECT count(*) FROM decisions WHERE coalesce(workload, pod)=? AND type='Evict' AND "
       "session=? AND time>=?"}};
  for (const auto& [into, sql] : all) {
    auto statement = connection_->Prepare(sql);
    if (!statement) return tl::unexpected(statement.error());
    *into = std::move(*statement);
  }
  auto names = connection_->Prepare("SELECT id, name, parent FROM names");
  if (!names) return tl::unexpected(names.error());
  for (;;) {
    const auto row = names->Step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) break;
    names_.emplace(names->Copy(1), names->Number(0));
    parents_.emplace(names->Number(0), names->Number(2));
  }
  const auto seq = connection_->Number("SELECT value FROM meta WHERE key='seq'");
  if (!seq) return tl::unexpected(seq.error());
  seq_ = seq->value_or(0);
  return Measure();
}

Result<void> Store::Begin(Mode mode, Time start, Time wall) {
  const auto number = static_cast<int>(mode);
  if (mode == Mode::kReal) {
    const auto last =
        connection_->Number(fmt::format("SELECT max(id) FROM sessions WHERE mode={}", number));
    if (!last) return tl::unexpected(last.error());
    session_ = last->value_or(0);
  }
  if (session_ == 0) {
    const auto made = connection_->Number(
        fmt::format("INSERT INTO sessions(mode, start, wall) VALUES({},{},{}) RETURNING id", number,
                    start.us, wall.us));
    if (!made) return tl::unexpected(made.error());
    session_ = made->value_or(0);
  }
  const Record begun = Decision{.time = start, .type = "Start"};
  return Write({&begun, 1}, wall);
}

Result<void> Store::Write(std::span<const Record> records, Time wall) {
  return Transact(wall, [&] { return PutAll(records); });
}

Result<void> Store::Write(std::span<const Records> portions, Time wall) {
  return Transact(wall, [&]() -> Result<void> {
    for (const Records& records : portions) {
      if (auto put = PutAll(records); !put) return put;
    }
    return {};
  });
}

Result<void> Store::Transact(Time wall, const std::function<Result<void>()>& put) {
  next_ = seq_;
  if (auto begun = connection_->Do("BEGIN IMMEDIATE"); !begun) return begun;
  auto written = PutMark(wall);
  if (written) written = put();
  if (written) {
    written_ = wall;
    written = put_seq_.Bind(1, next_).Run();
  }
  if (written) written = connection_->Do("COMMIT");
  if (!written) {
    // What names and layouts were made is gone again.
    names_.clear();
    layouts_.clear();
    parents_.clear();
    marked_ = {};
    [[maybe_unused]] const auto rolled_back = connection_->Do("ROLLBACK");
    return written;
  }
  seq_ = next_;
  return Measure();
}

Result<void> Store::PutAll(std::span<const Record> records) {
  for (const Record& record : records) {
    auto put = std::visit([this](const auto& each) { return Put(each); }, record);
    if (!put) return put;
  }
  return {};
}

// Up to here all was recorded by the time of the last write: to the minute.
Result<void> Store::PutMark(Time wall) {
  if (marked_.us != 0 && wall >= marked_ && wall - marked_ < kMarkEvery) return {};
  const Time by = written_.us == 0 ? wall : written_;
  marked_ = wall;
  return put_mark_.Bind(1, ++next_).Bind(2, by.us).Run();
}

Result<void> Store::Put(const Decision& decision) {
  const auto queue = NameId(decision.queue);
  if (!queue) return tl::unexpected(queue.error());
  const auto user = NameId(decision.user);
  if (!user) return tl::unexpected(user.error());
  const bool same = decision.workload == decision.pod;
  const std::string pod_sets = PodSetsText(decision.pod_sets);
  put_decision_.Bind(1, ++next_).Bind(2, session_).Bind(3, decision.time.us);
  put_decision_.BindText(4, decision.type).BindText(5, decision.pod).BindText(6, decision.node);
  put_decision_.BindText(7, same ? std::string_view() : decision.workload);
  *queue == 0 ? put_decision_.BindNull(8) : put_decision_.Bind(8, *queue);
  *user == 0 ? put_decision_.BindNull(9) : put_decision_.Bind(9, *user);
  put_decision_.BindText(10, decision.action).BindText(11, decision.beneficiary);
  put_decision_.BindText(12, decision.reason).BindText(13, pod_sets);
  return put_decision_.Run();
}

Result<void> Store::Put(const Sample& sample) {
  const auto layout = LayoutId(sample.resources == nullptr ? Resources() : *sample.resources);
  if (!layout) return tl::unexpected(layout.error());
  for (const QueueUsage& usage : sample.queues) {
    if (auto put = PutUsage(usage, *layout); !put) return put;
  }
  return put_sample_.Bind(1, ++next_).Bind(2, session_).Bind(3, sample.time.us).Run();
}

Result<void> Store::PutUsage(const QueueUsage& usage, std::int64_t layout) {
  const auto queue = NameId(usage.queue);
  if (!queue) return tl::unexpected(queue.error());
  if (auto noted = NoteParent(usage); !noted) return noted;
  const std::string amounts = PackAmounts(usage);
  put_usage_.Bind(1, ++next_).Bind(2, session_).Bind(3, *queue).Bind(4, layout);
  put_usage_.BindBytes(5, amounts).Bind(6, usage.running).Bind(7, usage.pending);
  usage.waiting_since ? put_usage_.Bind(8, usage.waiting_since->us) : put_usage_.BindNull(8);
  return put_usage_.Bind(9, usage.gone ? 1 : 0).Run();
}

Result<std::int64_t> Store::EvictionsOf(const Ended& ended) {
  if (!ended.older_than_us) return ended.evictions;
  count_evictions_.BindText(1, ended.workload).Bind(2, session_).Bind(3, ended.created.us);
  const auto row = count_evictions_.Step();
  const std::int64_t found = row && *row ? count_evictions_.Number(0) : 0;
  count_evictions_.Reset();
  if (!row) return tl::unexpected(row.error());
  return std::max<std::int64_t>(found, ended.evictions);
}

Result<void> Store::Put(const Ended& ended) {
  const auto queue = NameId(ended.queue);
  if (!queue) return tl::unexpected(queue.error());
  const auto user = NameId(ended.user);
  if (!user) return tl::unexpected(user.error());
  const auto evictions = EvictionsOf(ended);
  if (!evictions) return tl::unexpected(evictions.error());
  const std::string used = UsedText(ended.used);
  put_ended_.Bind(1, ++next_).Bind(2, session_).BindText(3, ended.workload);
  *queue == 0 ? put_ended_.BindNull(4) : put_ended_.Bind(4, *queue);
  *user == 0 ? put_ended_.BindNull(5) : put_ended_.Bind(5, *user);
  put_ended_.Bind(6, ended.created.us);
  ended.started ? put_ended_.Bind(7, ended.started->us) : put_ended_.BindNull(7);
  put_ended_.Bind(8, ended.finished.us).Bind(9, ended.pods).Bind(10, *evictions);
  return put_ended_.BindText(11, ended.outcome)
      .BindText(12, used)
      .BindText(13, ended.made_by)
      .Run();
}

Result<void> Store::Put(const Estimate& estimate) {
  const auto queue = NameId(estimate.queue);
  if (!queue) return tl::unexpected(queue.error());
  const auto user = NameId(estimate.user);
  if (!user) return tl::unexpected(user.error());
  const auto bind = [this](int at, const std::optional<Time>& time) {
    time ? put_estimate_.Bind(at, time->us) : put_estimate_.BindNull(at);
  };
  put_estimate_.Bind(1, ++next_).Bind(2, session_).BindText(3, estimate.workload);
  *queue == 0 ? put_estimate_.BindNull(4) : put_estimate_.Bind(4, *queue);
  *user == 0 ? put_estimate_.BindNull(5) : put_estimate_.Bind(5, *user);
  put_estimate_.Bind(6, estimate.created.us).Bind(7, estimate.said.us).Bind(8, estimate.at.us);
  bind(9, estimate.from);
  bind(10, estimate.until);
  return put_estimate_.BindText(11, estimate.basis).Run();
}

Result<void> Store::Put(const EstimateEnd& end) {
  end.started ? end_estimate_.Bind(1, end.time.us) : end_estimate_.BindNull(1);
  end_estimate_.Bind(2, end.started ? 0 : 1).BindText(3, end.workload);
  return end_estimate_.Bind(4, end.created.us).Bind(5, session_).Run();
}

namespace {

// The id that `find` or, where there is none yet, `put` gives for `text`.
Result<std::int64_t> IdOf(Connection& connection, const char* find, Statement& put,
                          std::string_view text) {
  auto found = connection.Prepare(find);
  if (!found) return tl::unexpected(found.error());
  const auto there = found->BindText(1, text).Step();
  if (!there) return tl::unexpected(there.error());
  if (*there) return found->Number(0);
  const auto made = put.BindText(1, text).Step();
  if (!made) return tl::unexpected(made.error());
  const std::int64_t id = put.Number(0);
  put.Reset();
  return id;
}

}  // namespace

Result<std::int64_t> Store::NameId(std::string_view name) {
  if (name.empty()) return 0;
  if (const auto known = names_.find(name); known != names_.end()) return known->second;
  const auto id = IdOf(*connection_, "SELECT id FROM names WHERE name=?", put_name_, name);
  if (id) names_.emplace(name, *id);
  return id;
}

Result<std::int64_t> Store::LayoutId(const Resources& resources) {
  const std::string text = ResourcesText(resources);
  if (const auto known = layouts_.find(text); known != layouts_.end()) return known->second;
  const auto id = IdOf(*connection_, "SELECT id FROM layouts WHERE resources=?", put_layout_, text);
  if (id) layouts_.emplace(text, *id);
  return id;
}

Result<void> Store::NoteParent(const QueueUsage& usage) {
  const auto queue = NameId(usage.queue);
  const auto parent = NameId(usage.parent);
  if (!queue) return tl::unexpected(queue.error());
  if (!parent) return tl::unexpected(parent.error());
  if (*queue == 0) return {};
  const auto known = parents_.find(*queue);
  if (known != parents_.end() && known->second == *parent) return {};
  parents_.insert_or_assign(*queue, *parent);
  return put_parent_.Bind(1, *parent).Bind(2, *queue).Run();
}

Result<void> Store::Measure() {
  const auto pages = connection_->Number("PRAGMA page_count");
  const auto free = connection_->Number("PRAGMA freelist_count");
  const auto size = connection_->Number("PRAGMA page_size");
  if (!pages) return tl::unexpected(pages.error());
  if (!free) return tl::unexpected(free.error());
  if (!size) return tl::unexpected(size.error());
  bytes_ = (pages->value_or(0) - free->value_or(0)) * size->value_or(0);
  return {};
}

// Up to which number everything is too old.
Result<std::int64_t> Store::Cutoff(Time wall) {
  const auto old = connection_->Number(fmt::format("SELECT max(seq) FROM marks WHERE wall<{}",
                                                   (wall + Duration{-bounds_.age.us}).us));
  if (!old) return tl::unexpected(old.error());
  return old->value_or(0);
}

Result<bool> Store::Trim(Time wall) {
  std::string oldest;
  for (const char* table : kGrowing) {
    oldest +=
        fmt::format("{}SELECT min(seq) AS seq FROM {}", oldest.empty() ? "" : " UNION ALL ", table);
  }
  const auto first = connection_->Number(fmt::format("SELECT min(seq) FROM ({})", oldest));
  if (!first) return tl::unexpected(first.error());
  const auto old = Cutoff(wall);
  if (!old) return tl::unexpected(old.error());
  const bool too_much = bytes_ > bounds_.bytes;
  if (!*first || (!too_much && *old < **first)) return false;
  std::int64_t last = **first + kTrimRows - 1;
  if (!too_much) last = std::min(last, *old);
  std::string step = "BEGIN IMMEDIATE;";
  for (const char* table : kGrowing) {
    step += fmt::format("DELETE FROM {} WHERE seq<={};", table, last);
  }
  step += "COMMIT;";
  if (auto done = connection_->Do(step); !done) {
    [[maybe_unused]] const auto rolled_back = connection_->Do("ROLLBACK");
    return tl::unexpected(done.error());
  }
  const auto done = connection_->Do(fmt::format("PRAGMA incremental_vacuum({})", kTrimPages));
  if (!done) return tl::unexpected(done.error());
  if (auto measured = Measure(); !measured) return tl::unexpected(measured.error());
  return bytes_ > bounds_.bytes || *old > last;
}

}  // namespace fairlead::history
