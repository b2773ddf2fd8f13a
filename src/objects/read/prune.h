#pragma once

#include <cstdint>
#include <string_view>

namespace fairlead::objects {

// What of an object nobody reads, so that the parsers need not keep it: managed fields, images,
// environments, most of a status. It makes up two thirds of what kubectl prints of a pod. The
// elements of a list are where the list is.
enum class Region : std::uint8_t {
  kSkipped,  // nobody reads it
  kKept,     // all below it is read
  kRoot,     // an object whose kind is not known (yet)
  kPod,
  kNode,
  kTemplated,  // a job, a DaemonSet: its spec has pod templates
  kMetadata,
  kAnnotations,
  kPodSpec,
  kContainer,
  kVolume,
  kPodStatus,
  kContainerStatus,
  kCondition,
  kPodCondition,
  kNodeStatus,
  kResourceQuota,
  kVolumeClaim,
  kStorageClass,
  kCsi,
  kPersistentVolume,
  kVolumeSpec,
  kTemplatedSpec,
  kTemplate,
};

enum class Keep : std::uint8_t {
  kRead,  // what some decoder reads
  kAll,   // for those who show or write the document again
};

// An object's root, once its kind was read; before that `kind` is empty.
Region RootOf(std::string_view kind, Keep keep);

// Where the value under `key` is.
Region Below(Region region, std::string_view key);

}  // namespace fairlead::objects
