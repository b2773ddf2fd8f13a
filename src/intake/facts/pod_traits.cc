#include "intake/facts/pod_traits.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "intake/facts/foreign_asks.h"
#include "intake/facts/group_of_pod.h"
#include "intake/facts/run_time.h"
#include "intake/facts/submitter.h"
#include "intake/facts/topology_ask.h"
#include "jobs/job_kind.h"
#include "jobs/queued_job.h"
#include "objects/key.h"
#include "objects/keys.h"
#include "objects/pod_maker.h"

// A key is a fixed head, then the texts one after the other. The head holds where each text ends,
// so that no character is special and two different sets of traits never give one key.

namespace fairlead::intake {
namespace {

// The texts, in the order in which they stand.
constexpr auto kTexts = std::to_array<std::string_view PodTraits::*>({
    &PodTraits::name_space,
    &PodTraits::scheduler,
    &PodTraits::workload,
    &PodTraits::pod_set,
    &PodTraits::pod_group,
    &PodTraits::queue,
    &PodTraits::priority_class,
    &PodTraits::job_kind,
    &PodTraits::job,
    &PodTraits::job_uid,
    &PodTraits::allow_preemption_invalid,
    &PodTraits::foreign,
    &PodTraits::volume_claims,
    &PodTraits::daemon_set,
    &PodTraits::daemon_set_uid,
    &PodTraits::group_part,
    &PodTraits::group_total,
    &PodTraits::other_groups,
    &PodTraits::job_group,
    &PodTraits::run_time_invalid,
    &PodTraits::topology,
    &PodTraits::submitter,
    &PodTraits::made_by,
    &PodTraits::move_invalid,
});
constexpr std::int64_t kUnknown = -1;

struct Head {
  std::int64_t limit_us;              // kUnknown: none
  std::int64_t own_limit_us;          // likewise
  std::int64_t expected_us;           // likewise
  std::int64_t checkpoint_every_us;   // likewise
  std::int64_t checkpointed_at_us;    // since the epoch; likewise
  std::int64_t priority;              // as wide, so that nothing is left between
  std::uint32_t ends[kTexts.size()];  // of each text, counted from the end of the head
  std::uint8_t has_priority;
  std::uint8_t never_preempts;
  std::uint8_t gives_way;  // kPreemptible | kMayMove
  std::uint8_t allow_preemption;
  std::uint8_t local_queue;
  std::uint8_t group_api;
  std::uint8_t stays;
  std::uint8_t waits_again;
};
constexpr std::uint8_t kPreemptible = 1, kMayMove = 2;
static_assert(std::has_unique_object_representations_v<Head>, "keys are compared as bytes");

std::int64_t Packed(const std::optional<Duration>& duration) {
  return duration ? duration->us : kUnknown;
}

std::optional<Duration> Unpacked(std::int64_t us) {
  return us == kUnknown ? std::nullopt : std::optional(Duration{us});
}

std::string_view LabelOr(const objects::Labels& labels, std::string_view key,
                         std::string_view other) {
  const std::string* value = objects::FindLabel(labels, key);
  return value == nullptr ? other : std::string_view(*value);
}

// What keeps so many pods running, and has no end.
std::string_view ReplacedBy(std::string_view made_by) {
  const std::string_view kind = made_by.substr(0, made_by.find('/'));
  for (const std::string_view known : {"ReplicaSet", "StatefulSet", "ReplicationController"}) {
    if (kind == known) return known;
  }
  return {};
}

// Who makes another where it is evicted, to run anywhere. Null: nobody.
const objects::OwnerReference* ReplacerOf(const objects::Meta& pod) {
  const objects::OwnerReference* maker = objects::PodMakerOf(pod);
  return maker == nullptr || maker->kind == "DaemonSet" ? nullptr : maker;
}

// The DaemonSet of which it is. It has powers (semantics.md §7): whoever only says that he is an
// owner of that kind, or names one of another group, is none.
const objects::OwnerReference* DaemonSetOf(const objects::Meta& meta) {
  const objects::OwnerReference* owner = meta.Controller();
  if (owner == nullptr || owner->kind != "DaemonSet") return nullptr;
  return owner->api_version.starts_with("apps/") ? owner : nullptr;
}

}  // namespace

MoveSaid MoveSaidBy(const objects::Labels& annotations) {
  const std::string* move = objects::FindLabel(annotations, objects::kMoveAnnotation);
  if (move == nullptr || *move == "true") return {};
  if (*move == "false") return {.stays_put = true, .invalid = {}};
  return {.invalid = *move};
}

Membership MembershipOf(const PodTraits& traits) {
  if (!traits.workload.empty()) return Membership::kByLabel;
  if (!traits.pod_group.empty()) return Membership::kByGroup;
  if (!traits.job.empty()) return Membership::kByJob;
  return Membership::kNone;
}

std::string_view WorkloadNamed(const PodTraits& traits) {
  switch (MembershipOf(traits)) {
    case Membership::kByLabel:
      return traits.workload;
    case Membership::kByGroup:
      return traits.pod_group;
    case Membership::kByJob:
      return WorkloadOfJob(traits);
    case Membership::kNone:
      break;
  }
  return {};
}

std::string PackVolumeClaims(const std::vector<std::string>& names) {
  std::string packed;
  for (const std::string& name : names) packed.append(name).push_back('/');
  return packed;
}

namespace {

void Pack(const PodTraits& traits, std::string& key) {
  Head head = {};
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    end += static_cast<std::uint32_t>((traits.*kTexts[i]).size());
    head.ends[i] = end;
  }
  head.priority = traits.priority.value_or(0);
  head.has_priority = traits.priority.has_value();
  head.limit_us = Packed(traits.run_time.limit);
  const state::RareOwnLimit& own = traits.run_time.own_limit;
  head.own_limit_us = own ? own->after.us : kUnknown;
  head.waits_again = traits.run_time.waits_again;
  head.stays = traits.stays;
  head.expected_us = Packed(traits.run_time.expected);
  head.checkpoint_every_us = Packed(traits.run_time.checkpoint_every);
  const auto& checkpointed_at = traits.run_time.checkpointed_at;
  head.checkpointed_at_us = checkpointed_at ? checkpointed_at->us : kUnknown;
  head.never_preempts = traits.never_preempts;
  head.gives_way = static_cast<std::uint8_t>((traits.preemptible ? kPreemptible : 0) |
                                             (traits.may_move ? kMayMove : 0));
  head.allow_preemption = static_cast<std::uint8_t>(traits.allow_preemption);
  head.local_queue = traits.local_queue;
  head.group_api = static_cast<std::uint8_t>(traits.group_api);

