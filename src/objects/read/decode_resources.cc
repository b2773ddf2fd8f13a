#include <algorithm>

#include "base/quantity.h"
#include "objects/keys.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

// Devices are asked whole, or in whole thousandths.
bool IsCounted(std::string_view resource, Devices devices) {
  return resource == kGpuMilliResource || (resource == kGpuResource && devices == Devices::kWhole);
}

}  // namespace

bool ReadAmount(FieldReader& fields, const Value& value, std::string_view resource, Devices devices,
                std::int64_t& out) {
  if (value.kind() != Value::Kind::kString && value.kind() != Value::Kind::kNumber) {
    fields.Unexpected(value, "a quantity such as 500m, 2 or 16Gi");
    return false;
  }
  const bool counted = IsCounted(resource, devices);
  const Scale scale = ScaleOf(resource);
  const Result<std::int64_t> amount = ParseQuantity(value.text(), counted ? Scale::kMilli : scale);
  if (!amount) {
    fields.Fault(value, amount.error().message);
    return false;
  }
  if (*amount < 0) {
    fields.Unexpected(value, "a quantity that is not negative");
    return false;
  }
  if (counted && *amount % 1000 != 0) {
    fields.Unexpected(value, resource == kGpuResource
                                 ? "a whole number (for a part of a device: fairlead.dev/gpu-milli)"
                                 : "a whole number of thousandths");
    return false;
  }
  out = counted && scale == Scale::kUnit ? *amount / 1000 : *amount;
  return true;
}

void ReadResources(FieldReader& fields, const Value* mapping, Devices devices, ResourceList& out) {
  if (mapping == nullptr) return;
  if (mapping->members().size() > kMaxResources) {
    fields.Fault(*mapping, "found " + std::to_string(mapping->members().size()) +
                               " resources, expected at most " + std::to_string(kMaxResources));
    return;
  }
  out.reserve(mapping->members().size());
  for (const Value::Member& member : mapping->members()) {
    std::int64_t amount = 0;
    if (member.value->is_null()) continue;
    if (!ReadAmount(fields, *member.value, member.key, devices, amount)) continue;
    out.emplace_back(std::string(member.key), amount);
  }
  std::sort(out.begin(), out.end());
}

void ReadQueueAmounts(FieldReader& fields, const Value* mapping, ResourceList& out) {
  ReadResources(fields, mapping, Devices::kParts, out);
  const auto share = std::find_if(
      out.begin(), out.end(), [](const auto& entry) { return entry.first == kGpuMilliResource; });
  if (share == out.end()) return;
  // Thousandths of a device are the unit in which devices are counted.
  const std::int64_t milli = share->second;
  out.erase(share);
  const auto devices =
      std::lower_bound(out.begin(), out.end(), kGpuResource,
                       [](const auto& entry, auto name) { return entry.first < name; });
  if (devices == out.end() || devices->first != kGpuResource) {
    out.emplace(devices, std::string(kGpuResource), milli);
  } else if (__builtin_add_overflow(devices->second, milli, &devices->second)) {
    fields.FaultBelow(*mapping, kGpuMilliResource,
                      "found too much beside nvidia.com/gpu, expected less");
  }
}

void ReadHardAmounts(FieldReader& fields, const Value* mapping, ResourceList& out) {
  if (mapping == nullptr) return;
  constexpr std::string_view kRequests = "requests.";
  for (const Value::Member& member : mapping->members()) {
    std::string_view resource = member.key;
    const bool of_requests = resource.starts_with(kRequests);
    if (of_requests) resource.remove_prefix(kRequests.size());
    const bool plain = resource == "cpu" || resource == "memory" || resource == "pods";
    if (member.value->is_null() || (!of_requests && !plain) || resource == "storage") continue;
    std::int64_t amount = 0;
    if (!ReadAmount(fields, *member.value, resource, Devices::kParts, amount)) continue;
    const auto said = std::find_if(out.begin(), out.end(),
                                   [&](const auto& entry) { return entry.first == resource; });
    if (said == out.end()) {
      out.emplace_back(std::string(resource), amount);
    } else {
      said->second = std::min(said->second, amount);
    }
  }
  std::sort(out.begin(), out.end());
}

void ReadAssignment(FieldReader& fields, const Value& item, PodSetAssignment& out) {
  fields.Strings(fields.Mapping(&item, "flavors"), out.flavors);
  if (const Value* usage = fields.Mapping(&item, "resourceUsage")) {
    ReadResources(fields, usage, Devices::kParts, out.usage);
  }
}

}  // namespace fairlead::objects
