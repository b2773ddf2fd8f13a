#include "intake/pod_groups.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "objects/keys.h"
#include "objects/read/decode.h"

// What the kinds PodGroup say with how many pods a group starts, and of which kinds these are:
//
//   scheduling.k8s.io      spec.schedulingPolicy.gang.minCount; basic: 1
//   scheduling.run.ai      spec.minMember (absent: 1), or of each of spec.subGroups that has none
//                          below it its minMember, one pod set each
//   scheduling.x-k8s.io    spec.minMember (absent: 1)
//   scheduling.volcano.sh  spec.minMember (absent: 1); with minTaskMember a pod set a task
//
// A group with several pod sets needs the minimum of each. What no such list can say (some of the
// sub-groups, a total above the sum) is unsupported: the group waits and names the field.
//
// Unknown fields are passed over: these kinds may be newer than this.

namespace fairlead::intake {
namespace {

using objects::FieldReader;
using objects::GroupApi;
using objects::PodGroup;
using objects::Value;

// No cluster has more: what is above is a slip, and would only overflow sums.
constexpr std::int32_t kMostMembers = 10'000'000;
constexpr std::string_view kMainSet = "main";

bool ReadMembers(FieldReader& fields, const Value* of, std::string_view key, std::int64_t least,
                 std::optional<std::int32_t>& out) {
  return fields.Integer(of, key, out, least, kMostMembers);
}

objects::PodSet SetOf(std::string_view name, std::int32_t min_count) {
  objects::PodSet set;
  set.name = name;
  set.min_count = min_count;
  return set;
}

void SetUnsupported(std::string_view field, PodGroup& group) {
  if (group.unsupported_field.empty()) group.unsupported_field = field;
}

bool HasItems(const Value* list) { return list != nullptr && !list->items().empty(); }

// `spec.minMember` of those that have no sub-groups.
void ReadMinMember(FieldReader& fields, const Value* spec, PodGroup& group) {
  std::optional<std::int32_t> least = 1;
  ReadMembers(fields, spec, "minMember", 0, least);
  group.pod_sets.push_back(SetOf(kMainSet, *least));
}

// Kubernetes' own ---------------------------------------------------------------------------------

void ReadPolicy(FieldReader& fields, const Value& document, const Value* spec, PodGroup& group) {
  const Value* policy = fields.Mapping(spec, "schedulingPolicy");
  const Value* gang = fields.Mapping(policy, "gang");
  const Value* basic = fields.Mapping(policy, "basic");
  std::optional<std::int32_t> least = 1;
  group.basic = basic != nullptr;
  if ((gang == nullptr) == (basic == nullptr)) {
    const Value& at = policy != nullptr ? *policy : spec != nullptr ? *spec : document;
    fields.Fault(at, fmt::format("found {} of schedulingPolicy.basic and schedulingPolicy.gang, "
                                 "expected one",
                                 gang == nullptr ? "none" : "both"));
  } else if (gang != nullptr && !ReadMembers(fields, gang, "minCount", 1, least) && fields.ok()) {
    fields.Missing(*gang, "minCount", "the least number of pods");
  }
  group.pod_sets.push_back(SetOf(kMainSet, *least));
}

// {single: {}} or {all: {}}; in v1alpha2 a word.
void ReadDisruptionMode(FieldReader& fields, const Value* spec, PodGroup& group) {
  constexpr std::pair<std::string_view, bool> kWords[] = {{"Pod", false}, {"PodGroup", true}};
  const Value* mode = FieldReader::Get(spec, "disruptionMode");
  if (mode == nullptr || mode->is_null()) return;
  if (mode->kind() == Value::Kind::kString) {
    fields.Enum(spec, "disruptionMode", kWords, group.leaves_whole);
    return;
  }
  if (!fields.IsMapping(*mode)) return;
  const bool all = mode->Find("all") != nullptr, single = mode->Find("single") != nullptr;
  if (all && single) {
    fields.Fault(*mode, "found both single and all, expected one");
  }
  group.leaves_whole = all;
}

// A label key: its values are the domains. There is one at most, so far.
void ReadNativeTopology(FieldReader& fields, const Value* constraints, std::string_view key,
                        PodGroup& group) {
  const Value* list = fields.List(constraints, key);
  if (!HasItems(list)) return;
  if (list->items().size() > 1) {
    return SetUnsupported(fmt::format("spec.schedulingConstraints.{}[1]", key), group);
  }
  const Value& item = *list->items().front();
  if (!fields.IsMapping(item)) return;
  objects::TopologyConstraint& topology = group.topology.emplace();
  fields.String(&item, "key", topology.required);
  if (topology.required.empty() && fields.ok()) {
    fields.Missing(item, "key", "the key of a label of nodes");
  }
}

void ReadNative(FieldReader& fields, const Value& document, const Value* spec, PodGroup& group) {
  constexpr std::pair<std::string_view, bool> kPolicies[] = {{"PreemptLowerPriority", false},
                                                             {"Never", true}};
  ReadPolicy(fields, document, spec, group);
  ReadDisruptionMode(fields, spec, group);
  fields.String(spec, "priorityClassName", group.priority_class_name);
  fields.Integer(spec, "priority", group.priority);
  fields.Enum(spec, "preemptionPolicy", kPolicies, group.never_preempts);
  const Value* constraints = fields.Mapping(spec, "schedulingConstraints");
  for (const std::string_view key : {"topology", "topologyConstraints"}) {
    ReadNativeTopology(fields, constraints, key, group);
  }
  if (HasItems(fields.List(spec, "resourceClaims"))) SetUnsupported("spec.resourceClaims", group);
  std::string parent;
  fields.String(spec, "parentCompositePodGroupName", parent);
  if (!parent.empty()) SetUnsupported("spec.parentCompositePodGroupName", group);
  objects::ReadConditions(fields, fields.Mapping(&document, "status"), group.conditions);
}

// KAI Scheduler's ---------------------------------------------------------------------------------

using Constraint = std::optional<objects::TopologyConstraint>;

void ReadKaiTopology(FieldReader& fields, const Value* of, Constraint& out) {
  const Value* topology = fields.Mapping(of, "topologyConstraint");
  if (topology == nullptr) return;
  objects::TopologyConstraint read;
  fields.String(topology, "topology", read.name);
  fields.String(topology, "requiredTopologyLevel", read.required);
  fields.String(topology, "preferredTopologyLevel", read.preferred);
  if (!read.empty()) out = std::move(read);
}

struct SubGroup {
  const Value* at = nullptr;
  Constraint topology;
  std::string name, parent;
  std::optional<std::int32_t> min_member, min_sub_group;
  std::int32_t children = 0;
};

std::vector<SubGroup> ReadSubGroups(FieldReader& fields, const Value* list) {
  std::vector<SubGroup> all;
  std::set<std::string> names;
  for (const Value* item : list->items()) {
    if (!fields.IsMapping(*item)) continue;
    SubGroup& sub = all.emplace_back();
    sub.at = item;
    if (!fields.String(item, "name", sub.name) || sub.name.empty()) {
      fields.Missing(*item, "name", "a name");
    } else if (!names.insert(sub.name).second) {
      fields.FaultBelow(*item, "name",
                        fmt::format("found \"{}\" a second time, expected unique names", sub.name));
    }
    fields.String(item, "parent", sub.parent);
    ReadMembers(fields, item, "minMember", 0, sub.min_member);
    ReadMembers(fields, item, "minSubGroup", 0, sub.min_sub_group);
    ReadKaiTopology(fields, item, sub.topology);
  }
  for (const SubGroup& each : all) {
    if (each.parent.empty()) continue;
    const auto parent = std::ranges::find(all, each.parent, &SubGroup::name);
    if (parent == all.end() || &*parent == &each) {
      fields.FaultBelow(
          *each.at, "parent",
          fmt::format("found \"{}\", expected the name of another sub-group", each.parent));
    } else {
      ++parent->children;
    }
  }
  return all;
}

// The one above, or null. REQUIRES: names were found to be unique and parents to be there.
const SubGroup* ParentOf(const std::vector<SubGroup>& all, const SubGroup& sub) {
  const auto found = std::ranges::find(all, sub.parent, &SubGroup::name);
  return sub.parent.empty() || found == all.end() ? nullptr : &*found;
}

// A sub-group that is above itself has no minimum.
bool IsInCircle(const std::vector<SubGroup>& all, const SubGroup& sub) {
  const SubGroup* at = &sub;
  for (std::size_t steps = 0; at != nullptr; ++steps) {
    if (steps > all.size()) return true;
    at = ParentOf(all, *at);
  }
  return false;
}

// The nearest one above with a constraint, or null. REQUIRES: it is in no circle.
const SubGroup* TopologyAbove(const std::vector<SubGroup>& all, const SubGroup& sub) {
  const SubGroup* at = ParentOf(all, sub);
  while (at != nullptr && !at->topology) at = ParentOf(all, *at);
  return at;
}

// What one that holds pods asks: what its own says, or one above it for all below that together.
Constraint TopologyOf(const std::vector<SubGroup>& all, const SubGroup& sub) {
  if (sub.topology) return sub.topology;
  const SubGroup* above = TopologyAbove(all, sub);
  if (above == nullptr) return std::nullopt;
  Constraint topology = above->topology;
  topology->group = above->name;
  return topology;
}

// The sub-groups that have none below them hold the pods, and are the pod sets. Those above them
// ask that all of theirs are there, which is what several pod sets mean; whoever asks for fewer
// than all is unsupported.
void ReadSubGroupSets(FieldReader& fields, const Value* spec, const Value* list, PodGroup& group) {
  const std::vector<SubGroup> all = ReadSubGroups(fields, list);
  if (!fields.ok()) return;
  std::int64_t sum = 0;
  std::int32_t roots = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const SubGroup& sub = all[i];
    if (IsInCircle(all, sub)) {
      fields.FaultBelow(*sub.at, "parent",
                        fmt::format("found \"{}\", which is below \"{}\" itself, expected no "
                                    "circle",
                                    sub.parent, sub.name));
      return;
    }
    roots += sub.parent.empty() ? 1 : 0;
    const std::string path = fmt::format("spec.subGroups[{}].", i);
    if (sub.min_sub_group && *sub.min_sub_group != sub.children) {
      SetUnsupported(path + "minSubGroup", group);
    }
    if (sub.topology && TopologyAbove(all, sub) != nullptr) {
      SetUnsupported(path + "topologyConstraint", group);
    }
    if (sub.children == 0) {
      group.pod_sets.push_back(SetOf(sub.name, sub.min_member.value_or(1)));
      group.pod_sets.back().topology = TopologyOf(all, sub);
      sum += *group.pod_sets.back().min_count;
    } else if (sub.min_member.value_or(0) > 0) {
      SetUnsupported(path + "minMember", group);
    }
  }
  std::optional<std::int32_t> total, of_roots;
  ReadMembers(fields, spec, "minMember", 0, total);
  if (total.value_or(0) > sum) SetUnsupported("spec.minMember", group);
  ReadMembers(fields, spec, "minSubGroup", 0, of_roots);
  if (of_roots && *of_roots != roots) SetUnsupported("spec.minSubGroup", group);
}

void ReadKai(FieldReader& fields, const Value& document, const Value* spec, PodGroup& group) {
  constexpr std::pair<std::string_view, bool> kPreemptibilities[] = {{"preemptible", true},
                                                                     {"non-preemptible", false}};
  const Value* metadata = FieldReader::Get(&document, "metadata");
  const Value* annotations = FieldReader::Get(metadata, "annotations");
  fields.Time(annotations, objects::kKaiStartAnnotation, group.start_time);
  fields.String(spec, "queue", group.queue_name);
  fields.String(spec, "priorityClassName", group.priority_class_name);
  bool preemptible = true;
  if (fields.Enum(spec, "preemptibility", kPreemptibilities, preemptible)) {
    group.preemptible = preemptible;
  }
  const Value* sub_groups = fields.List(spec, "subGroups");
  if (HasItems(sub_groups)) {
    ReadSubGroupSets(fields, spec, sub_groups, group);
  } else {
    ReadMinMember(fields, spec, group);
    if (FieldReader::Get(spec, "minSubGroup") != nullptr) {
      SetUnsupported("spec.minSubGroup", group);
    }
  }
  ReadKaiTopology(fields, spec, group.topology);
}

// Coscheduling's and Volcano's --------------------------------------------------------------------

void ReadCoscheduling(FieldReader& fields, const Value& /*document*/, const Value* spec,
                      PodGroup& group) {
  ReadMinMember(fields, spec, group);
}

// Absent, its mode is hard, and the highest tier 1. A soft one has no bound: as near as it goes.
void ReadNetworkTopology(FieldReader& fields, const Value* spec, PodGroup& group) {
  constexpr std::pair<std::string_view, bool> kModes[] = {{"hard", false}, {"soft", true}};
  const Value* topology = fields.Mapping(spec, "networkTopology");
  if (topology == nullptr) return;
  bool soft = false;
  std::int32_t tier = 1;
  std::string name;
  fields.Enum(topology, "mode", kModes, soft);
  fields.Integer(topology, "highestTierAllowed", tier, 0);
  fields.String(topology, "highestTierName", name);
  if (name.empty()) name = objects::TierName(tier);
  (soft ? group.topology.emplace().preferred : group.topology.emplace().required) = name;
}

// As Volcano has it: a minimum of all below the tasks' sum puts the tasks' minima aside.
void ReadVolcano(FieldReader& fields, const Value& /*document*/, const Value* spec,
                 PodGroup& group) {
  fields.String(spec, "queue", group.queue_name);
  fields.String(spec, "priorityClassName", group.priority_class_name);
  ReadNetworkTopology(fields, spec, group);
  const Value* tasks = fields.Mapping(spec, "minTaskMember");
  std::vector<objects::PodSet> sets;
  std::int64_t sum = 0;
  if (tasks != nullptr) {
    for (const Value::Member& task : tasks->members()) {
      std::int64_t least = 0;
      fields.ReadInteger(*task.value, 0, kMostMembers, least);
      sets.push_back(SetOf(task.key, static_cast<std::int32_t>(least)));
      sum += least;
    }
  }
  std::ranges::sort(sets, {}, &objects::PodSet::name);
  std::optional<std::int32_t> total;
  ReadMembers(fields, spec, "minMember", 0, total);
  if (sets.empty() || (total && *total < sum)) {
    group.pod_sets.push_back(SetOf(kMainSet, total.value_or(1)));
    return;
  }
  group.pod_sets = std::move(sets);
  if (total.value_or(0) > sum) SetUnsupported("spec.minMember", group);
}

using ReadSpec = void (*)(FieldReader&, const Value& document, const Value* spec, PodGroup&);

ReadSpec ReaderOf(GroupApi api) {
  switch (api) {
    case GroupApi::kNative:
      return ReadNative;
    case GroupApi::kKai:
      return ReadKai;
    case GroupApi::kCoscheduling:
      return ReadCoscheduling;
    case GroupApi::kVolcano:
      return ReadVolcano;
    case GroupApi::kNone:
    case GroupApi::kKueuePods:
      break;
  }
  return nullptr;  // it has no object
}

objects::DecoderTable MakePodGroupDecoders() {
  objects::DecoderTable table;
  for (const objects::GroupRow& row : objects::GroupRows()) {
    const ReadSpec read = ReaderOf(row.api);
    for (const std::string_view version : row.api_versions) {
      table.push_back({version, objects::kPodGroup,
                       [api = row.api, version, read](const Value& document, std::string_view file,
                                                      objects::Manifest& into) {
                         FieldReader fields(document, objects::kPodGroup,
                                            objects::Scope::kNamespaced, file, into);
                         PodGroup group;
                         group.api = api;
                         group.api_version = version;
                         objects::ReadMeta(fields, document, group.meta);
                         read(fields, document, fields.Mapping(&document, "spec"), group);
                         if (fields.ok()) into.objects.emplace_back(std::move(group));
                       }});
    }
  }
  return table;
}

}  // namespace

const objects::DecoderTable& PodGroupDecoders() {
  static const objects::DecoderTable kTable = MakePodGroupDecoders();
  return kTable;
}

}  // namespace fairlead::intake
