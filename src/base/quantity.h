#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fairlead {

// The unit in which an amount of a resource is counted. Amounts are exact int64.
enum class Scale : std::uint8_t {
  kUnit,   // bytes, pods, devices that cannot be shared
  kMilli,  // thousandths: cpu, and GPUs, which can be asked in parts
};

// The suffix family in which amounts of a resource are written.
enum class Suffixes : std::uint8_t { kDecimal, kBinary };

// Scale and suffixes by resource name: cpu and nvidia.com/gpu are kMilli; memory, ephemeral-storage
// and hugepages-* are written with binary suffixes.
Scale ScaleOf(std::string_view resource);
Suffixes SuffixesOf(std::string_view resource);
// Digits behind the point that an amount in units may have.
constexpr std::size_t DecimalsOf(Scale scale) { return scale == Scale::kMilli ? 3 : 0; }

// Kubernetes' quantity grammar (apimachinery resource.Quantity): sign, digits, fraction, one of
// n u m "" k M G T P E Ki Mi Gi Ti Pi Ei, or e/E and an exponent. Returned in `scale`'s unit,
// rounded up (away from zero). Errors: not a quantity; beyond int64 in that unit. Negative values
// parse.
Result<std::int64_t> ParseQuantity(std::string_view text, Scale scale);

// The canonical form: the largest suffix that leaves no fraction ("1500m", "64", "2k", "16Gi").
std::string FormatQuantity(std::int64_t amount, Scale scale, Suffixes suffixes);
// In the unit of the resource; "cpu[spot]", cpu of a flavor, is counted as cpu is.
std::string FormatResource(std::string_view resource, std::int64_t amount);

}  // namespace fairlead
