#include "intake/facts/pod_traits.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "intake/facts/foreign_asks.h"
#include "intake/facts/group_of_pod.h"
#include "intake/facts/run_time.h"
#include "jobs/job_kind.h"
#include "objects/keys.h"

// A key is a fixed head, then the texts one after the other. The head holds where each text ends,
// so that no character is special and two different sets of traits never give one key.

namespace fairlead::intake {
namespace {

constexpr int kTexts = 20;
constexpr std::int64_t kUnknown = -1;

struct Head {
  std::int64_t limit_us;       // kUnknown: none
  std::int64_t expected_us;    // likewise
  std::uint32_t ends[kTexts];  // of each text, counted from the end of the head
  std::int32_t priority;
  std::uint8_t has_priority;
  std::uint8_t never_preempts;
  std::uint8_t preemptible;
  std::uint8_t allow_preemption;
  std::uint8_t local_queue;
  std::uint8_t group_api;
  std::uint8_t padding[6];
};
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

// Who manages the pod. Manifests written by hand often leave `controller: true` out.
const objects::OwnerReference* OwnerOf(const objects::Meta& meta) {
  if (const objects::OwnerReference* owner = meta.Controller()) return owner;
  return meta.owners.size() == 1 ? &meta.owners.front() : nullptr;
}

// The DaemonSet of which it is. It has powers (semantics.md §7): whoever only says that he is an
// owner of that kind, or names one of another group, is none.
const objects::OwnerReference* DaemonSetOf(const objects::Meta& meta) {
  const objects::OwnerReference* owner = meta.Controller();
  if (owner == nullptr || owner->kind != "DaemonSet") return nullptr;
  return owner->api_version.starts_with("apps/") ? owner : nullptr;
}

}  // namespace

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

void PackTraits(const objects::Pod& pod, std::string& key) {
  const objects::Meta& meta = pod.meta;
  const objects::OwnerReference* owner = OwnerOf(meta);
  const objects::OwnerReference* daemon_set = DaemonSetOf(meta);
  const jobs::JobOfPod job = jobs::FindJobOfPod(meta, owner);
  std::string job_group;
  if (!job.group.empty()) job_group.append(job.name).append(1, '-').append(job.group);
  const objects::Labels& labels = meta.labels;
  const AllowPreemption allow_preemption = AllowPreemptionOf(meta);
  const std::string_view queue =
      LabelOr(labels, objects::kQueueLabel, LabelOr(labels, objects::kKaiQueueLabel, {}));
  const std::string_view local_queue =
      queue.empty() ? LabelOr(labels, objects::kKueueQueueLabel, {}) : std::string_view();
  const std::string foreign =
      PackForeign(labels, meta.annotations, pod.spec.priority_class_name, &pod.spec.needs);
  std::vector<std::string> claimed = pod.spec.rare->volume_claims;
  for (const auto& volume : pod.spec.rare->ephemeral_volumes) {
    claimed.push_back(volume.ClaimOf(meta.name));
  }
  const std::string volume_claims = PackVolumeClaims(claimed);
  const GroupOfPod group = FindGroupOf(pod);
  const std::array<std::string_view, kTexts> texts = {
      meta.name_space,
      pod.spec.scheduler_name,
      LabelOr(labels, objects::kWorkloadLabel, {}),
      LabelOr(labels, objects::kPodSetLabel, job.pod_set),
      group.name,
      local_queue.empty() ? queue : local_queue,
      pod.spec.priority_class_name,
      job.kind == nullptr ? std::string_view() : job.kind->kind(),
      job.name,
      job.uid,
      allow_preemption.invalid,
      foreign,
      volume_claims,
      daemon_set == nullptr ? std::string_view() : daemon_set->name,
      daemon_set == nullptr ? std::string_view() : daemon_set->uid,
      group.part,
      group.total,
      group.others,
      job_group,
      ExpectedDurationOf(meta.annotations).invalid,
  };
  Head head = {};
  std::uint32_t end = 0;
  for (int i = 0; i < kTexts; ++i) {
    end += static_cast<std::uint32_t>(texts[i].size());
    head.ends[i] = end;
  }
  head.priority = pod.spec.priority.value_or(0);
  // What runs as long as its node does has no end.
  const bool stays = daemon_set != nullptr || (owner != nullptr && owner->kind == "Node");
  const state::RunTime run_time =
      stays ? state::RunTime() : RunTimeOf(pod, meta.Controller() != nullptr);
  head.limit_us = Packed(run_time.limit);
  head.expected_us = Packed(run_time.expected);
  head.has_priority = pod.spec.priority.has_value();
  head.never_preempts = pod.spec.never_preempts;
  head.preemptible = LabelOr(labels, objects::kPreemptibleLabel, {}) != "false";
  head.allow_preemption = static_cast<std::uint8_t>(allow_preemption.word);
  head.local_queue = !local_queue.empty();
  head.group_api = static_cast<std::uint8_t>(group.api);

  key.resize(sizeof head + end);
  char* into = key.data();
  std::memcpy(into, &head, sizeof head);
  into += sizeof head;
  for (const std::string_view text : texts) {
    if (text.empty()) continue;  // as most are
    into = std::copy(text.begin(), text.end(), into);
  }
}

PodTraits UnpackTraits(std::string_view key) {
  Head head;
  std::memcpy(&head, key.data(), sizeof head);
  std::string_view all = key.substr(sizeof head);
  auto text = [&](int i) {
    std::uint32_t begin = i == 0 ? 0 : head.ends[i - 1];
    return all.substr(begin, head.ends[i] - begin);
  };
  PodTraits traits;
  traits.name_space = text(0);
  traits.scheduler = text(1);
  traits.workload = text(2);
  traits.pod_set = text(3);
  traits.pod_group = text(4);
  traits.queue = text(5);
  traits.priority_class = text(6);
  traits.job_kind = text(7);
  traits.job = text(8);
  traits.job_uid = text(9);
  if (head.has_priority != 0) traits.priority = head.priority;
  traits.run_time = {.limit = Unpacked(head.limit_us), .expected = Unpacked(head.expected_us)};
  traits.never_preempts = head.never_preempts != 0;
  traits.preemptible = head.preemptible != 0;
  traits.allow_preemption = static_cast<AllowPreemption::Word>(head.allow_preemption);
  traits.local_queue = head.local_queue != 0;
  traits.allow_preemption_invalid = text(10);
  traits.foreign = text(11);
  traits.volume_claims = text(12);
  traits.daemon_set = text(13);
  traits.daemon_set_uid = text(14);
  traits.group_api = static_cast<objects::GroupApi>(head.group_api);
  traits.group_part = text(15);
  traits.group_total = text(16);
  traits.other_groups = text(17);
  traits.job_group = text(18);
  traits.expected_invalid = text(19);
  return traits;
}

}  // namespace fairlead::intake
