#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "objects/pod.h"
#include "state/reason.h"

// Shares of one device as KAI Scheduler's pods ask them: by annotation, as a fraction ("0.5") or as
// device memory in MiB ("4096"). They are what fairlead.dev/gpu-milli asks: thousandths of a
// device.

namespace fairlead::intake {

// The memory of the devices of a pool, by the label nvidia.com/gpu.memory of its nodes with GPUs.
class DeviceMemory {
 public:
  // A node came (+1) or went (-1).
  void Count(const objects::Labels& labels, const objects::ResourceList& allocatable,
             std::int64_t by);

  // In MiB, where all nodes with GPUs say the same; else none.
  std::optional<std::int64_t> mib() const;
  // Why there is none.
  std::string Why() const;
  // Whether what Why() and mib() say is another than at the last call.
  bool TakeMoved();

 private:
  std::map<std::string, std::int64_t, std::less<>> nodes_;  // by what the label says; "": nothing
  std::vector<std::string> told_;                           // what it said then
  bool moved_ = false;
};

struct GpuShare {
  std::int32_t milli = 0;             // 0: no share is asked, or it is not to be had
  std::optional<state::Reason> hold;  // why it is not
  // What a pod takes that was placed, maybe by another scheduler: whole devices where it is not
  // known better.
  std::int64_t taken_milli = 0;
};
// `packed`: of PackForeign, for a pod or a template. `of` as in ForeignHold.
GpuShare GpuShareOf(std::string_view packed, const DeviceMemory& memory, std::string_view of);

// Whether the share depends on the nodes.
bool AsksGpuMemory(std::string_view packed);

}  // namespace fairlead::intake
