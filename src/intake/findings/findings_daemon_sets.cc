#include <algorithm>

#include <fmt/format.h>

#include "intake/findings/findings_pass.h"

// What is wrong with the configuration's choice of namespaces whose DaemonSets are trusted: it
// gives a power away, so a slip in it should not go unseen.

namespace fairlead::intake {

void FindingsPass::TrustedNameSpaces() {
  const objects::SchedulerConfiguration& configuration = *tables_.configuration;
  const auto& selector = configuration.daemon_set_preemption.name_spaces;
  if (!selector || !configuration.daemon_set_preemption.enabled) return;
  const std::string& source = configuration.meta.source;
  if (selector->requirements.empty()) {
    Add("SchedulerConfiguration", source, "TrustsEveryNamespace",
        "daemonSetPreemption.namespaceSelector is empty: whoever may make a DaemonSet anywhere has "
        "nodes cleared for it, across all queues");
    return;
  }
  std::set<std::string, std::less<>> known;
  for (const auto& [name, labels] : tables_.name_space_labels) known.insert(name);
  if (known.empty()) return;
  tables_.families.ForEach(
      [&](FamilyId, const Family& family) { known.emplace(UnpackTraits(family.name).name_space); });
  const bool any = std::ranges::any_of(
      known, [&](const std::string& name) { return known_.daemon_sets.Trusts(name); });
  if (any) return;
  Add("SchedulerConfiguration", source, "NoNamespaces",
      fmt::format("daemonSetPreemption.namespaceSelector selects none of the {} namespaces: no "
                  "DaemonSet is trusted, those of kube-system neither",
                  known.size()));
}

}  // namespace fairlead::intake
