#include "history/sqlite.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

namespace fairlead::history {
namespace {

// A writer can wait for any reader (Reader ends a question after five seconds).
constexpr int kReaderPatienceMs = 2'000;
constexpr int kWriterPatienceMs = 10'000;
constexpr int kInstructionsBetweenLooks = 10'000;

std::int64_t NowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// A log beside the file holds what is not in it yet.
bool HasLog(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path + "-wal", error);
  return !error && size > 0;
}

std::string Escaped(std::string_view path) {
  std::string text;
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%') {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

Connection::Connection(std::string path) : path_(std::move(path)) {}
Connection::~Connection() { sqlite3_close_v2(handle_); }

Error Connection::Problem(int code) const {
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      return {.message = fmt::format("{} is no history: found another kind of file", path_)};
    case SQLITE_CORRUPT:
      return {.message = fmt::format("{} is damaged ({})", path_, sqlite3_errmsg(handle_))};
    case SQLITE_INTERRUPT:
      return {.message = "the answer takes too long, ask for less: --since, from and to"};
    default:
      return {.message = fmt::format("{}: {}", path_, sqlite3_errmsg(handle_))};
  }
}

Result<std::unique_ptr<Connection>> Connection::Open(const Location& location, Access access) {
  std::unique_ptr<Connection> connection(
      new Connection(location.memory ? "the history in memory" : location.path));
  const int how =
      access == Access::kWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  const int flags = how | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  std::string uri = location.memory ? fmt::format("file:/{}?vfs=memdb", location.path)
                                    : "file:" + Escaped(location.path);
  const int patience_ms = access == Access::kWrite ? kWriterPatienceMs : kReaderPatienceMs;
  const auto open = [&] {
    int code = sqlite3_open_v2(uri.c_str(), &connection->handle_, flags, nullptr);
    if (code != SQLITE_OK) return code;
    sqlite3_busy_timeout(connection->handle_, patience_ms);
    // The file itself is looked at when it is first used.
    return sqlite3_exec(connection->handle_, "PRAGMA schema_version", nullptr, nullptr, nullptr);
  };
  int code = open();
  const bool cannot = (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY;
  if (cannot && access == Access::kRead && !location.memory && !HasLog(location.path)) {
    // In a directory that may not be written there can be no shared index; nobody writes then.
    sqlite3_close_v2(std::exchange(connection->handle_, nullptr));
    uri += "?immutable=1";
    code = open();
  }
  if (code != SQLITE_OK) return tl::unexpected(connection->Problem(code));
  return connection;
}

Result<void> Connection::Do(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return tl::unexpected(Problem(code));
  return {};
}

Result<std::optional<std::int64_t>> Connection::Number(const std::string& sql) {
  auto statement = Prepare(sql);
  if (!statement) return tl::unexpected(statement.error());
  const auto row = statement->Step();
  if (!row) return tl::unexpected(row.error());
  if (!*row || statement->IsNull(0)) return std::optional<std::int64_t>();
  return std::optional(statement->Number(0));
}

Result<Statement> Connection::Prepare(std::string_view sql) {
  Statement statement;
  statement.connection_ = this;
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement.handle_, nullptr);
  if (code != SQLITE_OK) return tl::unexpected(Problem(code));
  return statement;
}

void Connection::EndAfter(std::int64_t milliseconds) {
  end_ms_ = NowMs() + milliseconds;
  const auto look = [](void* self) {
    return NowMs() > static_cast<const Connection*>(self)->end_ms_ ? 1 : 0;
  };
  sqlite3_progress_handler(handle_, kInstructionsBetweenLooks, look, this);
}

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_), handle_(std::exchange(other.handle_, nullptr)) {}
Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(connection_, other.connection_);
  std::swap(handle_, other.handle_);
  return *this;
}
Statement::~Statement() { sqlite3_finalize(handle_); }

Statement& Statement::Bind(int at, std::int64_t value) {
  sqlite3_bind_int64(handle_, at, value);
  return *this;
}

Statement& Statement::BindText(int at, std::string_view text) {
  if (text.empty()) return BindNull(at);
  sqlite3_bind_text(handle_, at, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  return *this;
}

Statement& Statement::BindBytes(int at, std::string_view bytes) {
  sqlite3_bind_blob(handle_, at, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
  return *this;
}

Statement& Statement::BindNull(int at) {
  sqlite3_bind_null(handle_, at);
  return *this;
}

Result<bool> Statement::Step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  Error error = connection_->Problem(code);
  sqlite3_reset(handle_);
  return tl::unexpected(std::move(error));
}

Result<void> Statement::Run() {
  const auto row = Step();
  sqlite3_reset(handle_);
  if (!row) return tl::unexpected(row.error());
  return {};
}

void Statement::Reset() { sqlite3_reset(handle_); }

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}
std::int64_t Statement::Number(int column) const { return sqlite3_column_int64(handle_, column); }
std::string_view Statement::Text(int column) const {
  const void* text = sqlite3_column_blob(handle_, column);
  const int size = sqlite3_column_bytes(handle_, column);
  return {static_cast<const char*>(text), static_cast<std::size_t>(size)};
}

}  // namespace fairlead::history
