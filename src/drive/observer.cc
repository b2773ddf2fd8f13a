#include "drive/observer.h"

namespace fairlead::drive {

ObjectNews NewsOf(Time time, const objects::Object& object) {
  const objects::Meta& meta = objects::MetaOf(object);
  return {.time = time,
          .kind = objects::QualifiedKindOf(object),
          .name_space = meta.name_space,
          .name = meta.name,
          .object = &object};
}

}  // namespace fairlead::drive
