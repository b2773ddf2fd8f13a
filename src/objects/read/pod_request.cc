// Kubernetes' rule for what a pod asks of its node, per resource:
//
//   max( Σ containers + Σ sidecars,  max over the init containers, in order, of
//                                    (its own + the sidecars that stand before it) )  + overhead
//
// A sidecar is an init container with restartPolicy Always: it starts before the next one and keeps
// running. Where the pod itself names cpu, memory or huge pages (spec.resources), that counts
// instead of the containers' sum. What has a limit and no request asks for its limit.
//
// Worked: containers 1 + 2 cpu, init containers 1 (sidecar), 4, 2 (sidecar), 1: while they start
// max(1, 4 + 1, 1 + 2, 1 + 3) = 5; later 3 + 3 = 6. The pod asks 6.

#include <algorithm>
#include <limits>

#include "base/quantity.h"
#include "objects/keys.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::int64_t kMaxGpuMilli = 1000;

std::int64_t& AmountIn(ResourceList& list, std::string_view resource) {
  const auto at =
      std::lower_bound(list.begin(), list.end(), resource,
                       [](const auto& entry, std::string_view name) { return entry.first < name; });
  if (at != list.end() && at->first == resource) return at->second;
  return list.emplace(at, std::string(resource), 0)->second;
}

void TakeLarger(const ResourceList& from, ResourceList& into) {
  for (const auto& [resource, amount] : from) {
    std::int64_t& largest = AmountIn(into, resource);
    largest = std::max(largest, amount);
  }
}

bool Names(const ResourceList& list, std::string_view resource) {
  return std::any_of(list.begin(), list.end(),
                     [&](const auto& entry) { return entry.first == resource; });
}

bool IsPodLevel(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

// Of a container, or of a pod.
struct Resources {
  ResourceList requests, limits;
};
Resources ResourcesOf(FieldReader& fields, const Value& parent) {
  const Value* resources = fields.Mapping(&parent, "resources");
  Resources read;
  ReadResources(fields, fields.Mapping(resources, "requests"), Devices::kWhole, read.requests);
  ReadResources(fields, fields.Mapping(resources, "limits"), Devices::kWhole, read.limits);
  return read;
}

// Lists grow by what containers add to them; this keeps that from taking quadratic time.
bool IsTooLong(FieldReader& fields, const Value& container, const ResourceList& list) {
  if (list.size() <= kMaxResources) return false;
  fields.Fault(container, "found more than " + std::to_string(kMaxResources) +
                              " resources up to here, expected fewer");
  return true;
}

// The sums over a pod's containers.
struct Sums {
  ResourceList running;   // once everything runs
  ResourceList sidecars;  // those seen so far
  ResourceList starting;  // the most that is asked while the pod starts
  bool fits = true;
};

void AddContainers(FieldReader& fields, const Value& spec, Sums& sums) {
  const Value* containers = fields.List(&spec, "containers");
  if (containers == nullptr) return;
  for (const Value* container : containers->items()) {
    if (!fields.IsMapping(*container)) continue;
    sums.fits &= AddResources(ContainerRequest(fields, *container), sums.running);
    if (IsTooLong(fields, *container, sums.running)) return;
  }
}

void AddInitContainers(FieldReader& fields, const Value& spec, Sums& sums) {
  const Value* containers = fields.List(&spec, "initContainers");
  if (containers == nullptr) return;
  for (const Value* container : containers->items()) {
    if (!fields.IsMapping(*container)) continue;
    ResourceList request = ContainerRequest(fields, *container);
    if (IsSidecar(*container)) {
      sums.fits &= AddResources(request, sums.sidecars);
      sums.fits &= AddResources(request, sums.running);
    } else {
      sums.fits &= AddResources(sums.sidecars, request);
      TakeLarger(request, sums.starting);
    }
    if (IsTooLong(fields, *container, sums.running)) return;
    if (IsTooLong(fields, *container, sums.starting)) return;
  }
}

// spec.resources: what the pod names for all of its containers.
void OverrideByPod(FieldReader& fields, const Value& spec, const ResourceList& containers,
                   ResourceList& request) {
  auto [requests, limits] = ResourcesOf(fields, spec);
  for (const auto& [resource, amount] : limits) {
    if (Names(requests, resource) || Names(containers, resource)) continue;
    AmountIn(requests, resource) = amount;
  }
  for (const auto& [resource, amount] : requests) {
    if (IsPodLevel(resource)) AmountIn(request, resource) = amount;
  }
}

// A share of a device is no amount of its own to the engine: out of the list into its field. What
// is no share that there can be takes as many whole devices as it says, or as are asked beside it.
void TakeGpuShare(FieldReader& fields, const Value& spec, PodNeeds& needs) {
  if (!Names(needs.request, kGpuMilliResource)) return;
  const std::int64_t milli = AmountIn(needs.request, kGpuMilliResource);
  std::erase_if(needs.request, [](const auto& entry) { return entry.first == kGpuMilliResource; });
  const bool whole_too = AmountOf(needs.request, kGpuResource) > 0;
  if (milli >= 1 && milli <= kMaxGpuMilli && !whole_too) {
    needs.gpu_milli = static_cast<std::int32_t>(milli);
    return;
  }
  if (milli < 1 || milli > kMaxGpuMilli) {
    fields.Fault(spec, "found " + std::to_string(milli) +
                           " thousandths of fairlead.dev/gpu-milli, expected 1 to 1000");
  } else {
    fields.Fault(spec,
                 "found both nvidia.com/gpu and fairlead.dev/gpu-milli, expected one of them");
  }
  // nvidia.com/gpu is counted in thousandths as well.
  const std::int64_t part = milli % kMaxGpuMilli;
  TakeLarger({{std::string(kGpuResource), milli - part + (part > 0 ? kMaxGpuMilli : 0)}},
             needs.request);
}

}  // namespace

bool AddResources(const ResourceList& from, ResourceList& into) {
  bool fits = true;
  for (const auto& [resource, amount] : from) {
    std::int64_t& sum = AmountIn(into, resource);
    if (!__builtin_add_overflow(sum, amount, &sum)) continue;
    sum = std::numeric_limits<std::int64_t>::max();
    fits = false;
  }
  return fits;
}

ResourceList ContainerRequest(FieldReader& fields, const Value& container) {
  auto [requests, limits] = ResourcesOf(fields, container);
  for (const auto& [resource, amount] : limits) {
    if (!Names(requests, resource)) AmountIn(requests, resource) = amount;
  }
  return requests;
}

bool IsSidecar(const Value& init_container) {
  const Value* policy = init_container.Find("restartPolicy");
  return policy != nullptr && policy->text() == "Always";
}

bool ReadPodRequest(FieldReader& fields, const Value& spec, PodNeeds& needs) {
  const int faults = fields.faults();
  Sums sums;
  AddContainers(fields, spec, sums);
  AddInitContainers(fields, spec, sums);
  needs.request = std::move(sums.running);
  TakeLarger(sums.starting, needs.request);
  const ResourceList containers = needs.request;
  OverrideByPod(fields, spec, containers, needs.request);
  ResourceList overhead;
  ReadResources(fields, fields.Mapping(&spec, "overhead"), Devices::kWhole, overhead);
  sums.fits &= AddResources(overhead, needs.request);
  if (!sums.fits) fields.Fault(spec, "found requests that add up to 2^63 or more, expected less");
  const bool all = fields.faults() == faults;
  TakeGpuShare(fields, spec, needs);
  std::erase_if(needs.request, [](const auto& entry) { return entry.second == 0; });
  return all;
}

}  // namespace fairlead::objects
