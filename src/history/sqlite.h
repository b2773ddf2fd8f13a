#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

// SQLite behind types of ours: no other file knows its interface.

struct sqlite3;
struct sqlite3_stmt;

namespace fairlead::history {

// Where a database is: a file, or, for `memory`, a name that connections of this process share.
struct Location {
  std::string path;
  bool memory = false;
};

class Statement;

// One connection. Thread safety: none.
class Connection {
 public:
  enum class Access : std::uint8_t { kRead, kWrite };

  // To write makes the file where it is missing. Waits for others, up to two seconds to read and
  // ten to write.
  static Result<std::unique_ptr<Connection>> Open(const Location& location, Access access);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // One or several statements of which nobody wants the rows.
  Result<void> Do(const std::string& sql);
  // The first column of the first row; absent where there is no row.
  Result<std::optional<std::int64_t>> Number(const std::string& sql);
  Result<Statement> Prepare(std::string_view sql);
  // From now on a statement that works longer than that fails.
  void EndAfter(std::int64_t milliseconds);
  const std::string& path() const { return path_; }

 private:
  friend class Statement;
  explicit Connection(std::string path);
  Error Problem(int code) const;

  std::string path_;
  sqlite3* handle_ = nullptr;
  std::int64_t end_ms_ = 0;
};

// A prepared statement: bind 1 … n, step, read columns 0 … . Text that was bound must stay valid
// until the next Reset.
class Statement {
 public:
  Statement() = default;
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;
  ~Statement();

  Statement& Bind(int at, std::int64_t value);
  Statement& BindText(int at, std::string_view text);  // empty: NULL
  Statement& BindBytes(int at, std::string_view bytes);
  Statement& BindNull(int at);

  Result<bool> Step();  // whether there is a row
  Result<void> Run();   // for statements without rows; resets
  void Reset();

  bool IsNull(int column) const;
  std::int64_t Number(int column) const;
  std::string_view Text(int column) const;  // or bytes; valid until the next Step or Reset
  std::string Copy(int column) const { return std::string(Text(column)); }

 private:
  friend class Connection;
  const Connection* connection_ = nullptr;
  sqlite3_stmt* handle_ = nullptr;
};

}  // namespace fairlead::history
