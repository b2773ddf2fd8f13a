#include <algorithm>

#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {}  // namespace

void ReadTaints(FieldReader& fields, const Value* parent, std::string_view key,
                std::vector<Taint>& out) {
  const Value* taints = fields.List(parent, key);
  if (taints == nullptr) return;
  for (const Value* item : taints->items()) {
    if (!fields.IsMapping(*item)) continue;
    Taint taint;
    fields.String(item, "key", taint.key);
    fields.String(item, "value", taint.value);
    if (item->Find("effect") == nullptr) {
      fields.Missing(*item, "effect", "one such as NoSchedule");
    }
    fields.Enum(item, "effect", kTaintEffects, taint.effect);
    out.push_back(std::move(taint));
  }
  std::sort(out.begin(), out.end());
}

void DecodeNode(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "Node", Scope::kCluster, file, into);
  Node node;
  ReadMeta(fields, document, node.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.Bool(spec, "unschedulable", node.unschedulable);
  ReadTaints(fields, spec, "taints", node.taints);
  const Value* status = fields.Mapping(&document, "status");
  const Value* allocatable = fields.Mapping(status, "allocatable");
  if (allocatable == nullptr) allocatable = fields.Mapping(status, "capacity");
  ReadResources(fields, allocatable, Devices::kWhole, node.allocatable);
  const Value* ready = FindCondition(fields.List(status, "conditions"), "Ready");
  node.ready = ready == nullptr || IsTrue(ready);
  if (fields.ok()) into.objects.emplace_back(std::move(node));
}

}  // namespace fairlead::objects
