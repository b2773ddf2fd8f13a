#include <algorithm>
#include <set>

#include "base/quantity.h"
#include "intake/kueue/decoders.h"
#include "objects/read/decode.h"

// Unknown fields are passed over: Kueue's kinds may be newer than this. Those that are known and
// cannot be followed are noted.

namespace fairlead::intake {
namespace {

using objects::FieldReader;
using objects::PreemptionPolicy;
using objects::StopPolicy;
using objects::Value;

constexpr std::pair<std::string_view, StopPolicy> kStopPolicies[] = {
    {"None", StopPolicy::kNone},
    {"Hold", StopPolicy::kHold},
    {"HoldAndDrain", StopPolicy::kHoldAndDrain},
};

void ReadStopPolicy(FieldReader& fields, const Value* spec, StopPolicy& out) {
  fields.Enum(spec, "stopPolicy", kStopPolicies, out);
}

// A quantity: "2", "750m".
void ReadWeight(FieldReader& fields, const Value* spec, std::int64_t& milli) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const Value* weight = FieldReader::Get(fields.Mapping(spec, "fairSharing"), "weight");
  if (weight == nullptr) return;
  const bool scalar =
      weight->kind() == Value::Kind::kString || weight->kind() == Value::Kind::kNumber;
  const auto read = scalar ? ParseQuantity(weight->text(), Scale::kMilli)
                           : Result<std::int64_t>(tl::unexpected(Error{}));
  if (!read || *read < 0 || *read > kMost) {
    fields.Unexpected(*weight, "a quantity from 0 to 1000000");
    return;
  }
  milli = *read;
}

void ReadAmountOf(FieldReader& fields, const Value& item, std::string_view key,
                  std::string_view resource, std::optional<std::int64_t>& out) {
  const Value* value = FieldReader::Get(&item, key);
  std::int64_t amount = 0;
  if (value == nullptr ||
      !objects::ReadAmount(fields, *value, resource, objects::Devices::kParts, amount)) {
    return;
  }
  out = amount;
}

void ReadFlavorResources(FieldReader& fields, const Value* list,
                         std::vector<objects::FlavorResource>& out) {
  if (list == nullptr) return;
  if (list->items().size() > objects::kMaxResources) {
    fields.Fault(*list, "found " + std::to_string(list->items().size()) +
                            " resources, expected at most " +
                            std::to_string(objects::kMaxResources));
    return;
  }
  std::set<std::string> names;
  for (const Value* item : list->items()) {
    if (!fields.IsMapping(*item)) continue;
    objects::FlavorResource& resource = out.emplace_back();
    fields.String(item, "name", resource.resource);
    if (resource.resource.empty()) {
      fields.Missing(*item, "name", "a resource such as cpu");
      continue;
    }
    if (!names.insert(resource.resource).second) {
      fields.FaultBelow(*item, "name", "found " + resource.resource + " a second time");
    }
    std::optional<std::int64_t> nominal;
    ReadAmountOf(fields, *item, "nominalQuota", resource.resource, nominal);
    if (!nominal && fields.ok()) {
      fields.Missing(*item, "nominalQuota", "a quantity");
    }
    resource.nominal = nominal.value_or(0);
    ReadAmountOf(fields, *item, "borrowingLimit", resource.resource, resource.borrowing_limit);
    ReadAmountOf(fields, *item, "lendingLimit", resource.resource, resource.lending_limit);
  }
}

void ReadGroups(FieldReader& fields, const Value* spec, std::vector<objects::ResourceGroup>& out) {
  const Value* groups = fields.List(spec, "resourceGroups");
  if (groups == nullptr) return;
  std::set<std::string> covered;  // by the groups before
  for (const Value* item : groups->items()) {
    if (!fields.IsMapping(*item)) continue;
    const Value* flavors = fields.List(item, "flavors");
    if (flavors == nullptr || flavors->items().empty()) {
      if (fields.ok()) fields.Missing(*item, "flavors", "one or more");
      continue;
    }
    objects::ResourceGroup group;
    for (const Value* flavor : flavors->items()) {
      if (!fields.IsMapping(*flavor)) continue;
      objects::FlavorQuotas& quotas = group.flavors.emplace_back();
      fields.String(flavor, "name", quotas.flavor);
      if (quotas.flavor.empty() && fields.ok()) {
        fields.Missing(*flavor, "name", "a ResourceFlavor's");
      }
      ReadFlavorResources(fields, fields.List(flavor, "resources"), quotas.resources);
    }
    if (group.flavors.empty()) continue;
    for (const objects::FlavorResource& resource : group.flavors.front().resources) {
      if (covered.insert(resource.resource).second) continue;
      fields.Fault(*item, "found " + resource.resource + " in a second group, expected it in one");
    }
    out.push_back(std::move(group));
  }
}

bool Says(const Value* parent, std::string_view key, std::initializer_list<std::string_view> words,
          std::string& word) {
  const Value* value = FieldReader::Get(parent, key);
  if (value == nullptr || value->kind() != Value::Kind::kString) return false;
  word = value->text();
  return std::find(words.begin(), words.end(), word) != words.end();
}

// What is there and says more than nothing.
bool IsFilled(const Value* parent, std::string_view key) {
  const Value* value = FieldReader::Get(parent, key);
  if (value == nullptr || value->is_null()) return false;
  if (value->kind() == Value::Kind::kMapping) return !value->members().empty();
  if (value->kind() == Value::Kind::kString) return !value->text().empty();
  return !value->items().empty() || value->kind() == Value::Kind::kNumber;
}

void NoteUnsupported(const Value* spec, objects::ClusterQueue& queue) {
  std::string word;
  if (Says(spec, "queueingStrategy", {"StrictFIFO"}, word)) {
    queue.not_supported.push_back("spec.queueingStrategy: StrictFIFO");
  }
  const Value* strategy = FieldReader::Get(spec, "admissionChecksStrategy");
  for (const std::string_view key :
       {"admissionChecks", "admissionScope", "concurrentAdmissionPolicy"}) {
    if (IsFilled(spec, key)) queue.not_supported.push_back("spec." + std::string(key));
  }
  if (strategy != nullptr && IsFilled(strategy, "admissionChecks")) {
    queue.not_supported.emplace_back("spec.admissionChecksStrategy");
  }
  const Value* fungibility = FieldReader::Get(spec, "flavorFungibility");
  if (Says(fungibility, "whenCanBorrow", {"TryNextFlavor"}, word) ||
      Says(fungibility, "whenCanPreempt", {"Preempt", "MayStopSearch"}, word) ||
      IsFilled(fungibility, "preference")) {
    queue.not_supported.emplace_back("spec.flavorFungibility");
  }
}

void ReadPreemption(FieldReader& fields, const Value* spec, objects::ClusterQueue& queue) {
  constexpr std::pair<std::string_view, PreemptionPolicy> kWithin[] = {
      {"Never", PreemptionPolicy::kNever},
      {"LowerPriority", PreemptionPolicy::kLowerPriority},
      {"LowerOrNewerEqualPriority", PreemptionPolicy::kLowerOrNewerEqualPriority}};
  constexpr std::pair<std::string_view, PreemptionPolicy> kReclaim[] = {
      {"Never", PreemptionPolicy::kNever},
      {"LowerPriority", PreemptionPolicy::kLowerPriority},
      {"Any", PreemptionPolicy::kAny}};
  constexpr std::pair<std::string_view, PreemptionPolicy> kBorrow[] = {
      {"Never", PreemptionPolicy::kNever}, {"LowerPriority", PreemptionPolicy::kLowerPriority}};
  const Value* preemption = fields.Mapping(spec, "preemption");
  fields.Enum(preemption, "withinClusterQueue", kWithin, queue.within_cluster_queue);
  fields.Enum(preemption, "reclaimWithinCohort", kReclaim, queue.reclaim_within_cohort);
  const Value* borrow = fields.Mapping(preemption, "borrowWithinCohort");
  fields.Enum(borrow, "policy", kBorrow, queue.borrow_within_cohort);
  fields.Integer(borrow, "maxPriorityThreshold", queue.borrow_max_priority);
}

void DecodeClusterQueue(const Value& document, std::string_view file, objects::Manifest& into) {
  FieldReader fields(document, "ClusterQueue", objects::Scope::kCluster, file, into);
  objects::ClusterQueue queue;
  objects::ReadMeta(fields, document, queue.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.String(spec, "cohort", queue.cohort);      // v1beta1
  fields.String(spec, "cohortName", queue.cohort);  // v1beta2
  ReadGroups(fields, spec, queue.groups);
  if (const Value* selector = fields.Mapping(spec, "namespaceSelector")) {
    objects::ReadLabelSelector(fields, *selector, queue.name_spaces.emplace());
  }
  ReadPreemption(fields, spec, queue);
  ReadStopPolicy(fields, spec, queue.stop_policy);
  ReadWeight(fields, spec, queue.weight_milli);
  NoteUnsupported(spec, queue);
  if (fields.ok()) into.objects.emplace_back(std::move(queue));
}

void DecodeCohort(const Value& document, std::string_view file, objects::Manifest& into) {
  FieldReader fields(document, "Cohort", objects::Scope::kCluster, file, into);
  objects::Cohort cohort;
  objects::ReadMeta(fields, document, cohort.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.String(spec, "parentName", cohort.parent);
  ReadGroups(fields, spec, cohort.groups);
  ReadWeight(fields, spec, cohort.weight_milli);
  if (fields.ok()) into.objects.emplace_back(std::move(cohort));
}

void DecodeLocalQueue(const Value& document, std::string_view file, objects::Manifest& into) {
  FieldReader fields(document, "LocalQueue", objects::Scope::kNamespaced, file, into);
  objects::LocalQueue queue;
  objects::ReadMeta(fields, document, queue.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.String(spec, "clusterQueue", queue.cluster_queue);
  if (queue.cluster_queue.empty() && fields.ok()) {
    fields.MissingInSpec(spec, "clusterQueue", "a ClusterQueue's name");
  }
  ReadStopPolicy(fields, spec, queue.stop_policy);
  if (IsFilled(spec, "fairSharing")) queue.not_supported.emplace_back("spec.fairSharing");
  if (fields.ok()) into.objects.emplace_back(std::move(queue));
}

void DecodeResourceFlavor(const Value& document, std::string_view file, objects::Manifest& into) {
  FieldReader fields(document, "ResourceFlavor", objects::Scope::kCluster, file, into);
  objects::ResourceFlavor flavor;
  objects::ReadMeta(fields, document, flavor.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.Strings(fields.Mapping(spec, "nodeLabels"), flavor.node_labels);
  objects::ReadTaints(fields, spec, "nodeTaints", flavor.node_taints);
  objects::ReadTolerations(fields, spec, flavor.tolerations);
  fields.String(spec, "topologyName", flavor.topology);
  if (IsFilled(spec, "resourceWeights")) flavor.not_supported.emplace_back("spec.resourceWeights");
  if (fields.ok()) into.objects.emplace_back(std::move(flavor));
}

void DecodePriorityClass(const Value& document, std::string_view file, objects::Manifest& into) {
  FieldReader fields(document, "WorkloadPriorityClass", objects::Scope::kCluster, file, into);
  objects::WorkloadPriorityClass priority_class;
  objects::ReadMeta(fields, document, priority_class.meta);
  fields.Integer(&document, "value", priority_class.value);
  if (fields.ok()) into.objects.emplace_back(std::move(priority_class));
}

}  // namespace

const objects::DecoderTable& KueueDecoders() {
  static const objects::DecoderTable kTable = [] {
    objects::DecoderTable table;
    for (const std::string_view version : {"kueue.x-k8s.io/v1beta1", "kueue.x-k8s.io/v1beta2"}) {
      table.push_back({version, "ClusterQueue", DecodeClusterQueue});
      table.push_back({version, "Cohort", DecodeCohort});
      table.push_back({version, "LocalQueue", DecodeLocalQueue});
      table.push_back({version, "ResourceFlavor", DecodeResourceFlavor});
      table.push_back({version, "WorkloadPriorityClass", DecodePriorityClass});
      table.push_back({version, "Workload", DecodeKueueWorkload});
    }
    return table;
  }();
  return kTable;
}

}  // namespace fairlead::intake
