#include "intake/join/refusals.h"

#include <algorithm>
#include <utility>

#include "base/digest.h"
#include "objects/key.h"

namespace fairlead::intake {
namespace {

// Lengths stand before texts, so that no character is special.
class Packer {
 public:
  void Add(std::string_view text) {
    key_.append(std::to_string(text.size())).append(1, ':').append(text);
  }
  void Add(const objects::LabelSelector& selector) {
    Add(std::to_string(selector.requirements.size()));
    for (const objects::Requirement& requirement : selector.requirements) {
      Add(requirement.key);
      Add(std::to_string(static_cast<int>(requirement.op)));
      Add(std::to_string(requirement.values.size()));
      for (const std::string& value : requirement.values) Add(value);
    }
  }
  std::string Take() { return std::move(key_); }

 private:
  std::string key_;
};

std::string Pack(std::string_view name_space, const objects::PodTerm& term) {
  Packer packer;
  packer.Add(name_space);
  packer.Add(term.topology_key);
  packer.Add(term.selector);
  for (const std::string& name : term.name_spaces) packer.Add(name);
  if (term.name_space_selector) packer.Add(*term.name_space_selector);
  return packer.Take();
}

// The same in every process, so that nothing depends on the order in which terms came. Two that had
// one number would refuse each other's pods too.
std::uint64_t NumberOf(std::string_view key) {
  Digest digest;
  digest.Add(key);
  return digest.value();
}

bool Waits(const PodFacts& facts) { return facts.state == state::PodState::kPending; }

}  // namespace

// Terms by the namespaces of which they select pods.
class Refusals::Index {
 public:
  explicit Index(const Refusals& refusals) : tables_(refusals.tables_) {
    for (const auto& [key, row] : refusals.refusals_) {
      if (row.term.name_space_selector) {
        wide_.push_back(&row);
        continue;
      }
      if (row.term.name_spaces.empty()) by_name_space_[row.name_space].push_back(&row);
      for (const std::string& name : row.term.name_spaces) by_name_space_[name].push_back(&row);
    }
  }

  // The terms that select pods of these labels, sorted.
  std::vector<std::uint64_t> TermsFor(std::string_view name_space,
                                      const objects::Labels& labels) const {
    std::vector<std::uint64_t> terms;
    const auto look = [&](const Row& row) {
      if (Matches(row.term.selector, labels)) terms.push_back(row.number);
    };
    if (const auto own = by_name_space_.find(name_space); own != by_name_space_.end()) {
      for (const Row* row : own->second) look(*row);
    }
    for (const Row* row : wide_) {
      if (SelectsNameSpace(*row, name_space)) look(*row);
    }
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
    return terms;
  }

 private:
  bool SelectsNameSpace(const Row& row, std::string_view name_space) const {
    const auto& names = row.term.name_spaces;
    if (std::find(names.begin(), names.end(), name_space) != names.end()) return true;
    return Matches(*row.term.name_space_selector, LabelsOfNameSpace(tables_, name_space));
  }

