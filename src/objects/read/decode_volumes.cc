// What Kubernetes says of volumes. None is ours: unknown fields are passed over.

#include <algorithm>
#include <optional>
#include <vector>

#include "objects/key.h"
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

AccessModes ReadAccessModes(FieldReader& fields, const Value* spec) {
  constexpr std::pair<std::string_view, AccessModes> kModes[] = {
      {"ReadWriteOnce", kReadWriteOnce},
      {"ReadOnlyMany", kReadOnlyMany},
      {"ReadWriteMany", kReadWriteMany},
      {"ReadWriteOncePod", kReadWriteOncePod}};
  AccessModes modes = 0;
  const Value* list = fields.List(spec, "accessModes");
  if (list == nullptr) return modes;
  for (const Value* item : list->items()) {
    for (const auto& [name, mode] : kModes) {
      if (item->kind() == Value::Kind::kString && item->text() == name) modes |= mode;
    }
  }
  return modes;
}

void ReadStorage(FieldReader& fields, const Value* amounts, std::int64_t& bytes) {
  const Value* storage = FieldReader::Get(amounts, "storage");
  if (storage != nullptr) ReadAmount(fields, *storage, "storage", Devices::kWhole, bytes);
}

bool ReadIsBlock(FieldReader& fields, const Value* spec) {
  constexpr std::pair<std::string_view, bool> kVolumeModes[] = {{"Filesystem", false},
                                                                {"Block", true}};
  bool block = false;
  fields.Enum(spec, "volumeMode", kVolumeModes, block);
  return block;
}

// As kube-scheduler does: a volume's matchFields are not asked, and a term of nothing else holds
// everywhere.
void PassOverFields(std::optional<std::vector<NodeSelectorTerm>>& terms) {
  const bool everywhere = std::ranges::any_of(*terms, [](const NodeSelectorTerm& term) {
    return term.labels.empty() && !term.fields.empty();
  });
  for (NodeSelectorTerm& term : *terms) term.fields.clear();
  if (everywhere) terms.reset();
}

}  // namespace

void ReadVolumeAsk(FieldReader& fields, const Value* spec, VolumeAsk& out) {
  fields.String(spec, "storageClassName", out.storage_class);
  ReadStorage(fields, fields.Mapping(fields.Mapping(spec, "resources"), "requests"), out.bytes);
  out.access_modes = ReadAccessModes(fields, spec);
  out.block = ReadIsBlock(fields, spec);
  fields.String(spec, "volumeAttributesClassName", out.attributes_class);
  if (const Value* selector = fields.Mapping(spec, "selector")) {
    ReadLabelSelector(fields, *selector, out.selector.emplace());
  }
}

void DecodePersistentVolumeClaim(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "PersistentVolumeClaim", Scope::kNamespaced, file, into);
  PersistentVolumeClaim claim;
  ReadMeta(fields, document, claim.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.String(spec, "volumeName", claim.volume);
  ReadVolumeAsk(fields, spec, claim.ask);
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
  fields.String(spec, "storageClassName", volume.storage_class);
  ReadStorage(fields, fields.Mapping(spec, "capacity"), volume.bytes);
  volume.access_modes = ReadAccessModes(fields, spec);
  volume.block = ReadIsBlock(fields, spec);
  fields.String(spec, "volumeAttributesClassName", volume.attributes_class);
  std::string phase;
  fields.String(fields.Mapping(&document, "status"), "phase", phase);
  volume.available = phase.empty() || phase == "Available";
  if (const Value* reference = fields.Mapping(spec, "claimRef")) {
    std::string name_space = "default", name;
    fields.String(reference, "namespace", name_space);
    fields.String(reference, "name", name);
    fields.String(reference, "uid", volume.claim_uid);
    if (!name.empty()) volume.claim = JoinKey(name_space, name);
  }
  const Value* csi = fields.Mapping(spec, "csi");
  fields.String(csi, "driver", volume.csi_driver);
  fields.String(csi, "volumeHandle", volume.csi_handle);
  // An affinity that is there and says nothing (`{}`) demands nothing.
  const Value* affinity = fields.Mapping(spec, "nodeAffinity");
  if (const Value* required = fields.Mapping(affinity, "required")) {
    ReadNodeSelector(fields, *required, volume.node_affinity.emplace());
    PassOverFields(volume.node_affinity);
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

void DecodeCSINode(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "CSINode", Scope::kCluster, file, into);
  CSINode node;
  ReadMeta(fields, document, node.meta);
  if (const Value* drivers = fields.List(fields.Mapping(&document, "spec"), "drivers")) {
    for (const Value* item : drivers->items()) {
      if (!fields.IsMapping(*item)) continue;
      CSINode::Driver& driver = node.drivers.emplace_back();
      fields.String(item, "name", driver.name);
      const Value* allocatable = fields.Mapping(item, "allocatable");
      if (FieldReader::Get(allocatable, "count") != nullptr) {
        fields.Integer(allocatable, "count", driver.most.emplace(), 0);
      }
    }
  }
  if (fields.ok()) into.objects.emplace_back(std::move(node));
}

void DecodeVolumeAttachment(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "VolumeAttachment", Scope::kCluster, file, into);
  VolumeAttachment attachment;
  ReadMeta(fields, document, attachment.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.String(spec, "attacher", attachment.driver);
  fields.String(spec, "nodeName", attachment.node);
  fields.String(fields.Mapping(spec, "source"), "persistentVolumeName", attachment.volume);
  if (fields.ok()) into.objects.emplace_back(std::move(attachment));
}

void DecodeCSIDriver(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "CSIDriver", Scope::kCluster, file, into);
  CSIDriver driver;
  ReadMeta(fields, document, driver.meta);
  fields.Bool(fields.Mapping(&document, "spec"), "storageCapacity", driver.tracks_capacity);
  if (fields.ok()) into.objects.emplace_back(std::move(driver));
}

void DecodeCSIStorageCapacity(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "CSIStorageCapacity", Scope::kNamespaced, file, into);
  CSIStorageCapacity storage;
  ReadMeta(fields, document, storage.meta);
  fields.String(&document, "storageClassName", storage.storage_class);
  if (const Value* nodes = fields.Mapping(&document, "nodeTopology")) {
    ReadLabelSelector(fields, *nodes, storage.nodes.emplace());
  }
  const auto read = [&](std::string_view key, std::optional<std::int64_t>& out) {
    const Value* amount = FieldReader::Get(&document, key);
    if (amount != nullptr) ReadAmount(fields, *amount, "storage", Devices::kWhole, out.emplace());
  };
  read("capacity", storage.capacity);
  read("maximumVolumeSize", storage.largest_volume);
  if (fields.ok()) into.objects.emplace_back(std::move(storage));
}

}  // namespace fairlead::objects
