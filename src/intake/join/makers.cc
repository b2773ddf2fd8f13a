#include "intake/join/makers.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

namespace fairlead::intake {

bool MayBeMade(std::string_view job_kind) {
  static const auto kMade = [] {
    std::set<std::string, std::less<>> made;
    for (const jobs::JobKind* kind : jobs::AllKinds()) {
      for (const objects::JobRow::Made& each : kind->makes()) made.emplace(each.kind);
    }
    return made;
  }();
  return kMade.contains(job_kind);
}

void LinkToMaker(Tables& tables, Marks& marks, FamilyId id, const PodTraits& traits) {
  Family& family = tables.families[id];
  const NamedJob outermost = OutermostJob(tables, family, traits);
  const GangId before = family.gang;
  family.gang = family.made;
  if (outermost.kind != traits.job_kind) {
    family.gang =
        tables.gangs.Add(std::string(traits.name_space).append(1, '/').append(outermost.name));
  }
  if (family.gang == before) return;
  if (before != family.made) {
    std::erase(tables.gangs[before].families, id);
    marks.Mark(before);
  }
  if (family.gang != family.made) tables.gangs[family.gang].families.push_back(id);
  marks.Mark(family.gang);
  marks.Mark(id);
}

}  // namespace fairlead::intake
