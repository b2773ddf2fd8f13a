#include "intake/facts/gpu_share.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/integer.h"
#include "base/quantity.h"
#include "intake/facts/foreign_asks.h"

// A share by memory depends on the node that the pod gets. Work is placed by one request, so it is
// served where all devices of the pool have one memory:
//
//   gpu-fraction "0.3334"                     334 thousandths: rounded up
//   gpu-memory "4096", all devices 40960      100 thousandths
//   gpu-memory "4096", devices of two sizes   UnsupportedConstraint, which names the sizes

namespace fairlead::intake {
namespace {

constexpr std::string_view kFraction = "gpu-fraction";
constexpr std::string_view kMemory = "gpu-memory";
constexpr std::string_view kMemoryLabel = "nvidia.com/gpu.memory";
constexpr std::string_view kDevices = "gpu-fraction-num-devices";
constexpr std::int32_t kWhole = 1000;
constexpr std::int64_t kMostDevices = 1024;
constexpr std::int64_t kMostMib = std::int64_t{1} << 40;

std::optional<std::int64_t> PositiveIn(std::string_view text) {
  const auto number = ParseInteger<std::int64_t>(text);
  return number && *number > 0 && *number <= kMostMib ? number : std::nullopt;
}

// Thousandths of a decimal such as "0.5", rounded up; none where it is none in (0, 1].
std::optional<std::int32_t> ThousandthsOf(std::string_view text) {
  if (text.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
  const Result<std::int64_t> milli = ParseQuantity(text, Scale::kMilli);
  if (!milli || *milli <= 0 || *milli > kWhole) return std::nullopt;
  return static_cast<std::int32_t>(*milli);
}

}  // namespace

void DeviceMemory::Count(const objects::Labels& labels, const objects::ResourceList& allocatable,
                         std::int64_t by) {
  if (objects::AmountOf(allocatable, "nvidia.com/gpu") <= 0) return;
  const std::string* label = objects::FindLabel(labels, kMemoryLabel);
  const auto at = nodes_.try_emplace(label == nullptr ? "" : *label).first;
  const bool was_there = at->second > 0;
  at->second += by;
  moved_ |= was_there != (at->second > 0);
  if (at->second == 0) nodes_.erase(at);
}

std::optional<std::int64_t> DeviceMemory::mib() const {
  return nodes_.size() == 1 ? PositiveIn(nodes_.begin()->first) : std::nullopt;
}

std::string DeviceMemory::Why() const {
  if (nodes_.empty()) return "no node has GPUs";
  std::vector<std::string_view> said;
  for (const auto& [memory, count] : nodes_) {
    said.push_back(PositiveIn(memory) ? std::string_view(memory) : "none");
  }
  return fmt::format("the label {} of the nodes with GPUs says {}", kMemoryLabel,
                     fmt::join(said, ", "));
}

bool DeviceMemory::TakeMoved() {
  if (!std::exchange(moved_, false)) return false;
  std::vector<std::string> said;
  for (const auto& [memory, count] : nodes_) said.push_back(memory);
  if (said == told_) return false;
  told_ = std::move(said);
  return true;
}

GpuShare GpuShareOf(std::string_view packed, const DeviceMemory& memory, std::string_view of) {
  GpuShare share;
  std::optional<ForeignAsk> first;
  std::int64_t devices = 1;
  const auto refuse = [&](const ForeignAsk& ask, std::string message) {
    if (share.hold) return;
    share.hold = state::Reason{.code = state::ReasonCode::kUnsupportedConstraint,
                               .message = std::move(message),
                               .field = FieldOf(of, ask)};
  };
  ForEachAsk(packed, [&](const ForeignAsk& ask) {
    if (ask.place == KeyPlace::kEither) {
      if (!first) return;
      refuse(*first, fmt::format("annotation {} asks for a share of a device, and a container for "
                                 "devices: ask for one of them",
                                 first->key));
      return;
    }
    if (ask.place != KeyPlace::kAnnotation) return;
    if (ask.key == kDevices) devices = std::min(PositiveIn(ask.value).value_or(1), kMostDevices);
    if (ask.key != kFraction && ask.key != kMemory) return;
    if (first) {
      refuse(ask, fmt::format("annotations {} and {} are both there: ask for one of them",
                              first->key, ask.key));
      return;
    }
    first = ask;
    if (ask.key == kFraction) {
      const std::optional<std::int32_t> milli = ThousandthsOf(ask.value);
      share.milli = milli.value_or(0);
      if (!milli) {
        refuse(ask, fmt::format("annotation {} is \"{}\", expected a decimal above 0, 1 at most",
                                ask.key, ask.value));
      }
      return;
    }
    const std::optional<std::int64_t> asked = PositiveIn(ask.value);
    const std::optional<std::int64_t> size = memory.mib();
    if (!asked) {
      refuse(ask, fmt::format("annotation {} is \"{}\", expected a whole number of MiB", ask.key,
                              ask.value));
    } else if (!size) {
      refuse(ask, fmt::format("annotation {} asks for {} MiB of a device, which is a share only "
                              "where all devices have one size, and {}; use gpu-fraction or "
                              "fairlead.dev/gpu-milli",
                              ask.key, *asked, memory.Why()));
    } else if (*asked > *size) {
      refuse(ask, fmt::format("annotation {} asks for {} MiB of a device, and the devices have {}",
                              ask.key, *asked, *size));
    } else {
      share.milli = static_cast<std::int32_t>((*asked * kWhole + *size - 1) / *size);
    }
  });
  if (share.hold) share.milli = 0;
  if (first) share.taken_milli = devices > 1 ? devices * kWhole : share.hold ? kWhole : share.milli;
  return share;
}

bool AsksGpuMemory(std::string_view packed) {
  bool asks = false;
  ForEachAsk(packed, [&](const ForeignAsk& ask) { asks |= ask.key == kMemory; });
  return asks;
}

}  // namespace fairlead::intake
