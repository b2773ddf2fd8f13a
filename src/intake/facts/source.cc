#include "intake/facts/source.h"

#include <charconv>

namespace fairlead::intake {

Source InternSource(std::string_view text, Names& names) {
  Source source;
  std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos) {
    const char* end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data() + colon + 1, end, source.line);
    if (error == std::errc() && stop == end) {
      text = text.substr(0, colon);
    } else {
      source.line = 0;
    }
  }
  source.file = names.InternAgain(text);
  return source;
}

std::string ToString(Source source, const Names& names) {
  if (source.line == 0) return names[source.file];
  return names[source.file] + ":" + std::to_string(source.line);
}

}  // namespace fairlead::intake
