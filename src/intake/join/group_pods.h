#pragma once

#include "intake/tables/tables.h"

namespace fairlead::intake {

// Groups of pods, as their pods say them: what a PodGroup leaves to them (its queue, its priority),
// and all there is to know of a group without an object.

// Of several answers: the queue whose name is the first, the highest priority, the largest total;
// that totals differ is a fault. Cost: O(families of the gang).
PodsSay AskPods(const Tables& tables, const GangRow& gang);

// A group without an object, as its pods say it: one pod set of as many pods as they name, all of
// which it waits for. Null: none of those who name it is of such a group.
std::unique_ptr<GangFacts> FactsOfPods(const Tables& tables, const GangRow& gang,
                                       const PodsSay& say);

// By name, of those that make it a group without an object; null: none does. Cost: O(its pods).
const PodRow* FirstPodOf(const Tables& tables, const GangRow& gang);

}  // namespace fairlead::intake
