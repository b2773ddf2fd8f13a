#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "objects/objects.h"
#include "objects/read/field_reader.h"

// The decoders of one kind each, and the parts that several share. Each reports what is wrong and
// adds the object where nothing is. They are listed in CoreDecoders() (objects/read/decoders.cc).

namespace fairlead::objects {

void DecodeNode(const Value& document, std::string_view file, Manifest& into);
void DecodePod(const Value& document, std::string_view file, Manifest& into);
void DecodeNamespace(const Value& document, std::string_view file, Manifest& into);
void DecodePriorityClass(const Value& document, std::string_view file, Manifest& into);
void DecodeJob(const Value& document, std::string_view file, Manifest& into);
// `version_at`: of row.versions. REQUIRES: row.is_generic().
void DecodeJobObject(const JobRow& row, std::size_t version_at, const Value& document,
                     std::string_view file, Manifest& into);
void DecodeDaemonSet(const Value& document, std::string_view file, Manifest& into);
void DecodePodDisruptionBudget(const Value& document, std::string_view file, Manifest& into);
void DecodeQueue(const Value& document, std::string_view file, Manifest& into);
// status.conditions, all of them.
void ReadConditions(FieldReader& fields, const Value* status, std::vector<Condition>& out);

void DecodeWorkload(const Value& document, std::string_view file, Manifest& into);
void DecodeTopology(const Value& document, std::string_view file, Manifest& into);
void DecodeWindow(const Value& document, std::string_view file, Manifest& into);
// `topology` of a Workload's spec or of a pod set of it, which alone may be in a group.
enum class ConstraintOf : std::uint8_t { kWorkload, kPodSet };
void ReadTopologyConstraint(FieldReader& fields, const Value* parent, ConstraintOf of,
                            std::optional<TopologyConstraint>& out);
// A label key among the levels of a Topology; and that there is one.
void ReadLevel(FieldReader& fields, const Value& at, std::vector<std::string>& levels);
void CheckLevels(FieldReader& fields, const Value* spec, const Topology& topology);
void DecodeElasticQuota(const Value& document, std::string_view file, Manifest& into);
void DecodeResourceQuota(const Value& document, std::string_view file, Manifest& into);
void DecodePersistentVolumeClaim(const Value& document, std::string_view file, Manifest& into);
void DecodePersistentVolume(const Value& document, std::string_view file, Manifest& into);
void ReadVolumeAsk(FieldReader& fields, const Value* spec, VolumeAsk& out);  // spec: a claim's
void DecodeStorageClass(const Value& document, std::string_view file, Manifest& into);
void DecodeCSINode(const Value& document, std::string_view file, Manifest& into);
void DecodeVolumeAttachment(const Value& document, std::string_view file, Manifest& into);
void DecodeCSIDriver(const Value& document, std::string_view file, Manifest& into);
void DecodeCSIStorageCapacity(const Value& document, std::string_view file, Manifest& into);
void DecodeConfiguration(const Value& document, std::string_view file, Manifest& into);

// Queues' names may have capitals beside what Kubernetes allows: the designs' trees are named so.
// In a cluster the API server has the last word.
enum class NameRule : std::uint8_t { kSubdomain, kCapitals };
void CheckName(FieldReader& fields, const Value& at, NameRule rule);

// The object's metadata, with its place as source. Reports a name that is missing or none.
void ReadMeta(FieldReader& fields, const Value& document, Meta& meta,
              NameRule rule = NameRule::kSubdomain);
// Reports unknown fields of the metadata.
void KnownMeta(FieldReader& fields, const Value& document);

// labels and annotations; what is said there to fairlead is checked.
void ReadLabels(FieldReader& fields, const Value* metadata, Labels& labels, Labels& annotations);

// A map of amounts. kWhole: nvidia.com/gpu must be a whole number, as in pods and nodes.
// At most kMaxResources of them.
inline constexpr std::size_t kMaxResources = 1000;
enum class Devices : std::uint8_t { kWhole, kParts };
bool ReadAmount(FieldReader& fields, const Value& value, std::string_view resource, Devices devices,
                std::int64_t& out);
void ReadResources(FieldReader& fields, const Value* mapping, Devices devices, ResourceList& out);
void ReadMaxLoss(FieldReader& fields, const Value* parent, std::optional<MaxLoss>& out);
// A Queue's: `limits` of its spec, `usage` of its status.
void ReadUserLimits(FieldReader& fields, const Value* spec, std::vector<UserLimit>& out);
void ReadQueueUsage(FieldReader& fields, const Value* status, std::optional<QueueUsage>& out);
// A decimal number in thousandths, from 0 to `max`; no exponents. Else reported, with what is
// `expected`.
bool ReadThousandths(FieldReader& fields, const Value& value, std::int64_t max,
                     std::string_view expected, std::int64_t& out);
// How long work runs at most: more than nothing.
void ReadRunTime(FieldReader& fields, const Value* parent, std::string_view key,
                 std::optional<Duration>& out);
// A queue's: shares of a device are counted with the devices.
void ReadQueueAmounts(FieldReader& fields, const Value* mapping, ResourceList& out);

// A ResourceQuota's `hard`: what it says of requests ("cpu", "requests.cpu") and of pods, by
// resource; the smaller where it says it twice. What it says of anything else is passed over.
void ReadHardAmounts(FieldReader& fields, const Value* mapping, ResourceList& out);

// The request of a pod by Kubernetes' rule (semantics.md §1). False: what was read is not all of
// it. Amounts that contradict each other are a fault too, and the most of them is what was read.
bool ReadPodRequest(FieldReader& fields, const Value& spec, PodNeeds& needs);
// A container's requests, its limits where only these are given.
ResourceList ContainerRequest(FieldReader& fields, const Value& container);
// False: a sum is beyond int64. It is the largest number then.
bool AddResources(const ResourceList& from, ResourceList& into);
// An init container that keeps running beside the containers.
bool IsSidecar(const Value& init_container);

// jobKinds and placement: of a SchedulerConfiguration.
void ReadJobKinds(FieldReader& fields, const Value* list, std::vector<JobRow>& out);
void ReadPlacement(FieldReader& fields, const Value* part, SchedulerConfiguration& out);
// What an element of status.admission.podSetAssignments says beside its name and count.
void ReadAssignment(FieldReader& fields, const Value& item, PodSetAssignment& out);

inline constexpr std::pair<std::string_view, TaintEffect> kTaintEffects[] = {
    {"NoSchedule", TaintEffect::kNoSchedule},
    {"PreferNoSchedule", TaintEffect::kPreferNoSchedule},
    {"NoExecute", TaintEffect::kNoExecute},
};
// Lists under a key of `parent`.
void ReadTaints(FieldReader& fields, const Value* parent, std::string_view key,
                std::vector<Taint>& out);
void ReadTolerations(FieldReader& fields, const Value* parent, std::vector<Toleration>& out);

// What a pod demands of its node. False: what it takes there, its amounts and host ports, is not
// all that was read.
bool ReadPodNeeds(FieldReader& fields, const Value& spec, const Labels& labels, PodNeeds& needs);
// A NodeSelector: its nodeSelectorTerms, of which there must be one or more.
void ReadNodeSelector(FieldReader& fields, const Value& selector,
                      std::vector<NodeSelectorTerm>& out);
// The weight of something preferred.
void ReadWeight(FieldReader& fields, const Value& item, std::int32_t& out);
void ReadAffinity(FieldReader& fields, const Value& spec, PodNeeds& needs);
// `room_known`: cleared where it cannot be read whom the pod refuses beside it.
void ReadPodTerms(FieldReader& fields, const Value& spec, const Labels& labels, PodNeeds& needs,
                  bool& room_known);
void ReadSpread(FieldReader& fields, const Value& spec, const Labels& labels, PodNeeds& needs);

// `labels`: the pod's own.
void ReadPodSpec(FieldReader& fields, const Value* spec, const Labels& labels, PodSpec& out);
void ReadPodTemplate(FieldReader& fields, const Value* pod_template, PodTemplate& out);

// The pod sets of a job of that row. `job`: has its metadata.
void ReadPodSets(const JobRow& row, FieldReader& fields, const Value& document, JobObject& job);
void ReadComponents(const JobRow& row, FieldReader& fields, const Value& document, JobObject& job);

// Of a SparkApplication's spec: what Spark makes of its `role`, "driver" or "executor".
void ReadSparkRole(FieldReader& fields, const Value& spec, std::string_view role, PodTemplate& out);

void ReadLabelSelector(FieldReader& fields, const Value& selector, LabelSelector& out);
// One of matchExpressions or matchFields. kNode: Gt and Lt too.
enum class Selecting : std::uint8_t { kLabels, kNodes };
bool ReadRequirement(FieldReader& fields, const Value& expression, Selecting selecting,
                     Requirement& out);

// The element of a list of conditions that has `type`, or null.
const Value* FindCondition(const Value* conditions, std::string_view type);
bool IsTrue(const Value* condition);

}  // namespace fairlead::objects
