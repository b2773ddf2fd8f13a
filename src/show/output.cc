#include "show/output.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <boost/json.hpp>
#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/check.h"
#include "base/printable.h"
#include "show/document_text.h"

namespace fairlead::show {
namespace {

constexpr std::size_t kKeepAtMost = 1 << 20;

}  // namespace

Output::Output(Format format, bool colour, std::FILE* out, std::size_t width,
               std::string expression)
    : format_(format),
      colour_(colour),
      out_(out),
      width_(width),
      expression_(std::move(expression)) {}

Output::~Output() { Flush(); }

void Output::Document(const boost::json::value& value, std::span<const LongList> lists) {
  CHECK(format_ == Format::kJson || format_ == Format::kYaml);
  const auto sink = [this](std::string_view text) { Text(text); };
  format_ == Format::kJson ? WriteJson(value, lists, sink) : WriteYaml(value, lists, sink);
}

void Output::StreamDocument(const boost::json::value& value) {
  CHECK(!is_table());
  if (format_ == Format::kYaml && !first_document_) Text("---\n");
  first_document_ = false;
  Text(format_ == Format::kJson ? JsonLine(value) : YamlText(value));
}

void Output::Text(std::string_view text) {
  kept_.append(text);
  if (kept_.size() >= kKeepAtMost && out_ != nullptr) Flush();
}

void Output::Line(std::string_view text) {
  Text(PrintablePainted(text, colour_));
  Text("\n");
}

void Output::Section(std::string_view title, const Table& table, std::string_view none) {
  if (table.empty()) {
    if (none.empty()) return;
    Line("");
    return Line(none);
  }
  Line("");
  Line(Painted(title, Tone::kTitle));
  Print(table);
}

void Output::Paragraph(const std::vector<std::string>& lines) {
  if (!lines.empty()) Line("");
  for (const std::string& line : lines) Line(line);
}

void Output::Print(const Table& table) { Print(table, /*header=*/true); }

void Output::Print(const Table& table, bool header, std::vector<std::size_t> widths) {
  Text(table.Render(
      {.colour = colour_, .width = width_, .header = header, .widths = std::move(widths)}));
}

std::string Output::Painted(std::string_view text, Tone tone) const {
  return Paint(text, tone, colour_);
}

bool Output::Flush() {
  if (out_ == nullptr) return true;
  const std::string text = std::move(kept_);
  kept_.clear();
  if (broken_) return false;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), out_) == text.size() && std::fflush(out_) == 0;
  if (written) return true;
  broken_ = true;
  if (errno == EPIPE) return true;
  Complain(fmt::format("the output cannot be written: {}", std::strerror(errno)));
  return false;
}

void Complain(std::string_view message) { ComplainAsIs(fmt::format("fairlead: {}", message)); }

void ComplainAsIs(std::string_view line) { fmt::print(stderr, "{}\n", Printable(line)); }

bool WantsColour(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return ::isatty(::fileno(stream)) == 1;
}

std::size_t TerminalWidth(std::FILE* stream) {
  winsize size{};
  if (::isatty(::fileno(stream)) != 1 || ::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0) {
    return 0;
  }
  return size.ws_col;
}

}  // namespace fairlead::show
