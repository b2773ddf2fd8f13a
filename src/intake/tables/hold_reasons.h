#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "state/reason.h"

// The reasons that the joins give: why something must not start, whatever room there is. One place,
// so that a hold and the finding about it say the same.

namespace fairlead::intake {

struct Bond;
struct GangRow;

// The `field` of ClassMissing, by which it is told from other unsupported demands.
inline constexpr std::string_view kPriorityClassField = "spec.priorityClassName";

state::Reason ClassMissing(std::string_view class_name);
state::Reason BeyondCount(const GangRow& gang, std::string_view pod_set, std::int32_t count);
state::Reason NotAllowed(std::string_view queue, const Bond& bond);
// It is an ElasticQuota's, of another namespace.
state::Reason QueueOfQuota(std::string_view queue, std::string_view owner);
// `has_selector` false: the ClusterQueue has none, and lets nobody in.
state::Reason NamespaceNotSelected(std::string_view cluster_queue, std::string_view name_space,
                                   bool has_selector);
// A job's does, the one at `template_path`.
state::Reason NotOurScheduler(std::string_view found, std::string_view expected,
                              std::string_view template_path);
// A Workload's template does.
state::Reason TemplateOfOtherScheduler(std::string_view found, std::string_view expected);
// A PersistentVolumeClaim that no pod can have yet.
state::Reason VolumeNotReady(std::string_view claim, std::string_view why);
// What the pods of a group without an object say of it does not agree, or is nothing.
state::Reason GroupInvalid(std::string_view fault);
// Whoever lets the job go could not stop it again.
state::Reason CannotBeSuspended(std::string_view kind, std::string_view field);
// A constraint that means no Topology, or no level of it, or contradicts itself.
state::Reason TopologyNotFound(std::string_view why);
// It ran as long as it may, or, of a job whose pods are workloads of their own, one of these did.
state::Reason RanToItsLimit(std::string_view why, std::string_view job_kind = "");
state::Reason Unsupported(std::string_view kind, std::string_view field);

}  // namespace fairlead::intake
