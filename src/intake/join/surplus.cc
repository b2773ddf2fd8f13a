#include "intake/join/surplus.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "intake/join/gang_join.h"

namespace fairlead::intake {

std::optional<std::int32_t> CapOf(const GangRow& gang, std::size_t pod_set) {
  if (gang.source == GangSource::kJob) return std::nullopt;
  const GangFacts& facts = *gang.facts();
  const PodSetFacts& set = gang.pod_sets()[pod_set];
  if (facts.resize == objects::Resize::kAnytime || facts.admission.empty()) return set.count;
  return jobs::CountOf(facts.admission, set.name).value_or(0);
}

void Surplus::Find(GangRow& gang) {
  const std::vector<Tally> tallies = CountPods(tables_, gang);
  std::vector<std::optional<std::int32_t>> caps(tallies.size());
  bool beyond = false;
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    caps[i] = CapOf(gang, i);
    beyond |= caps[i] && tallies[i].live() > *caps[i];
  }
  if (!beyond && gang.surplus_caps.empty()) return;

  std::vector<std::vector<PodId>> pending(tallies.size());
  for (FamilyId id : gang.families) {
    const Family& family = tables_.families[id];
    if (!IsOf(tables_, family, gang)) continue;
    for (PodId member : family.members) {
      const PodFacts& facts = tables_.pods[member].facts;
      if (facts.state == state::PodState::kPending && !facts.terminating) {
        pending[family.join.pod_set].push_back(member);
      } else {
        Set(member, false);
      }
    }
  }
  const bool recounted = caps != gang.surplus_caps;  // the count stands in their hold
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    std::ranges::sort(pending[i], {},
                      [&](PodId id) -> std::string_view { return tables_.pods[id].name; });
    const std::int64_t room = caps[i] ? std::int64_t{*caps[i]} - tallies[i].bound : 0;
    for (std::size_t k = 0; k < pending[i].size(); ++k) {
      Set(pending[i][k], caps[i] && static_cast<std::int64_t>(k) >= room);
      if (recounted && tables_.pods[pending[i][k]].surplus) marks_.Mark(pending[i][k]);
    }
  }
  gang.surplus_caps = beyond ? std::move(caps) : decltype(caps)();
}

void Surplus::Set(PodId id, bool surplus) {
  if (tables_.pods[id].surplus == surplus) return;
  tables_.pods[id].surplus = surplus;
  marks_.Mark(id);
}

}  // namespace fairlead::intake
