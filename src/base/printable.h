#pragma once

#include <string>
#include <string_view>

namespace fairlead {

// `text` as part of one line, for terminals and logs. Control characters (line ends, a terminal's
// escapes), marks that turn the direction of writing, and bytes that are no UTF-8 are shown as
// "\n", "\x1b", "\u202e". Whatever a tenant may have written is printed so: it can neither look
// like a line of ours nor tell a terminal anything.
std::string Printable(std::string_view text);

}  // namespace fairlead
