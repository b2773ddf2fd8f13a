#pragma once

#include <map>
#include <string>
#include <string_view>

#include "intake/facts/pod_traits.h"
#include "intake/tables/marks.h"
#include "intake/tables/tables.h"
#include "state/change.h"

namespace fairlead::intake {

// Whose pods have the powers of a DaemonSet's (semantics.md §7): they clear a node across all
// queues, and nobody moves them. A pod says by its ownerReference that a DaemonSet controls it
// (pod_traits.h), and whoever makes pods may write that. It is believed where
//   1. the DaemonSet is there: of that name, in its namespace, and of that uid where both have one.
//      Where not all are told (Tables), those of a namespace are known from its first one on;
//   2. its namespace is trusted. Who may label namespaces decides that, not who makes pods.
// Both are facts between objects: a DaemonSet that comes or goes has the pods of its namespace
// joined anew; so has whoever changes a namespace's labels where Trusts then says another.
class DaemonSets {
 public:
  DaemonSets(const Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  void Upsert(const objects::DaemonSet& daemon_set);
  bool Remove(std::string_view key);  // "namespace/name"
  state::OfDaemonSet Judge(const PodTraits& traits) const;
  bool Trusts(std::string_view name_space) const;

 private:
  bool IsThere(const PodTraits& traits) const;

  const Tables& tables_;
  Marks& marks_;
  Tables::ByName<std::string> daemon_sets_;  // "namespace/name" → uid
};

}  // namespace fairlead::intake
