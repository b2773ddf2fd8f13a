// Quantities: whatever parses is printed in its canonical form, and reads back as the same amount.

#include <cstdint>
#include <limits>
#include <string_view>

#include "base/check.h"
#include "base/quantity.h"

using fairlead::Scale;
using fairlead::Suffixes;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Scale scale : {Scale::kUnit, Scale::kMilli}) {
    const auto amount = fairlead::ParseQuantity(text, scale);
    if (!amount) continue;
    CHECK(*amount != std::numeric_limits<std::int64_t>::min());
    for (const Suffixes suffixes : {Suffixes::kDecimal, Suffixes::kBinary}) {
      const std::string printed = fairlead::FormatQuantity(*amount, scale, suffixes);
      CHECK(fairlead::ParseQuantity(printed, scale) == *amount);
      CHECK(printed.size() <= 21);
    }
  }
  return 0;
}
