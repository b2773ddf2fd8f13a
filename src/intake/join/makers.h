#pragma once

#include "intake/tables/marks.h"
#include "intake/tables/tables.h"

// Jobs that have their pods run by a job of another kind, which they make: a RayJob's pods are
// controlled by a RayCluster, and say nothing of the RayJob. Pods, the job that is made and the one
// that makes it come in any order, so the pods' family is listed with both: with the one made, as
// that is what they name and what says whose it is, and with the maker, whose workload they are.
//
//   pod ─ ownerReference ─► RayCluster tune-x7k2 ─ ownerReference ─► RayJob tune

namespace fairlead::intake {

// Whether jobs of that kind may be made by others.
bool MayBeMade(std::string_view job_kind);

// Lists the family, of these traits, with the workload that it is of, as far as the job it names is
// known by now.
// REQUIRES: `made` is valid.
void LinkToMaker(Tables& tables, Marks& marks, FamilyId id, const PodTraits& traits);

}  // namespace fairlead::intake
