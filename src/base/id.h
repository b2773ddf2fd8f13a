#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace fairlead {

// A dense number that names one row of a table. Ids of different tables do not mix.
// Invariant: a default-made id is invalid and compares greater than every valid one.
template <typename Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t value) : value_(value) {}
  constexpr explicit Id(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}

  constexpr std::uint32_t value() const { return value_; }
  constexpr bool valid() const { return value_ != kInvalid; }
  constexpr auto operator<=>(const Id&) const = default;

 private:
  static constexpr std::uint32_t kInvalid = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value_ = kInvalid;
};

}  // namespace fairlead