  key.resize(sizeof head + end);
  char* into = key.data();
  std::memcpy(into, &head, sizeof head);
  into += sizeof head;
  for (const auto member : kTexts) {
    const std::string_view text = traits.*member;
    if (text.empty()) continue;  // as most are
    into = std::copy(text.begin(), text.end(), into);
  }
}

}  // namespace

void PackTraits(const objects::Pod& pod, std::string& key) {
  const objects::Meta& meta = pod.meta;
  const objects::Labels& labels = meta.labels;
  const objects::OwnerReference* owner = meta.Manager();
  PodTraits traits;
  traits.name_space = meta.name_space;
  traits.scheduler = pod.spec.scheduler_name;
  traits.workload = LabelOr(labels, objects::kWorkloadLabel, {});
  traits.queue =
      LabelOr(labels, objects::kQueueLabel, LabelOr(labels, objects::kKaiQueueLabel, {}));
  if (traits.queue.empty()) {
    traits.queue = LabelOr(labels, objects::kKueueQueueLabel, {});
    traits.local_queue = !traits.queue.empty();
  }
  const std::string queue_class = jobs::ClassNamedBy(labels);
  traits.priority_class = queue_class;
  if (queue_class.empty()) {
    traits.priority_class = pod.spec.priority_class_name;
    traits.priority = pod.spec.priority;
    traits.never_preempts = pod.spec.never_preempts;
  }
  traits.preemptible = LabelOr(labels, objects::kPreemptibleLabel, {}) != "false";

  const jobs::JobOfPod job = jobs::FindJobOfPod(meta, owner);
  std::string job_group, of_component;
  if (job.kind != nullptr) {
    traits.job_kind = job.kind->kind();
    traits.job = job.name;
    traits.job_uid = job.uid;
    if (!job.group.empty()) job_group.append(job.name).append(1, '-').append(job.group);
    traits.job_group = job_group;
  }
  if (!job.component.empty()) of_component = objects::JoinKey(job.component, job.pod_set);
  traits.pod_set = LabelOr(labels, objects::kPodSetLabel,
                           of_component.empty() ? job.pod_set : std::string_view(of_component));

  const GroupOfPod group = FindGroupOf(pod);
  traits.group_api = group.api;
  traits.pod_group = group.name;
  traits.group_part = group.part;
  traits.group_total = group.total;
  traits.other_groups = group.others;

  const objects::OwnerReference* daemon_set = DaemonSetOf(meta);
  if (daemon_set != nullptr) {
    traits.daemon_set = daemon_set->name;
    traits.daemon_set_uid = daemon_set->uid;
  }
  const AllowPreemption allow_preemption = AllowPreemptionOf(meta);
  traits.allow_preemption = allow_preemption.word;
  traits.allow_preemption_invalid = allow_preemption.invalid;

  const RunTimeSaid said = RunTimeSaidBy(labels, meta.annotations);
  traits.run_time_invalid = said.invalid;
  traits.stays = daemon_set != nullptr || (owner != nullptr && owner->kind == "Node");
  std::string made_by;
  if (const objects::OwnerReference* replacer = ReplacerOf(meta)) {
    made_by.append(replacer->kind).append(1, '/').append(replacer->name);
  }
  traits.made_by = made_by;
  const MoveSaid move = MoveSaidBy(meta.annotations);
  traits.may_move = !made_by.empty() && !move.stays_put;
  traits.move_invalid = move.invalid;
  if (!traits.stays) traits.run_time = RunTimeOf(pod, said.run_time, meta.Controller() != nullptr);

  const std::string foreign =
      PackForeign(labels, meta.annotations, pod.spec.priority_class_name, &pod.spec.needs);
  traits.foreign = foreign;
  const std::string topology = PackTopology(meta.annotations, AnnotationsOf::kPods);
  traits.topology = topology;
  std::vector<std::string> claimed = pod.spec.rare->volume_claims;
  for (const auto& volume : pod.spec.rare->ephemeral_volumes) {
    claimed.push_back(volume.ClaimOf(meta.name));
  }
  const std::string submitter = PackSubmitter(meta.annotations);
  traits.submitter = submitter;
  const std::string volume_claims = PackVolumeClaims(claimed);
  traits.volume_claims = volume_claims;
  Pack(traits, key);
}

