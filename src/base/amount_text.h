#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fairlead {

// Amounts for people. Programs get canonical quantities (base/quantity.h).

// A canonical quantity of a resource for a table: "22500m" is "22.5", "500m" is "0.5", "18318Gi" is
// "17.89Ti"; of bytes "10887418240" is "10.14Gi". Short ones stay.
std::string HumanAmount(std::string_view resource, std::string_view quantity);
// The same of an amount in the resource's Scale (base/quantity.h).
std::string HumanAmount(std::string_view resource, std::int64_t amount);

// An amount of a resource in a sentence, from its canonical quantity: "3.5 GPUs", "1 core",
// "17.89 TiB of memory", "2 example.com/fpga"; of a flavor "4 cores[spot]".
std::string AmountText(std::string_view resource, std::string_view quantity);
// Without its unit, where that was said: "3.5", "512 GiB".
std::string BareAmountText(std::string_view resource, std::string_view quantity);

// What there is not enough of: "too few free GPUs", "too little memory". `free`: "free " or "".
std::string TooLittleText(std::string_view resource, std::string_view free);

}  // namespace fairlead
