#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "base/name_map.h"
#include "objects/pod.h"
#include "state/ids.h"

namespace fairlead::state {

// Resources that have a fixed number. The two internal ones are columns of nodes only: a node's
// GPUs are devices, and what fits on them is not told by their sum.
inline constexpr ResourceId kCpu{0U};       // millicores
inline constexpr ResourceId kMemory{1U};    // bytes
inline constexpr ResourceId kPods{2U};      // pods
inline constexpr ResourceId kGpu{3U};       // nvidia.com/gpu, thousandths of a device
inline constexpr ResourceId kGpuWhole{4U};  // internal: devices that are wholly free
inline constexpr ResourceId kGpuShare{5U};  // internal: the most that is free on any one device
inline constexpr std::uint32_t kFixedResources = 6;

constexpr bool IsInternal(ResourceId id) { return id == kGpuWhole || id == kGpuShare; }
// What people and queues count: devices, which only trying tells apart, by their sum.
constexpr ResourceId PublicOf(ResourceId id) { return IsInternal(id) ? kGpu : id; }
constexpr std::int64_t PublicAmount(ResourceId id, std::int64_t amount) {
  return id == kGpuWhole ? amount * 1000 : amount;
}

// Names of resources as dense numbers, in the order of their first mention.
class ResourceTable {
 public:
  ResourceTable();
  ResourceId Intern(std::string_view name);
  ResourceId Find(std::string_view name) const;  // REQUIRES: it is known
  std::optional<ResourceId> FindKnown(std::string_view name) const;
  const std::string& name(ResourceId id) const { return names_[id.value()]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }

  // The smallest amount that a share is divided into: a whole device for GPUs, else 1.
  static std::int64_t ShareUnit(ResourceId id) { return id == kGpu ? 1000 : 1; }
  // Whether pods that ask it are "GPU pods" (nvidia.com/gpu, amd.com/gpu, …).
  bool IsGpu(ResourceId id) const { return is_gpu_[id.value()]; }
  // Slots for volumes (objects::kAttachPrefix): of nodes alone, no queue counts them.
  bool IsSlots(ResourceId id) const { return is_slots_[id.value()]; }
  const std::vector<ResourceId>& gpus() const { return gpus_; }
  // Public resources that queues may count, sorted by name: the order in which people see them.
  std::vector<ResourceId> SortedByName() const;
  std::string Format(ResourceId id, std::int64_t amount) const;

 private:
  std::vector<std::string> names_;
  std::vector<bool> is_gpu_, is_slots_;
  std::vector<ResourceId> gpus_;
  NameMap<ResourceId> by_name_;
};

struct Amount {
  ResourceId resource;
  std::int64_t amount = 0;
  bool operator==(const Amount&) const = default;
};

// A request: a few amounts, sorted by resource, none zero.
using Amounts = boost::container::small_vector<Amount, 5>;

// Sums stop there, so that they can be compared with what is allocated without passing the end of
// the numbers. Nobody has as much.
inline constexpr std::int64_t kMostAmount = std::int64_t{1} << 60;

// What a pod asks counts up to these, and what a node has up to just below: whoever asks so much
// fits nowhere, and sums over the pods of a cluster stay far from the end of the numbers.
inline constexpr std::int64_t kMostOfAPod = std::int64_t{1} << 46;
inline constexpr std::int64_t kMostGpuOfAPod = std::int64_t{1000} << 16;
constexpr std::int64_t MostOfAPod(ResourceId id) {
  return id == kGpu ? kMostGpuOfAPod : kMostOfAPod;
}

std::int64_t AmountOf(const Amounts& amounts, ResourceId resource);
void AddTo(Amounts& into, const Amounts& more, std::int64_t times);
Amounts ToAmounts(const objects::ResourceList& list, ResourceTable& table);

}  // namespace fairlead::state
