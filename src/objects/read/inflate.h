#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "objects/read/padded_text.h"

namespace fairlead::objects {

bool IsGzip(std::string_view bytes);
bool IsZstd(std::string_view bytes);

// The text inside; several members or frames one behind the other are one text. An error where the
// bytes are broken, cut off or inflate to more than `max_bytes`.
Result<PaddedText> InflateGzip(std::string_view bytes, std::size_t max_bytes);
Result<PaddedText> InflateZstd(std::string_view bytes, std::size_t max_bytes);

}  // namespace fairlead::objects
