#include "base/amount_text.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/quantity.h"

namespace fairlead {
namespace {

// "22500m" as "22.5".
std::string FromMilli(std::int64_t milli) {
  std::string fraction = fmt::format("{:03}", milli % 1000);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return fmt::format("{}{}{}", milli / 1000, fraction.empty() ? "" : ".", fraction);
}

// A count and the suffix behind it: 18318 and "Gi". Absent: it is no such quantity.
struct Parts {
  std::int64_t count = 0;
  std::string_view suffix;
};
std::optional<Parts> PartsOf(std::string_view quantity) {
  Parts parts;
  const auto [end, error] =
      std::from_chars(quantity.data(), quantity.data() + quantity.size(), parts.count);
  if (error != std::errc() || parts.count < 0) return std::nullopt;
  parts.suffix = quantity.substr(static_cast<std::size_t>(end - quantity.data()));
  return parts;
}

bool IsBinary(const Parts& parts) { return parts.suffix.size() == 2 && parts.suffix[1] == 'i'; }

// "18318Gi" as "17.89" and 'T'; up to four digits stay as they are.
std::pair<std::string, char> FromBinary(const Parts& parts) {
  static constexpr std::string_view kPrefixes = "KMGTPE";
  if (parts.count < 10'000) return {std::to_string(parts.count), parts.suffix[0]};
  auto amount = static_cast<double>(parts.count);
  std::size_t unit = kPrefixes.find(parts.suffix[0]);
  for (; amount >= 1024 && unit + 1 < kPrefixes.size(); ++unit) amount /= 1024;
  return {fmt::format("{:.4g}", amount), kPrefixes[unit]};
}

// Many bytes that are no whole number of KiB, as "10887418240", come in KiB: of such a number
// nobody sees how much it is.
Parts Shortened(const Parts& parts, std::string_view resource) {
  const bool bytes = SuffixesOf(resource) == Suffixes::kBinary && parts.suffix.empty();
  return bytes && parts.count >= 10'000 ? Parts{parts.count / 1024, "Ki"} : parts;
}

// What people count a resource in. `many` empty: it is an amount of the resource itself.
struct UnitWords {
  std::string_view resource, one, many;
};
constexpr std::array<UnitWords, 3> kUnitWords = {
    {{"cpu", "core", "cores"}, {"nvidia.com/gpu", "GPU", "GPUs"}, {"pods", "pod", "pods"}}};

// "cpu[spot]" is cpu of a flavor.
std::string_view WithoutFlavor(std::string_view resource) {
  return resource.substr(0, resource.find('['));
}
std::string_view FlavorOf(std::string_view resource) {
  return resource.substr(WithoutFlavor(resource).size());
}

const UnitWords* UnitOf(std::string_view resource) {
  for (const UnitWords& unit : kUnitWords) {
    if (unit.resource == WithoutFlavor(resource)) return &unit;
  }
  return nullptr;
}

}  // namespace

std::string HumanAmount(std::string_view resource, std::string_view quantity) {
  const auto parts = PartsOf(quantity);
  if (!parts) return std::string(quantity);
  if (parts->suffix == "m") return FromMilli(parts->count);
  const Parts shown = Shortened(*parts, WithoutFlavor(resource));
  if (!IsBinary(shown)) return std::string(quantity);
  const auto [amount, prefix] = FromBinary(shown);
  return fmt::format("{}{}i", amount, prefix);
}

std::string HumanAmount(std::string_view resource, std::int64_t amount) {
  return HumanAmount(resource, FormatResource(resource, amount));
}

std::string BareAmountText(std::string_view resource, std::string_view quantity) {
  const auto parts = PartsOf(quantity);
  if (!parts) return std::string(quantity);
  if (SuffixesOf(WithoutFlavor(resource)) == Suffixes::kBinary) {
    const Parts shown = Shortened(*parts, WithoutFlavor(resource));
    if (!IsBinary(shown)) return fmt::format("{} B", shown.count);
    const auto [amount, prefix] = FromBinary(shown);
    return fmt::format("{} {}iB", amount, prefix);
  }
  const Result<std::int64_t> milli = ParseQuantity(quantity, Scale::kMilli);
  return milli ? FromMilli(*milli) : std::string(quantity);
}

std::string AmountText(std::string_view resource, std::string_view quantity) {
  const std::string amount = BareAmountText(resource, quantity);
  if (const UnitWords* unit = UnitOf(resource)) {
    return fmt::format("{} {}{}", amount, amount == "1" ? unit->one : unit->many,
                       FlavorOf(resource));
  }
  const bool bytes = SuffixesOf(WithoutFlavor(resource)) == Suffixes::kBinary;
  return fmt::format("{}{}{}", amount, bytes ? " of " : " ", resource);
}

std::string TooLittleText(std::string_view resource, std::string_view free) {
  if (const UnitWords* unit = UnitOf(resource)) {
    return fmt::format("too few {}{}{}", free, unit->many, FlavorOf(resource));
  }
  return fmt::format("too little {}{}", free, resource);
}

}  // namespace fairlead
