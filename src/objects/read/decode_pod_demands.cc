// What pods want of what else is placed: pod affinity and anti-affinity, and spread, required and
// preferred.
//
// matchLabelKeys and mismatchLabelKeys stand for requirements on the carrier's own labels. The API
// server merges them into the selector when it takes a pod and leaves them in place; in a file they
// are unmerged. They are merged here, and what is there already is not added twice.

#include <algorithm>
#include <limits>
#include <string>

#include "objects/keys.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

// The pod's own values of these keys, as requirements; a key that it does not have says nothing.
void MergeKeys(FieldReader& fields, const Value& item, std::string_view field, Operator op,
               const Labels& labels, LabelSelector& selector) {
  const Value* keys = fields.List(&item, field);
  if (keys == nullptr) return;
  for (const Value* each : keys->items()) {
    Requirement requirement{.key = {}, .op = op, .values = {}};
    if (!fields.ReadString(*each, requirement.key)) continue;
    const std::string* value = FindLabel(labels, requirement.key);
    if (value == nullptr) continue;
    requirement.values = {*value};
    auto& all = selector.requirements;
    if (std::find(all.begin(), all.end(), requirement) == all.end()) {
      all.push_back(std::move(requirement));
    }
  }
}

void ReadTopologyKey(FieldReader& fields, const Value& item, std::string& key) {
  fields.String(&item, "topologyKey", key);
  if (key.empty() && fields.ok()) {
    fields.Missing(item, "topologyKey", "the key of a node label");
  }
}

void ReadPodTerm(FieldReader& fields, const Value& item, const Labels& labels, PodTerm& term) {
  ReadTopologyKey(fields, item, term.topology_key);
  const Value* selector = fields.Mapping(&item, "labelSelector");
  term.selects_nothing = selector == nullptr;
  if (selector != nullptr) {
    ReadLabelSelector(fields, *selector, term.selector);
    MergeKeys(fields, item, "matchLabelKeys", Operator::kIn, labels, term.selector);
    MergeKeys(fields, item, "mismatchLabelKeys", Operator::kNotIn, labels, term.selector);
  }
  if (const Value* names = fields.List(&item, "namespaces")) {
    for (const Value* each : names->items()) {
      fields.ReadString(*each, term.name_spaces.emplace_back());
    }
  }
  const Value* of_name_spaces = fields.Mapping(&item, "namespaceSelector");
  if (of_name_spaces == nullptr) return;
  ReadLabelSelector(fields, *of_name_spaces, term.name_space_selector.emplace());
}

void ReadTermsOf(FieldReader& fields, const Value& spec, std::string_view name,
                 const Labels& labels, std::vector<PodTerm>& out) {
  const Value* of_pods = fields.Mapping(fields.Mapping(&spec, "affinity"), name);
  const Value* terms = fields.List(of_pods, kRequiredTerms);
  if (terms == nullptr) return;
  for (const Value* item : terms->items()) {
    if (fields.IsMapping(*item)) ReadPodTerm(fields, *item, labels, out.emplace_back());
  }
}

std::vector<Preferences::OfPods> PreferredOf(FieldReader& fields, const Value& spec,
                                             std::string_view name, const Labels& labels) {
  std::vector<Preferences::OfPods> preferred;
  const Value* of_pods = fields.Mapping(fields.Mapping(&spec, "affinity"), name);
  const Value* terms = fields.List(of_pods, kPreferredTerms);
  if (terms == nullptr) return preferred;
  for (const Value* item : terms->items()) {
    if (!fields.IsMapping(*item)) continue;
    Preferences::OfPods& each = preferred.emplace_back();
    ReadWeight(fields, *item, each.weight);
    const Value* term = fields.Mapping(item, "podAffinityTerm");
    if (term != nullptr) {
      ReadPodTerm(fields, *term, labels, each.term);
    } else if (fields.ok()) {
      fields.Missing(*item, "podAffinityTerm", "a term");
    }
  }
  return preferred;
}

void ReadConstraint(FieldReader& fields, const Value& item, const Labels& labels,
                    SpreadConstraint& constraint) {
  constexpr std::pair<std::string_view, bool> kPolicies[] = {{"Honor", true}, {"Ignore", false}};
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  ReadTopologyKey(fields, item, constraint.topology_key);
  fields.Integer(&item, "maxSkew", constraint.max_skew, 1, kMost);
  fields.Integer(&item, "minDomains", constraint.min_domains, 1, kMost);
  fields.Enum(&item, "nodeAffinityPolicy", kPolicies, constraint.honors_affinity);
  fields.Enum(&item, "nodeTaintsPolicy", kPolicies, constraint.honors_taints);
  const Value* selector = fields.Mapping(&item, "labelSelector");
  if (selector != nullptr) {
    ReadLabelSelector(fields, *selector, constraint.selector);
    MergeKeys(fields, item, "matchLabelKeys", Operator::kIn, labels, constraint.selector);
  }
  constraint.selects_nothing = constraint.selector.requirements.empty();
}

}  // namespace

void ReadPodTerms(FieldReader& fields, const Value& spec, const Labels& labels, PodNeeds& needs,
                  bool& room_known) {
  std::vector<PodTerm> terms;
  ReadTermsOf(fields, spec, "podAffinity", labels, terms);
  if (!terms.empty()) needs.rare.Edit().affinity = std::move(terms);
  terms.clear();
  const int faults = fields.faults();
  ReadTermsOf(fields, spec, "podAntiAffinity", labels, terms);
  if (!terms.empty()) needs.rare.Edit().anti_affinity = std::move(terms);
  room_known &= fields.faults() == faults;
  auto preferred = PreferredOf(fields, spec, "podAffinity", labels);
  if (!preferred.empty()) needs.rare.Edit().preferences.affinity = std::move(preferred);
  preferred = PreferredOf(fields, spec, "podAntiAffinity", labels);
  if (!preferred.empty()) needs.rare.Edit().preferences.anti_affinity = std::move(preferred);
}

void ReadSpread(FieldReader& fields, const Value& spec, const Labels& labels, PodNeeds& needs) {
  constexpr std::pair<std::string_view, bool> kWhenUnsatisfiable[] = {{"DoNotSchedule", true},
                                                                      {"ScheduleAnyway", false}};
  const Value* constraints = fields.List(&spec, "topologySpreadConstraints");
  if (constraints == nullptr) return;
  for (const Value* item : constraints->items()) {
    if (!fields.IsMapping(*item)) continue;
    bool kept = true;
    fields.Enum(item, "whenUnsatisfiable", kWhenUnsatisfiable, kept);
    RareNeeds& rare = needs.rare.Edit();
    SpreadConstraint& constraint =
        kept ? rare.spread.emplace_back() : rare.preferences.spread.emplace_back();
    ReadConstraint(fields, *item, labels, constraint);
  }
}

}  // namespace fairlead::objects
