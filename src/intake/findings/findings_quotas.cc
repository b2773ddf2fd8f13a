#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/amount_text.h"
#include "base/wide_int.h"
#include "intake/findings/findings_pass.h"

// What is wrong with ElasticQuotas: each with itself, its namespace's labels and ResourceQuotas,
// the other quotas of its namespace, and all together with the cluster.

namespace fairlead::intake {

void FindingsPass::Quotas() {
  for (const auto& [name_space, space] : known_.quotas.spaces()) {
    for (const QuotaRow& quota : space.quotas) {
      const std::string object = fmt::format("ElasticQuota {}/{}", name_space, quota.name);
      for (state::ObjectProblem& problem : known_.quotas.ProblemsOf(name_space, space, quota)) {
        Add(object, quota.source, problem.code, std::move(problem.message));
      }
    }
  }
  for (const std::string& resource : known_.quotas.MinAboveCluster()) {
    std::vector<std::string> parts;
    for (const auto& [name_space, space] : known_.quotas.spaces()) {
      const std::int64_t min = objects::AmountOf(space.quotas.front().min, resource);
      if (min > 0) parts.push_back(name_space + " " + HumanAmount(resource, min));
    }
    const WideInt sum = known_.quotas.SumOfMin(resource);
    const std::int64_t shown =
        static_cast<std::int64_t>(std::min<WideInt>(sum, std::numeric_limits<std::int64_t>::max()));
    Add("Cluster", "", "MinAboveCluster",
        fmt::format("the ElasticQuotas' min of {} are {} together ({}); the {} nodes have {}",
                    resource, HumanAmount(resource, shown), SomeOf(parts), pool_nodes_,
                    HumanAmount(resource, objects::AmountOf(cluster_, resource))));
  }
}

}  // namespace fairlead::intake
