#include "intake/other_topologies.h"

#include <string_view>
#include <utility>

#include "objects/read/decode.h"

// KAI's kind was derived from Kueue's: both have the levels as spec.levels[].nodeLabel, widest
// first. Unknown fields are passed over: these kinds may be newer than this.

namespace fairlead::intake {
namespace {

using objects::FieldReader;
using objects::Value;

void ReadNodeLabels(FieldReader& fields, const Value* spec, std::vector<std::string>& levels) {
  const Value* list = fields.List(spec, "levels");
  if (list == nullptr) return;
  for (const Value* item : list->items()) {
    if (!fields.IsMapping(*item)) continue;
    if (const Value* label = FieldReader::Get(item, "nodeLabel")) {
      objects::ReadLevel(fields, *label, levels);
    } else {
      fields.Missing(*item, "nodeLabel", "the key of a label of nodes");
    }
  }
}

void DecodeOtherTopology(std::string_view dialect_kind, const Value& document,
                         std::string_view file, objects::Manifest& into) {
  FieldReader fields(document, objects::kTopology, objects::Scope::kCluster, file, into);
  objects::Topology topology;
  topology.dialect_kind = dialect_kind;
  objects::ReadMeta(fields, document, topology.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  ReadNodeLabels(fields, spec, topology.levels);
  objects::CheckLevels(fields, spec, topology);
  if (fields.ok()) into.objects.emplace_back(std::move(topology));
}

}  // namespace

const objects::DecoderTable& OtherTopologyDecoders() {
  static const objects::DecoderTable kTable = [] {
    objects::DecoderTable table;
    for (const objects::TopologyRow& row : objects::TopologyRows()) {
      if (row.dialect_kind.empty()) continue;  // ours is read with the core's
      for (const std::string_view version : row.api_versions) {
        table.push_back({version, objects::kTopology,
                         [kind = row.dialect_kind](const Value& document, std::string_view file,
                                                   objects::Manifest& into) {
                           DecodeOtherTopology(kind, document, file, into);
                         }});
      }
    }
    return table;
  }();
  return kTable;
}

}  // namespace fairlead::intake
