#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead {

// For products of two 64-bit numbers, and sums of these.
__extension__ using WideInt = __int128;

// A decimal number of so many 10^-decimals, without zeros at its end: "12.5", "3".
std::string FormatWide(WideInt amount, std::size_t decimals);
// Absent: it is none, is negative or has more than 36 digits, or more decimals than are counted.
std::optional<WideInt> ParseWide(std::string_view text, std::size_t decimals);

}  // namespace fairlead
