#include "intake/facts/pod_facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/integer.h"
#include "objects/keys.h"

namespace fairlead::intake {
namespace {

RefusalFacts FactsOf(const objects::Pod& pod, const objects::KubeletRefusal& refusal,
                     Time created) {
  // A kubelet notes when it first heard of a pod, which is when it refuses it.
  return {.at = pod.start_time.value_or(pod.scheduled_time.value_or(created)),
          .message = refusal.message.empty()
                         ? refusal.reason
                         : fmt::format("{}: {}", refusal.reason, refusal.message)};
}

std::int32_t NumberIn(std::string_view text) {
  return std::max(-1, ParseInteger<std::int32_t>(text).value_or(-1));
}

// As its controller says it, else the number at the end of a name that somebody chose.
std::int32_t IndexOf(const objects::Meta& meta) {
  const std::string* said = objects::FindLabel(meta.labels, objects::kCompletionIndexKey);
  if (said == nullptr) said = objects::FindLabel(meta.annotations, objects::kCompletionIndexKey);
  if (said == nullptr) said = objects::FindLabel(meta.labels, objects::kPodIndexLabel);
  if (said != nullptr) return NumberIn(*said);
  const std::size_t dash = meta.name.rfind('-');
  if (!meta.generate_name.empty() || dash == std::string::npos) return -1;
  return NumberIn(std::string_view(meta.name).substr(dash + 1));
}

}  // namespace

PodFacts FactsOf(const objects::Pod& pod, Time created, Names& names) {
  PodFacts facts;
  facts.created = created;
  facts.scheduled = pod.scheduled_time.has_value() ? pod.scheduled_time : pod.start_time;
  facts.reserved = pod.node_reserved_time;
  facts.node = names.Intern(pod.spec.node_name);
  facts.nominated = names.Intern(pod.nominated_node);
  // Of one that waits it may tell of a binding that failed.
  facts.gpu_device = pod.spec.node_name.empty() ? -1 : pod.gpu_device.value_or(-1);
  facts.index = IndexOf(pod.meta);
  facts.succeeded = pod.phase == objects::PodPhase::kSucceeded;
  facts.state = pod.finished()               ? state::PodState::kFinished
                : pod.spec.node_name.empty() ? state::PodState::kPending
                                             : state::PodState::kBound;
  facts.terminating = pod.meta.deletion_time.has_value();
  facts.gated = pod.spec.gated;
  if (!pod.spec.gated && pod.gates_told) facts.rare.Edit().ungated = Time::Max();
  if (!pod.spec.gated && pod.ungated_time) facts.rare.Edit().ungated = *pod.ungated_time;
  if (const std::string* kept =
          objects::FindLabel(pod.meta.annotations, objects::kReservationAnnotation)) {
    if (auto reservation = objects::ParseReservation(*kept)) {
      facts.rare.Edit().reservation = *std::move(reservation);
    }
  }
  if (const std::string* held =
          objects::FindLabel(pod.meta.annotations, objects::kLandingsAnnotation)) {
    objects::Landings landings = objects::ParseLandings(*held);
    if (!landings.empty()) facts.rare.Edit().landings = std::move(landings);
  }
  if (pod.loan) facts.rare.Edit().loan = *pod.loan;
  facts.gated_by_kueue = std::ranges::count(pod.spec.rare->gates, objects::kKueueGate) > 0;
  facts.is_static = pod.is_static;
  facts.room_unknown = pod.spec.room_unknown;
  if (pod.refusal && !pod.spec.node_name.empty()) {
    facts.rare.Edit().refusal = FactsOf(pod, *pod.refusal, created);
  }
  return facts;
}

}  // namespace fairlead::intake
