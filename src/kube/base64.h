#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fairlead::kube {

// RFC 4648 with padding; blanks and line ends are passed over. Absent: it is none.
std::optional<std::string> DecodeBase64(std::string_view text);
std::string EncodeBase64(std::string_view bytes);

}  // namespace fairlead::kube
