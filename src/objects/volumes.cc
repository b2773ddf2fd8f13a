#include "objects/volumes.h"

namespace fairlead::objects {

bool IsEnough(const VolumeAsk& ask, const PersistentVolume& volume) {
  return volume.bytes >= ask.bytes &&
         (volume.access_modes & ask.access_modes) == ask.access_modes &&
         volume.block == ask.block && volume.attributes_class == ask.attributes_class;
}

bool IsWanted(const VolumeAsk& ask, const PersistentVolume& volume) {
  return volume.storage_class == ask.storage_class &&
         (!ask.selector || Matches(*ask.selector, volume.meta.labels));
}

bool MayBeTaken(const VolumeAsk& ask, const PersistentVolume& volume) {
  return volume.available && volume.claim.empty() && !volume.meta.deletion_time &&
         IsEnough(ask, volume) && IsWanted(ask, volume);
}

bool IsKeptFor(std::string_view claim, std::string_view uid, const PersistentVolume& volume) {
  return volume.claim == claim &&
         (volume.claim_uid.empty() || uid.empty() || volume.claim_uid == uid);
}

}  // namespace fairlead::objects
