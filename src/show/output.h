#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "show/document_text.h"
#include "show/table.h"

namespace fairlead::show {

// The last three are kubectl's ways to print objects, of commands that have them.
enum class Format : std::uint8_t { kTable, kJson, kYaml, kCsv, kName, kJsonPath, kColumns };

// Exit codes (interface.md §2).
enum ExitCode : int { kDone = 0, kAnswerIsNo = 1, kBadInput = 2 };

// Where every command writes its answer: data only, so that it can be piped. Messages go to stderr
// by Complain. The text is kept until Flush, or until there is a lot of it.
// Thread safety: none.
class Output {
 public:
  // `out` null: kept in memory, for tests; see text(). `width`: of tables at most; 0: any.
  // `expression`: of kJsonPath and kColumns, what stands behind the "=".
  Output(Format format, bool colour, std::FILE* out, std::size_t width = 0,
         std::string expression = {});
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool is_table() const { return format_ == Format::kTable; }
  bool is_csv() const { return format_ == Format::kCsv; }  // only commands that have it
  Format format() const { return format_; }
  const std::string& expression() const { return expression_; }
  bool colour() const { return colour_; }

  // One document, in JSON or YAML; `lists` of it come from elsewhere. REQUIRES: !is_table().
  void Document(const boost::json::value& value, std::span<const LongList> lists = {});

  // One document of several: a line of JSON, or YAML after a "---". REQUIRES: !is_table().
  void StreamDocument(const boost::json::value& value);

  void Text(std::string_view text);
  // One line: control characters in it are shown (base/printable.h), colours of Painted stay.
  void Line(std::string_view text);
  // The table below its title; where it is empty, `none` instead, unless that is empty too.
  void Section(std::string_view title, const Table& table, std::string_view none);
  // After an empty line; nothing where there are none.
  void Paragraph(const std::vector<std::string>& lines);
  void Print(const Table& table);
  // Without its header, or with columns as wide as those before.
  void Print(const Table& table, bool header, std::vector<std::size_t> widths = {});
  std::string Painted(std::string_view text, Tone tone) const;

  // Writes what is kept. A reader that went away is no fault: the rest is dropped in silence.
  // Any other failure to write is said once on stderr; false then.
  bool Flush();
  // Nobody reads what is written from now on.
  bool reader_gone() const { return broken_; }

  const std::string& text() const { return kept_; }

 private:
  Format format_;
  bool colour_;
  std::FILE* out_;
  std::size_t width_;
  std::string expression_;
  std::string kept_;
  bool first_document_ = true;
  bool broken_ = false;
};

// Control characters of a message are shown (base/printable.h).
// A line on stderr that begins with the program's name: "fairlead: …".
void Complain(std::string_view message);
// A line on stderr as it is: faults of the input start with their place.
void ComplainAsIs(std::string_view line);

// Whether colours belong on this stream: a terminal, and NO_COLOR unset or empty.
bool WantsColour(std::FILE* stream);
// How many columns the terminal behind it has; 0: it is none.
std::size_t TerminalWidth(std::FILE* stream);

}  // namespace fairlead::show
