#include "intake/facts/needs_pool.h"

#include <memory>

#include <boost/container_hash/hash.hpp>

namespace fairlead::intake {

namespace {

void HashRequirements(const std::vector<objects::Requirement>& requirements, std::size_t& hash) {
  for (const objects::Requirement& requirement : requirements) {
    boost::hash_combine(hash, requirement.key);
    for (const std::string& value : requirement.values) boost::hash_combine(hash, value);
  }
}

void HashDemands(const objects::RareNeeds& rare, std::size_t& hash) {
  const auto add = [&](const objects::LabelSelector& selector) {
    HashRequirements(selector.requirements, hash);
  };
  for (const objects::PodTerm& term : rare.affinity) add(term.selector);
  for (const objects::PodTerm& term : rare.anti_affinity) add(term.selector);
  for (const objects::SpreadConstraint& each : rare.spread) add(each.selector);
  const objects::Preferences& preferences = rare.preferences;
  for (const auto& each : preferences.affinity) add(each.term.selector);
  for (const auto& each : preferences.anti_affinity) add(each.term.selector);
  for (const objects::SpreadConstraint& each : preferences.spread) add(each.selector);
  if (rare.joined.counted_by != nullptr) boost::hash_combine(hash, rare.joined.counted_by.get());
  for (const auto& row : rare.joined.repelled_by) boost::hash_combine(hash, row->number);
  for (const auto& row : rare.joined.attracted_by) boost::hash_combine(hash, row->number);
}

}  // namespace

// What usually tells shapes apart; the rest is left to the comparison.
std::size_t NeedsPool::Hash::operator()(const objects::PodNeeds& needs) const {
  std::size_t hash = 0;
  for (const auto& [resource, amount] : needs.request) {
    boost::hash_combine(hash, resource);
    boost::hash_combine(hash, amount);
  }
  boost::hash_combine(hash, needs.gpu_milli);
  boost::hash_combine(hash, needs.node_name);
  for (const auto& [key, value] : needs.node_selector) {
    boost::hash_combine(hash, key);
    boost::hash_combine(hash, value);
  }
  for (const objects::NodeSelectorTerm& term : needs.required_terms) {
    HashRequirements(term.labels, hash);
    HashRequirements(term.fields, hash);  // a DaemonSet's pods: one node each
  }
  boost::hash_combine(hash, needs.required_terms.size());
  for (const objects::Toleration& toleration : needs.tolerations) {
    boost::hash_combine(hash, toleration.key);
    boost::hash_combine(hash, toleration.value);
  }
  boost::hash_combine(hash, needs.tolerations.size());
  for (const objects::HostPort& port : needs.host_ports) boost::hash_combine(hash, port.port);
  HashDemands(*needs.rare, hash);
  return hash;
}

state::NeedsPtr NeedsPool::Intern(const objects::PodNeeds& needs) {
  if (last_ != nullptr && *last_ == needs) return last_;
  auto found = pool_.find(needs);
  if (found == pool_.end()) {
    if (pool_.size() >= sweep_at_) Sweep();
    found = pool_.insert(std::make_shared<const objects::PodNeeds>(needs)).first;
  }
  last_ = *found;
  return last_;
}

void NeedsPool::Sweep() {
  last_ = nullptr;
  boost::unordered::erase_if(pool_,
                             [](const state::NeedsPtr& needs) { return needs.use_count() == 1; });
  // At least doubling between sweeps keeps their cost a constant per new shape.
  sweep_at_ = std::max<std::size_t>(1024, 2 * pool_.size());
}

}  // namespace fairlead::intake
