// PersistentVolumeClaim and PersistentVolume. Neither is ours: unknown fields are passed over.

#include "objects/read/decode.h"

namespace fairlead::objects {

void DecodePersistentVolumeClaim(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "PersistentVolumeClaim", Scope::kNamespaced, file, into);
  PersistentVolumeClaim claim;
  ReadMeta(fields, document, claim.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.String(spec, "volumeName", claim.volume);
  if (const Value* modes = fields.List(spec, "accessModes")) {
    for (const Value* mode : modes->items()) {
      claim.one_pod_only |=
          mode->kind() == Value::Kind::kString && mode->text() == "ReadWriteOncePod";
    }
  }
  std::string phase;
  fields.String(fields.Mapping(&document, "status"), "phase", phase);
  claim.bound = phase == "Bound";
  if (fields.ok()) into.objects.emplace_back(std::move(claim));
}

void DecodePersistentVolume(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "PersistentVolume", Scope::kCluster, file, into);
  PersistentVolume volume;
  ReadMeta(fields, document, volume.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  if (const Value* reference = fields.Mapping(spec, "claimRef")) {
    std::string name_space = "default", name;
    fields.String(reference, "namespace", name_space);
    fields.String(reference, "name", name);
    if (!name.empty()) volume.claim = name_space + "/" + name;
  }
  // An affinity that is there and says nothing (`{}`) demands nothing.
  const Value* affinity = fields.Mapping(spec, "nodeAffinity");
  volume.has_node_affinity = FieldReader::Get(affinity, "required") != nullptr;
  if (fields.ok()) into.objects.emplace_back(std::move(volume));
}

}  // namespace fairlead::objects