PodTraits UnpackTraits(std::string_view key) {
  Head head;
  std::memcpy(&head, key.data(), sizeof head);
  PodTraits traits;
  const char* const texts = key.data() + sizeof head;
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    traits.*kTexts[i] = std::string_view(texts + begin, head.ends[i] - begin);
    begin = head.ends[i];
  }
  if (head.has_priority != 0) traits.priority = static_cast<std::int32_t>(head.priority);
  traits.run_time = {.limit = Unpacked(head.limit_us),
                     .expected = Unpacked(head.expected_us),
                     .checkpoint_every = Unpacked(head.checkpoint_every_us),
                     .checkpointed_at = {},
                     .own_limit = {},
                     .waits_again = head.waits_again != 0};
  if (head.own_limit_us != kUnknown) {
    traits.run_time.own_limit = state::OwnLimit{.after = Duration{head.own_limit_us}};
  }
  traits.stays = head.stays != 0;
  if (head.checkpointed_at_us != kUnknown) {
    traits.run_time.checkpointed_at = Time{head.checkpointed_at_us};
  }
  traits.never_preempts = head.never_preempts != 0;
  traits.preemptible = (head.gives_way & kPreemptible) != 0;
  traits.may_move = (head.gives_way & kMayMove) != 0;
  traits.replaced_by = ReplacedBy(traits.made_by);
  traits.allow_preemption = static_cast<AllowPreemption::Word>(head.allow_preemption);
  traits.local_queue = head.local_queue != 0;
  traits.group_api = static_cast<objects::GroupApi>(head.group_api);
  return traits;
}

}  // namespace fairlead::intake
