// PersistentVolumeClaim, PersistentVolume and StorageClass. None is ours: unknown fields are passed
// over.

#include <algorithm>

#include "objects/keys.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::pair<std::string_view, bool> kBindingModes[] = {{"Immediate", false},
                                                               {"WaitForFirstConsumer", true}};

// An element of allowedTopologies: each of its keys has one of the values.
void ReadTopology(FieldReader& fields, const Value& item, std::vector<NodeSelectorTerm>& out) {
  NodeSelectorTerm& term = out.emplace_back();
  const Value* expressions = fields.List(&item, "matchLabelExpressions");
  if (expressions == nullptr) return;
  for (const Value* expression : expressions->items()) {
    if (!fields.IsMapping(*expression)) continue;
    Requirement requirement;
    fields.String(expression, "key", requirement.key);
    const Value* values = fields.List(expression, "values");
    if (values == nullptr) continue;
    for (const Value* value : values->items()) {
      if (value->kind() == Value::Kind::kString) requirement.values.emplace_back(value->text());
    }
    term.labels.push_back(std::move(requirement));
  }
}

}  // namespace

bool IsForOnePod(const Value* access_modes) {
  if (access_modes == nullptr) return false;
  return std::ranges::any_of(access_modes->items(), [](const Value* mode) {
    return mode->kind() == Value::Kind::kString && mode->text() == "ReadWriteOncePod";
  });
}

void DecodePersistentVolumeClaim(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "PersistentVolumeClaim", Scope::kNamespaced, file, into);
  PersistentVolumeClaim claim;
  ReadMeta(fields, document, claim.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.String(spec, "volumeName", claim.volume);
  fields.String(spec, "storageClassName", claim.storage_class);
  claim.one_pod_only = IsForOnePod(fields.List(spec, "accessModes"));
  std::string phase;
  fields.String(fields.Mapping(&document, "status"), "phase", phase);
  claim.bound = phase == "Bound";
  claim.lost = phase == "Lost";
  const std::string* node = FindLabel(claim.meta.annotations, kSelectedNodeAnnotation);
  if (node != nullptr) claim.selected_node = *node;
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
  if (const Value* required = fields.Mapping(affinity, "required")) {
    ReadNodeSelector(fields, *required, volume.node_affinity.emplace());
  }
  if (fields.ok()) into.objects.emplace_back(std::move(volume));
}

void DecodeStorageClass(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "StorageClass", Scope::kCluster, file, into);
  StorageClass storage;
  ReadMeta(fields, document, storage.meta);
  fields.String(&document, "provisioner", storage.provisioner);
  fields.Enum(&document, "volumeBindingMode", kBindingModes, storage.waits_for_pod);
  if (const Value* topologies = fields.List(&document, "allowedTopologies")) {
    for (const Value* item : topologies->items()) {
      if (fields.IsMapping(*item)) ReadTopology(fields, *item, storage.allowed_topologies);
    }
  }
  if (fields.ok()) into.objects.emplace_back(std::move(storage));
}

}  // namespace fairlead::objects