  const Tables& tables_;
  std::map<std::string, std::vector<const Row*>, std::less<>> by_name_space_;
  std::vector<const Row*> wide_;  // with a namespaceSelector
};

void Refusals::CountWaiting(const PodRow& row, const PodFacts& facts, int by) {
  if (Waits(facts)) tables_.labels[row.labels].waiting += static_cast<std::uint32_t>(by);
}

void Refusals::Count(PodId id, const objects::Pod& pod, const PodFacts& facts) {
  const std::vector<objects::PodTerm>& carried = pod.spec.rare->anti_affinity;
  const bool refuses = facts.state == state::PodState::kBound && !carried.empty();
  if (!refuses && refusing_.empty()) return;
  Drop(id);
  if (!refuses) return;
  std::vector<std::string>& keys = refusing_[id.value()];
  for (const objects::PodTerm& term : carried) {
    if (term.selects_nothing) continue;
    std::string key = Pack(pod.meta.name_space, term);
    const auto [at, added] = refusals_.try_emplace(key);
    if (added) {
      at->second = {.number = NumberOf(key), .name_space = pod.meta.name_space, .term = term};
    }
    at->second.pods[tables_.pods[id].name] = facts.node;
    keys.push_back(std::move(key));
  }
}

void Refusals::Drop(PodId id) {
  const auto found = refusing_.find(id.value());
  if (found == refusing_.end()) return;
  for (const std::string& key : found->second) {
    const auto row = refusals_.find(key);
    if (row == refusals_.end()) continue;  // it has two terms that say the same
    row->second.pods.erase(tables_.pods[id].name);
    if (row->second.pods.empty()) refusals_.erase(row);
  }
  refusing_.erase(found);
}

void Refusals::Join() {
  if (refusals_.empty() && !joined_) return;
  const Index index(*this);
  std::set<std::uint64_t> in_use;
  RefusePods(index, in_use);
  RefuseGangs(index, in_use);
  RefuseOnNodes(in_use);
  joined_ = !in_use.empty();
}

void Refusals::RefusePods(const Index& index, std::set<std::uint64_t>& in_use) {
  bool any = false;
  tables_.labels.ForEach([&](LabelsId, LabelsRow& row) {
    std::vector<std::uint64_t> fresh;
    if (row.waiting > 0) fresh = index.TermsFor(row.name_space, row.labels);
    in_use.insert(fresh.begin(), fresh.end());
    if (fresh == row.refused_by) return;
    row.refused_by = std::move(fresh);
    row.reselected = any = true;
  });
  if (!any) return;
  tables_.pods.ForEach([&](PodId id, const PodRow& row) {
    if (tables_.labels[row.labels].reselected && Waits(row.facts)) marks_.Mark(id);
  });
  tables_.labels.ForEach([](LabelsId, LabelsRow& row) { row.reselected = false; });
}

// Pods that are yet to be made count as their template says.
void Refusals::RefuseGangs(const Index& index, std::set<std::uint64_t>& in_use) {
  tables_.gangs.ForEach([&](GangId id, GangRow& gang) {
    std::vector<std::vector<std::uint64_t>> fresh;
    if (gang.source != GangSource::kNone) {
      const std::string_view name_space = objects::SplitKey(gang.name).name_space;
      const std::vector<PodSetFacts>& sets = gang.pod_sets();
      for (std::size_t i = 0; i < sets.size(); ++i) {
        if (sets[i].expected == nullptr) continue;
        std::vector<std::uint64_t> terms = index.TermsFor(name_space, sets[i].labels);
        if (terms.empty()) continue;
        in_use.insert(terms.begin(), terms.end());
        fresh.resize(sets.size());
        fresh[i] = std::move(terms);
      }
    }
    if (fresh == gang.refused_by) return;
    gang.refused_by = std::move(fresh);
    marks_.Mark(id);
  });
}

void Refusals::RefuseOnNodes(const std::set<std::uint64_t>& in_use) {
  struct Term {
    std::uint64_t number;
    std::string_view key;
    std::map<std::string_view, std::string_view> domains;  // to the first pod there
  };
  std::vector<Term> terms;
  for (const auto& [key, row] : refusals_) {
    if (!in_use.contains(row.number)) continue;
    Term& term = terms.emplace_back(Term{row.number, row.term.topology_key, {}});
    for (const auto& [pod, node] : row.pods) {
      const NodeId n = tables_.nodes.Find(tables_.names[node]);
      if (!n.valid()) continue;
      const std::string* value = objects::FindLabel(tables_.nodes[n].change.labels, term.key);
      if (value != nullptr) term.domains.try_emplace(*value, pod);
    }
  }
  std::ranges::sort(terms, {}, &Term::number);
  tables_.nodes.ForEach([&](NodeId id, NodeRow& row) {
    std::vector<state::Refusal> fresh;
    for (const Term& term : terms) {
      const std::string* value = objects::FindLabel(row.change.labels, term.key);
      if (value == nullptr) continue;
      const auto domain = term.domains.find(*value);
      if (domain == term.domains.end()) continue;
      fresh.push_back({.term = term.number, .pod = std::string(domain->second)});
    }
    if (fresh == row.refusals) return;
    row.refusals = std::move(fresh);
    marks_.Mark(id);
  });
}

state::NeedsPtr WithRefusals(const Tables& tables, const state::NeedsPtr& needs,
                             const std::vector<std::uint64_t>& terms) {
  if (terms.empty() || needs == nullptr) return needs;
  objects::PodNeeds refused = *needs;
  refused.rare.Edit().refused_by = terms;
  return tables.needs.Intern(refused);
}

}  // namespace fairlead::intake
