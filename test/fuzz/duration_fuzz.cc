// Durations and times: whatever parses is printed, and reads back as the same.

#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/time.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto duration = fairlead::ParseDuration(text)) {
    CHECK(fairlead::ParseDuration(fairlead::FormatDuration(*duration)) == *duration);
  }
  if (const auto time = fairlead::ParseTime(text)) {
    CHECK(fairlead::ParseTime(fairlead::FormatTime(*time)) == *time);
  }
  return 0;
}
