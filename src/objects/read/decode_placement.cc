#include <algorithm>

#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

// {key: [value, …], …}: each as a requirement that the label is one of the values.
void ReadNodeLabels(FieldReader& fields, const Value* part, std::vector<Requirement>& out) {
  if (part == nullptr) return;
  for (const Value::Member& member : part->members()) {
    Requirement& wanted = out.emplace_back();
    wanted.key = member.key;
    if (member.value->kind() != Value::Kind::kSequence || member.value->items().empty()) {
      fields.Unexpected(*member.value, "a list of values");
      continue;
    }
    for (const Value* item : member.value->items()) {
      fields.ReadString(*item, wanted.values.emplace_back());
    }
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
}

void ReadTypicalPod(FieldReader& fields, const Value& value, TypicalPod& out) {
  constexpr std::int64_t kMostPods = 1'000'000'000;
  if (!fields.IsMapping(value)) return;
  fields.Known(&value, {"count", "cpu", "gpus", "gpuMilli", "nodeLabels"});
  fields.Integer(&value, "count", out.count, 1, kMostPods);
  if (const Value* cpu = value.Find("cpu"); cpu != nullptr) {
    ReadAmount(fields, *cpu, "cpu", Devices::kWhole, out.cpu_milli);
  }
  fields.Integer(&value, "gpus", out.gpus, 0, 1000);
  fields.Integer(&value, "gpuMilli", out.gpu_milli, 0, 1000);
  if (out.gpus > 0 && out.gpu_milli > 0) {
    fields.FaultBelow(value, "gpuMilli", "found beside gpus, expected one of them");
  }
  if (out.gpu_milli == 1000) {  // a whole device, as in a pod
    out.gpus = 1;
    out.gpu_milli = 0;
  }
  ReadNodeLabels(fields, fields.Mapping(&value, "nodeLabels"), out.node_labels);
}

}  // namespace

void ReadPlacement(FieldReader& fields, const Value* part, SchedulerConfiguration& out) {
  fields.Known(part, {"gpu", "cpu", "preferences", "seed", "typicalPods"});
  fields.Enum(part, "gpu", kNodeChoices, out.gpu_placement);
  fields.Enum(part, "cpu", kNodeChoices, out.cpu_placement);
  const Value* preferences = FieldReader::Get(part, "preferences");
  if (preferences != nullptr && preferences->kind() == Value::Kind::kBool &&
      !preferences->as_bool()) {
    out.preferences = PreferenceOrder::kOff;  // a bare `off` is false to YAML
  } else {
    fields.Enum(part, "preferences", kPreferenceOrders, out.preferences);
  }
  fields.Integer(part, "seed", out.placement_seed, 0);
  const Value* typical = fields.List(part, "typicalPods");
  if (typical == nullptr) return;
  for (const Value* item : typical->items()) {
    ReadTypicalPod(fields, *item, out.typical_pods.emplace_back());
  }
}

}  // namespace fairlead::objects
