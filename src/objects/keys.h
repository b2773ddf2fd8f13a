#pragma once

#include <string_view>

// The labels and annotations by which objects say where they belong (interface.md §1), resources
// with a meaning of their own, and Kubernetes' longest keys.

namespace fairlead::objects {

inline constexpr std::string_view kWorkloadLabel = "fairlead.dev/workload";
inline constexpr std::string_view kPodSetLabel = "fairlead.dev/pod-set";
inline constexpr std::string_view kQueueLabel = "fairlead.dev/queue";
inline constexpr std::string_view kPreemptibleLabel = "fairlead.dev/preemptible";
inline constexpr std::string_view kAllowPreemptionKey =
    "fairlead.dev/allow-preemption";  // annotation or label of a pod or a PriorityClass
// Annotation of a pod or a Workload: "false" keeps it where it is.
inline constexpr std::string_view kMoveAnnotation = "fairlead.dev/move";
// Said to the pod, and believed of nobody (Pod::gpu_device).
inline constexpr std::string_view kGpuDeviceAnnotation = "fairlead.dev/gpu-device";
inline constexpr std::string_view kGangKey = "fairlead.dev/gang";  // annotation or label of a Job
inline constexpr std::string_view kExpectedDurationKey =
    "fairlead.dev/expected-duration";  // annotation of a pod or a job
// Annotations of a pod, a job or a group of pods: how long it runs at most, and what then.
inline constexpr std::string_view kMaxRunTimeKey = "fairlead.dev/max-run-time";
inline constexpr std::string_view kOnRunTimeLimitKey = "fairlead.dev/on-run-time-limit";
// Annotations of a pod, a job or a Workload: how often it makes a checkpoint, or when it made one.
inline constexpr std::string_view kCheckpointEveryKey = "fairlead.dev/checkpoint-every";
inline constexpr std::string_view kCheckpointedAtKey = "fairlead.dev/checkpointed-at";
// Annotation of a job: how often others took the room of its pods, each a workload of its own.
inline constexpr std::string_view kStopsAnnotation = "fairlead.dev/stops";
// The same: that one of these pods ran as long as it may, so that none starts (stop_note.h).
inline constexpr std::string_view kStoppedAnnotation = "fairlead.dev/stopped";
// Annotation of a pod that is its own workload: the room that is kept for it (reservation.h).
inline constexpr std::string_view kReservationAnnotation = "fairlead.dev/reservation";
// Annotation of a pod that is its own workload: room that is held for those who moved for it
// (landing.h).
inline constexpr std::string_view kLandingsAnnotation = "fairlead.dev/landings";
// Annotations of a pod, a template or a job: where its pods stand to each other (topology.h).
inline constexpr std::string_view kTopologyKey = "fairlead.dev/topology";
inline constexpr std::string_view kTopologyRequiredKey = "fairlead.dev/topology-required";
inline constexpr std::string_view kTopologyPreferredKey = "fairlead.dev/topology-preferred";
inline constexpr std::string_view kTopologySliceSizeKey = "fairlead.dev/topology-slice-size";
inline constexpr std::string_view kTopologySliceRequiredKey =
    "fairlead.dev/topology-slice-required";
inline constexpr std::string_view kTopologyGroupKey = "fairlead.dev/topology-group";
inline constexpr std::string_view kTopologyOnBrokenKey = "fairlead.dev/topology-on-broken";
// Annotations of the outermost owner of work: who asked for it, and the groups of that user, by
// commas. Of a namespace: whose it is, where work does not say it (time.md §7).
inline constexpr std::string_view kUserAnnotation = "fairlead.dev/user";
inline constexpr std::string_view kGroupsAnnotation = "fairlead.dev/groups";
inline constexpr std::string_view kOwnerAnnotation = "fairlead.dev/owner";
inline constexpr std::string_view kInfrastructureLabel =
    "fairlead.dev/infrastructure";  // of a namespace

// Of a PersistentVolumeClaim: where its volume is to be made (Kubernetes' storage helpers).
inline constexpr std::string_view kSelectedNodeAnnotation = "volume.kubernetes.io/selected-node";
// Of a PersistentVolume: that its claimRef was not written by whoever made it.
inline constexpr std::string_view kBoundByControllerAnnotation =
    "pv.kubernetes.io/bound-by-controller";

// KAI Scheduler's.
inline constexpr std::string_view kKaiQueueLabel = "kai.scheduler/queue";
inline constexpr std::string_view kKaiPodGroupAnnotation = "pod-group-name";
inline constexpr std::string_view kKaiStartAnnotation = "kai.scheduler/last-start-timestamp";
inline constexpr std::string_view kKaiSubGroupLabel = "kai.scheduler/subgroup-name";

// Coscheduling's, the older one behind.
inline constexpr std::string_view kCoschedulingLabel = "scheduling.x-k8s.io/pod-group";
inline constexpr std::string_view kOldCoschedulingLabel = "pod-group.scheduling.sigs.k8s.io";

// Volcano's: annotations that name a group, and a label or annotation that names a task.
inline constexpr std::string_view kVolcanoGroupAnnotation = "scheduling.k8s.io/group-name";
inline constexpr std::string_view kVolcanoOwnGroupAnnotation = "scheduling.volcano.sh/group-name";
inline constexpr std::string_view kVolcanoTaskKey = "volcano.sh/task-spec";

// YuniKorn's: as kAllowPreemptionKey.
inline constexpr std::string_view kYuniKornAllowPreemptionKey =
    "yunikorn.apache.org/allow-preemption";

// Kueue's. What else it has on jobs: jobs/batch_job.cc.
inline constexpr std::string_view kKueueQueueLabel = "kueue.x-k8s.io/queue-name";
inline constexpr std::string_view kKueueGroupLabel = "kueue.x-k8s.io/pod-group-name";
inline constexpr std::string_view kKueueGate = "kueue.x-k8s.io/admission";  // of schedulingGates
inline constexpr std::string_view kKueueTotalAnnotation = "kueue.x-k8s.io/pod-group-total-count";
// Label: its priority, a WorkloadPriorityClass or else a PriorityClass. What names one of these two
// says so as "kueue.x-k8s.io/NAME".
inline constexpr std::string_view kKueuePriorityClassLabel = "kueue.x-k8s.io/priority-class";
inline constexpr std::string_view kKueueClassPrefix = "kueue.x-k8s.io/";
// Label: how many seconds it runs at most.
inline constexpr std::string_view kKueueMaxExecTimeLabel = "kueue.x-k8s.io/max-exec-time-seconds";

inline constexpr std::string_view kGpuResource = "nvidia.com/gpu";               // whole devices
inline constexpr std::string_view kGpuMilliResource = "fairlead.dev/gpu-milli";  // of one device
// What a node has of it, with a CSI driver's name behind: how many volumes of the driver it takes.
inline constexpr std::string_view kAttachPrefix = "attachable-volumes-csi-";
inline constexpr std::string_view kPodsResource = "pods";  // how many a node takes

// By which a pod says which of its job's pods it is: a label, the first an annotation too.
inline constexpr std::string_view kCompletionIndexKey = "batch.kubernetes.io/job-completion-index";
inline constexpr std::string_view kPodIndexLabel = "apps.kubernetes.io/pod-index";

// Of an affinity.
inline constexpr std::string_view kRequiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";
inline constexpr std::string_view kPreferredTerms =
    "preferredDuringSchedulingIgnoredDuringExecution";

}  // namespace fairlead::objects
