#include "intake/findings/findings_pass.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "objects/keys.h"

namespace fairlead::intake {

FindingsPass::FindingsPass(const Known& known) : known_(known), tables_(known.tables) {
  for (const auto& [name, row] : tables_.queues) children_[row.queue.parent].push_back(name);
  const std::string quotas(kElasticQuotas);
  for (const auto& [name, owner] : known_.quotas.owners()) children_[quotas].push_back(name);
  if (known_.quotas.any() && !tables_.queues.contains(quotas)) children_[""].push_back(quotas);
  for (auto& [parent, names] : children_) std::ranges::sort(names);
  std::map<std::string, std::int64_t> sum;
  tables_.nodes.ForEach([&](NodeId, const NodeRow& row) {
    if (!row.in_pool) return;
    ++pool_nodes_;
    node_sizes_.insert(*row.change.allocatable);
    for (const auto& [resource, amount] : *row.change.allocatable) sum[resource] += amount;
  });
  cluster_.assign(sum.begin(), sum.end());
}

std::vector<Finding> FindingsPass::Run() {
  Queues();
  Quotas();
  OfTopologies();
  OfWindows();
  OfMoves();
  for (const KueueProblem& problem : known_.kueue.model().problems) {
    if (problem.on_purpose) continue;
    Add(fmt::format("{} {}", problem.kind, problem.key), problem.source, problem.code,
        problem.message);
  }
  TrustedNameSpaces();
  NameSpacesAndClasses();
  Gangs();
  Pods();
  std::ranges::sort(out_, {}, [](const Finding& finding) {
    return std::tie(finding.object, finding.code, finding.message);
  });
  return std::move(out_);
}

std::string FindingsPass::SomeOf(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == kShown) return fmt::format("{} and {} more", text, names.size() - kShown);
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text;
}

void FindingsPass::Add(std::string object, std::string source, std::string_view code,
                       std::string message) {
  out_.push_back({.object = std::move(object),
                  .source = std::move(source),
                  .code = std::string(code),
                  .message = std::move(message)});
}

}  // namespace fairlead::intake
