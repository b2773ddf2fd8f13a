#include "account/fragmentation_figure.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/wide_int.h"

namespace fairlead::account {
namespace {

constexpr std::int64_t kDevice = 1000;

struct Kind {
  std::int64_t cpu = 0, gpu = 0;
  std::int64_t pods = 0;
};

// A node's room at one moment.
struct Room {
  std::int64_t cpu = 0, gpu = 0;                   // offered
  std::int64_t cpu_used = 0, whole = 0;            // thousandths; of GPUs that are not shared
  std::map<std::int32_t, std::int64_t> on_device;  // of shared ones

  std::int64_t free_whole() const {
    const auto shared = static_cast<std::int64_t>(on_device.size());
    return std::max<std::int64_t>(0, gpu / kDevice - whole / kDevice - shared);
  }
  std::int64_t free() const {
    std::int64_t free = free_whole() * kDevice;
    for (const auto& [device, used] : on_device) free += std::max<std::int64_t>(0, kDevice - used);
    return free;
  }
  // Of what is free, what a pod of the kind cannot use.
  std::int64_t Lost(const Kind& kind) const {
    if (kind.gpu == 0 || cpu - cpu_used < kind.cpu) return free();
    std::int64_t slivers = 0;
    bool fits = false;
    if (kind.gpu >= kDevice) {
      fits = free_whole() * kDevice >= kind.gpu;
      slivers = free() - free_whole() * kDevice;
    } else {
      fits = free_whole() > 0;
      for (const auto& [device, used] : on_device) {
        const std::int64_t left = std::max<std::int64_t>(0, kDevice - used);
        if (left >= kind.gpu) fits = true;
        if (left < kind.gpu) slivers += left;
      }
    }
    return fits ? slivers : free();
  }
};

// 0 where the ledger has no such resource.
std::int64_t AmountIn(const Ledger& ledger, AmountsId amounts, std::size_t resource) {
  return resource < ledger.resources.size() ? ledger.Amount(amounts, resource) : 0;
}

std::vector<Kind> KindsOf(const Ledger& ledger, std::size_t cpu, std::size_t gpu) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;
  std::vector<bool> seen(ledger.names.size());
  for (const Stay& stay : ledger.stays) {
    if (seen[stay.pod]) continue;
    seen[stay.pod] = true;
    ++counts[{AmountIn(ledger, stay.amounts, cpu), ledger.Amount(stay.amounts, gpu)}];
  }
  std::vector<Kind> kinds;
  for (const auto& [asked, pods] : counts) {
    kinds.push_back({.cpu = asked.first, .gpu = asked.second, .pods = pods});
  }
  return kinds;
}

std::size_t IndexOf(const Ledger& ledger, std::string_view resource) {
  const auto at = std::find(ledger.resources.begin(), ledger.resources.end(), resource);
  return static_cast<std::size_t>(at - ledger.resources.begin());
}

}  // namespace

std::optional<double> FragmentationOf(const Ledger& ledger) {
  const std::size_t cpu = IndexOf(ledger, "cpu"), gpu = IndexOf(ledger, "nvidia.com/gpu");
  if (gpu == ledger.resources.size()) return std::nullopt;
  const std::vector<Kind> kinds = KindsOf(ledger, cpu, gpu);
  std::int64_t pods = 0;
  for (const Kind& kind : kinds) pods += kind.pods;
  if (pods == 0) return std::nullopt;
  const std::int64_t whole_us = (ledger.end - ledger.start).us;
  double sum = 0;
  std::int64_t moments = 0;
  for (std::int64_t i = 1; i <= kMoments; ++i) {
    const Time at = ledger.start + Duration{whole_us * i / kMoments};
    std::map<NameId, Room> rooms;
    for (const CapacityRow& row : ledger.capacity) {
      if (row.time > at) continue;
      Room& room = rooms[row.node];
      room.cpu = AmountIn(ledger, row.offered, cpu);
      room.gpu = ledger.Amount(row.offered, gpu);
    }
    for (const Stay& stay : ledger.stays) {
      if (stay.begin > at || stay.end <= at) continue;
      const std::int64_t gpus = ledger.Amount(stay.amounts, gpu);
      Room& room = rooms[stay.node];
      room.cpu_used += AmountIn(ledger, stay.amounts, cpu);
      if (stay.gpu_device >= 0) {
        room.on_device[stay.gpu_device] += gpus;
      } else {
        room.whole += gpus;
      }
    }
    WideInt lost = 0;
    std::int64_t all = 0;
    for (const auto& [node, room] : rooms) {
      all += room.gpu;
      if (room.gpu == 0) continue;
      for (const Kind& kind : kinds) lost += static_cast<WideInt>(room.Lost(kind)) * kind.pods;
    }
    if (all == 0) continue;
    ++moments;
    sum +=
        100.0 * static_cast<double>(lost) / (static_cast<double>(pods) * static_cast<double>(all));
  }
  if (moments == 0) return std::nullopt;
  return sum / static_cast<double>(moments);
}

}  // namespace fairlead::account
