#include "intake/join/surplus.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/integer.h"
#include "intake/join/gang_join.h"

namespace fairlead::intake {

std::optional<std::int32_t> CapOf(const GangRow& gang, std::size_t pod_set) {
  const PodSetFacts& set = gang.pod_sets()[pod_set];
  if (set.max) return set.max;
  if (gang.source == GangSource::kJob) {
    if (!gang.job->kind->is_let_go_by_pods()) return std::nullopt;
    return set.count;
  }
  const GangFacts& facts = *gang.facts();
  if (facts.resize == objects::Resize::kAnytime || facts.admission.empty()) return set.count;
  return jobs::CountOf(facts.admission, set.name).value_or(0);
}

namespace {

bool GoesByUnits(const PodSetFacts& set) { return !set.unit_label.empty() && set.step > 1; }

// Which of a pod set's units a pod is in: by number, where it is one. Empty: it does not say.
using UnitIndex = std::pair<std::int64_t, std::string_view>;

std::string_view UnitOf(const Tables& tables, PodId id, std::string_view label) {
  const std::string* value =
      objects::FindLabel(tables.labels[tables.pods[id].labels].labels, label);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

UnitIndex IndexOf(std::string_view unit) {
  const std::optional<std::int64_t> number = ParseInteger<std::int64_t>(unit);
  return {number.value_or(std::numeric_limits<std::int64_t>::max()), unit};
}

// The units of which pods may run: `most` of them, first those that have begun, then by index.
// With pods beyond them there would be units that cannot do their work.
std::set<UnitIndex> UnitsLetIn(std::set<UnitIndex> begun, const std::set<UnitIndex>& waiting,
                               std::size_t most) {
  for (const UnitIndex& unit : waiting) {
    if (begun.size() >= most) break;
    begun.insert(unit);
  }
  return begun;
}

}  // namespace

void Surplus::Find(GangRow& gang) {
  const std::vector<Tally> tallies = CountPods(tables_, gang);
  std::vector<std::optional<std::int32_t>> caps(tallies.size());
  bool beyond = false;
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    caps[i] = CapOf(gang, i);
    // Which units run is decided as their pods come: those that come first may be of more units.
    const PodSetFacts& set = gang.pod_sets()[i];
    const std::int32_t most = GoesByUnits(set) ? set.count.value_or(0) : tallies[i].live();
    beyond |= caps[i] && most > *caps[i];
  }
  if (!beyond && gang.surplus_caps.empty()) return;

  std::vector<Members> members(tallies.size());
  for (FamilyId id : gang.families) {
    const Family& family = tables_.families[id];
    if (!IsOf(tables_, family, gang)) continue;
    for (PodId member : family.members) {
      const PodFacts& facts = tables_.pods[member].facts;
      if (facts.state == state::PodState::kPending && !facts.terminating) {
        members[family.join.pod_set].pending.push_back(member);
        continue;
      }
      if (facts.state == state::PodState::kFinished) {
        if (facts.succeeded) members[family.join.pod_set].succeeded.push_back(member);
      } else if (!facts.terminating) {
        members[family.join.pod_set].bound.push_back(member);
      }
      Set(member, false);
    }
  }
  const bool recounted = caps != gang.surplus_caps;  // the count stands in their hold
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    std::vector<PodId>& pending = members[i].pending;
    std::ranges::sort(pending, {},
                      [&](PodId id) -> std::string_view { return tables_.pods[id].name; });
    const std::vector<bool> surplus = Beyond(gang.pod_sets()[i], caps[i], members[i]);
    for (std::size_t k = 0; k < pending.size(); ++k) {
      Set(pending[k], surplus[k]);
      if (recounted && surplus[k]) marks_.Mark(pending[k]);
    }
  }
  gang.surplus_caps = beyond ? std::move(caps) : decltype(caps)();
}

// Which of the pending, by name, are beyond the cap: whole units where the set goes by units and
// its pods say of which they are, else the last.
std::vector<bool> Surplus::Beyond(const PodSetFacts& set, std::optional<std::int32_t> cap,
                                  const Members& members) const {
  const std::vector<PodId>& pending = members.pending;
  std::vector<bool> beyond(pending.size());
  if (!cap) return beyond;
  const auto unit_of = [&](PodId id) { return UnitOf(tables_, id, set.unit_label); };
  const bool by_unit =
      GoesByUnits(set) && std::ranges::none_of(pending, &std::string_view::empty, unit_of);
  if (!by_unit) {
    const auto room = std::max<std::int64_t>(0, std::int64_t{*cap} - std::ssize(members.bound));
    for (std::size_t k = 0; k < pending.size(); ++k) {
      beyond[k] = static_cast<std::int64_t>(k) >= room;
    }
    return beyond;
  }
  std::set<UnitIndex> begun, waiting;
  for (const PodId id : members.bound) begun.insert(IndexOf(unit_of(id)));
  for (const PodId id : pending) waiting.insert(IndexOf(unit_of(id)));
  // With none left to run it is over.
  for (const PodId id : members.succeeded) {
    const UnitIndex unit = IndexOf(unit_of(id));
    if (waiting.contains(unit)) begun.insert(unit);
  }
  const auto most = static_cast<std::size_t>(*cap / set.step);
  const std::set<UnitIndex> let_in = UnitsLetIn(std::move(begun), waiting, most);
  for (std::size_t k = 0; k < pending.size(); ++k) {
    beyond[k] = !let_in.contains(IndexOf(unit_of(pending[k])));
  }
  return beyond;
}

void Surplus::Set(PodId id, bool surplus) {
  if (tables_.pods[id].surplus == surplus) return;
  tables_.pods[id].surplus = surplus;
  marks_.Mark(id);
}

}  // namespace fairlead::intake
