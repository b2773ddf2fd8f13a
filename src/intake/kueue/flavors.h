#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "intake/kueue/flavor_demand.h"
#include "intake/kueue/objects.h"

namespace fairlead::intake {

// Amounts of resources by name, and quotas. Amounts stay below what the engine takes for "no
// limit": what is more counts as that much.
using Sums = std::map<std::string, std::int64_t, std::less<>>;
inline constexpr std::int64_t kMostQuota = INT64_MAX / 8;

std::int64_t AmountIn(const Sums& sums, std::string_view resource);  // 0: it does not stand there
std::int64_t PlusQuota(std::int64_t a, std::int64_t b);              // at most kMostQuota

struct KueueQuota {
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrowing, lending;  // limits of these; absent: none
  std::string flavor;                              // empty: the sum of several
};
using KueueQuotas = std::map<std::string, KueueQuota, std::less<>>;  // by resource

// Which flavors of a group are used, and what that makes of quotas.
//
// One flavor: its quotas are those of the resources. Several flavors in a group: where the nodes of
// any two are told apart by a label, what a pod uses is counted twice, as the resource and as that
// of the flavor of its node:
//
//   x {cpu: spot 8, dear 4}    queue x: guaranteed = limit = cpu 12, cpu[spot] 8, cpu[dear] 4
//
// Such a flavor is counted so wherever it is named: then cohorts add up, borrow and lend by flavor,
// and the sum only says what all of them are. Of a group in which two flavors could share a node
// the first is used alone.
//
// Holds a reference to `objects`. Cost: O(groups × their flavors²) to make, once a model.
class Flavors {
 public:
  explicit Flavors(const KueueObjects& objects);

  // Those that are counted by flavor, by name.
  std::vector<CountedFlavor> Counted() const;

  // All of a group's flavors, or the first of them where some could share nodes.
  std::span<const objects::FlavorQuotas> UsedOf(const objects::ResourceGroup& group) const;
  KueueQuotas QuotasOf(const std::vector<objects::ResourceGroup>& groups) const;

  // What work in the queue demands of nodes by its flavors; null: nothing.
  std::shared_ptr<const FlavorDemands> DemandsOf(const objects::ClusterQueue& queue) const;

  // The Topologies of the flavors that it uses, each once, in their order.
  std::vector<std::string> TopologiesOf(const objects::ClusterQueue& queue) const;

  // Flavors that the queue names and that are not there. As in Kueue each of them counts, whether
  // it would be used or not.
  std::vector<std::string> MissingIn(const objects::ClusterQueue& queue) const;

 private:
  const objects::ResourceFlavor* Find(const std::string& name) const;
  bool AreApart(const objects::ResourceGroup& group) const;

  const KueueObjects& objects_;
  std::map<std::string, std::set<std::string>, std::less<>> counted_;  // flavor → resources
};

}  // namespace fairlead::intake
