#include "state/shapes.h"

#include <algorithm>
#include <functional>

#include "base/sorted_set.h"
#include "objects/shape_key.h"

namespace fairlead::state {
namespace {

using Terms = std::vector<objects::NodeSelectorTerm>;

// The node names that field requirements leave, where they are an `In` list that every alternative
// has; false when they cannot be listed.
bool ListNodes(const Terms& terms, std::vector<std::string>& names) {
  if (terms.empty()) return false;
  for (const objects::NodeSelectorTerm& term : terms) {
    auto listed = std::find_if(term.fields.begin(), term.fields.end(),
                               [](const auto& r) { return r.op == objects::Operator::kIn; });
    if (listed == term.fields.end()) {
      names.clear();
      return false;
    }
    names.insert(names.end(), listed->values.begin(), listed->values.end());
  }
  MakeSet(names);
  return true;
}

// The nodes that the needs name; empty: they cannot be listed.
std::vector<std::string> NodesNamedBy(const objects::PodNeeds& needs) {
  if (!needs.node_name.empty()) return {needs.node_name};
  std::vector<std::string> names;
  if (needs.has_required_terms && ListNodes(needs.required_terms, names)) return names;
  for (const Terms& terms : needs.rare->volumes_reach) {
    if (ListNodes(terms, names)) return names;
  }
  return {};
}

template <typename Visit>
void ForEachTerm(const Shape& shape, Visit visit) {
  for (const auto* terms :
       {&shape.dynamic->holds, &shape.dynamic->refused_by, &shape.dynamic->attracted_by}) {
    for (const TermId term : *terms) visit(term);
  }
  for (const DynamicDemands::Spread& each : shape.dynamic->spread) visit(each.term);
  if (!shape.preferred) return;
  for (const Preferred::Pods& each : shape.preferred->pods) visit(each.term);
  for (const TermId term : shape.preferred->spread) visit(term);
}

}  // namespace

ShapeId ShapeTable::Intern(const NeedsPtr& needs) {
  if (auto it = by_pointer_.find(needs.get()); it != by_pointer_.end()) return it->second;
  const std::string key = objects::CanonicalKey(*needs);
  const std::size_t hash = std::hash<std::string>()(key);
  ShapeId id = FindByKey(key, hash);
  if (!id.valid()) {
    if (unused_.empty()) {
      unused_.emplace_back(size());
      shapes_.emplace_back();
    }
    id = unused_.back();
    unused_.pop_back();
    shapes_[id.value()] = Make(needs);
    shapes_[id.value()].id = id;
    made_.push_back(id);
    by_key_.emplace(hash, id);
  }
  by_pointer_.emplace(needs.get(), id);
  kept_alive_.push_back(needs);
  return id;
}

void ShapeTable::KeepOnly(const std::vector<bool>& used) {
  ++sweeps_;
  std::erase_if(by_key_, [&](const auto& each) { return !used[each.second.value()]; });
  std::vector<bool> terms(terms_.size(), false);
  selected_keys_.clear();
  is_selected_.clear();
  made_.clear();
  unused_.clear();
  for (std::uint32_t i = size(); i-- > 0;) {
    Shape& shape = shapes_[i];
    if (!used[i]) {
      shape = Shape();
      unused_.emplace_back(i);
      continue;
    }
    ForEachTerm(shape, [&](TermId term) { terms[term.value()] = true; });
    NoteKeys(*shape.needs, shape);
  }
  terms_.KeepOnly(terms);
  // What others still have may be told again.
  std::erase_if(kept_alive_, [&](const NeedsPtr& needs) {
    const auto at = by_pointer_.find(needs.get());
    const ShapeId id = at->second;
    const bool of_shape = used[id.value()] && shapes_[id.value()].needs == needs;
    if (of_shape || (used[id.value()] && needs.use_count() > 1)) return false;
    by_pointer_.erase(at);
    return true;
  });
  kept_alive_.shrink_to_fit();
  kept_fresh_ = kept_alive_.size();
}

ShapeId ShapeTable::FindByKey(std::string_view key, std::size_t hash) const {
  const auto [begin, end] = by_key_.equal_range(hash);
  const auto at = std::find_if(begin, end, [&](const auto& each) {
    return objects::CanonicalKey(*shapes_[each.second.value()].needs) == key;
  });
  return at == end ? ShapeId() : at->second;
}

Shape ShapeTable::Make(const NeedsPtr& needs) {
  Shape shape;
  shape.needs = needs;
  shape.request = ToAmounts(needs->request, resources_);
  for (Amount& a : shape.request) a.amount = std::min(a.amount, MostOfAPod(a.resource));
  shape.gpu_milli = needs->gpu_milli;
  const std::int64_t whole_milli = AmountOf(shape.request, kGpu);
  shape.whole_gpus = static_cast<std::int32_t>(whole_milli / 1000);
  for (const Amount& a : shape.request) {
    if (a.resource != kGpu) shape.fit.push_back(a);
    if (resources_.IsGpu(a.resource)) shape.asks_gpu = true;
  }
  AddTo(shape.request, Amounts{{kPods, 1}}, 1);
  AddTo(shape.fit, Amounts{{kPods, 1}}, 1);
  if (shape.whole_gpus > 0) AddTo(shape.fit, Amounts{{kGpuWhole, shape.whole_gpus}}, 1);
  if (shape.gpu_milli > 0) {
    shape.asks_gpu = true;
    AddTo(shape.request, Amounts{{kGpu, shape.gpu_milli}}, 1);
    // Their sum too: where others' pods use more than there is, no device is to be trusted.
    AddTo(shape.fit, Amounts{{kGpu, shape.gpu_milli}, {kGpuShare, shape.gpu_milli}}, 1);
  }
  for (const objects::SharedVolume& each : needs->rare->shared_volumes) {
    resources_.Intern(each.slots);
  }
  shape.dynamic = DemandsOf(*needs, terms_, columns_);
  shape.preferred = PreferredOf(*needs, terms_, columns_);
  NoteKeys(*needs, shape);
  return shape;
}

void ShapeTable::NoteKeys(const objects::PodNeeds& needs, Shape& shape) {
  auto note = [&](const std::string& key) {
    if (key == kHostnameLabel) {
      shape.by_node = true;
      return;
    }
    if (is_selected_.insert(key).second) selected_keys_.push_back(key);
  };
  for (const auto& [key, value] : needs.node_selector) note(key);
  auto note_terms = [&](const std::vector<objects::NodeSelectorTerm>& terms) {
    for (const objects::NodeSelectorTerm& term : terms) {
      for (const objects::Requirement& r : term.labels) note(r.key);
      if (!term.fields.empty()) shape.by_node = true;
    }
  };
  note_terms(needs.required_terms);
  for (const auto& terms : needs.rare->volumes_reach) note_terms(terms);
  if (!needs.node_name.empty()) shape.by_node = true;
  if (shape.by_node) shape.only_nodes = NodesNamedBy(needs);
}

}  // namespace fairlead::state
