#include <algorithm>
#include <string>

#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::string_view kOnBroken = "onTopologyBroken";

void ReadSlices(FieldReader& fields, const Value& slices, TopologyConstraint& out) {
  fields.Known(&slices, {"size", "required"});
  if (slices.Find("size") == nullptr) {
    fields.Missing(slices, "size", "the number of pods of a slice");
  }
  fields.Integer(&slices, "size", out.slice_size, 1);
  fields.String(&slices, "required", out.slice_required);
  if (out.slice_required.empty() && fields.ok()) {
    fields.Missing(slices, "required", "the level of which a slice is in one domain");
  }
}

}  // namespace

void ReadTopologyConstraint(FieldReader& fields, const Value* parent, ConstraintOf of,
                            std::optional<TopologyConstraint>& out) {
  const Value* topology = fields.Mapping(parent, "topology");
  if (topology == nullptr) return;
  TopologyConstraint& constraint = out.emplace();
  if (of == ConstraintOf::kPodSet) {
    fields.Known(topology, {"name", "required", "preferred", "slices", "group", kOnBroken});
  } else {
    fields.Known(topology, {"name", "required", "preferred", "slices", kOnBroken});
  }
  fields.String(topology, "name", constraint.name);
  fields.String(topology, "required", constraint.required);
  fields.String(topology, "preferred", constraint.preferred);
  if (const Value* slices = fields.Mapping(topology, "slices")) {
    ReadSlices(fields, *slices, constraint);
  }
  if (of == ConstraintOf::kPodSet) fields.String(topology, "group", constraint.group);
  fields.Enum(topology, kOnBroken, kOnTopologyBroken, constraint.on_broken);
  if (constraint.empty() && constraint.group.empty() && fields.ok()) {
    fields.Fault(*topology, "found none of required, preferred and slices, expected one or more");
  }
}

void ReadLevel(FieldReader& fields, const Value& at, std::vector<std::string>& levels) {
  std::string key;
  if (!fields.ReadString(at, key)) return;
  if (key.empty()) {
    fields.Unexpected(at, "the key of a label of nodes");
  } else if (std::ranges::find(levels, key) != levels.end()) {
    fields.Fault(at, "found \"" + key + "\" a second time, expected each level once");
  } else {
    levels.push_back(std::move(key));
  }
}

void CheckLevels(FieldReader& fields, const Value* spec, const Topology& topology) {
  if (!topology.levels.empty() || !fields.ok()) return;
  fields.MissingInSpec(spec, "levels", "one label key or more, widest first");
}

void DecodeTopology(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, kTopology, Scope::kCluster, file, into);
  Topology topology;
  fields.Known(&document, {"apiVersion", "kind", "metadata", "spec"});
  KnownMeta(fields, document);
  ReadMeta(fields, document, topology.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.Known(spec, {"levels"});
  if (const Value* levels = fields.List(spec, "levels")) {
    for (const Value* item : levels->items()) ReadLevel(fields, *item, topology.levels);
  }
  CheckLevels(fields, spec, topology);
  if (fields.ok()) into.objects.emplace_back(std::move(topology));
}

}  // namespace fairlead::objects
