#include "intake/tables/priority_classes.h"

#include <tuple>
#include <utility>

#include "intake/facts/allow_preemption.h"
#include "intake/tables/marks.h"
#include "objects/keys.h"

namespace fairlead::intake {
namespace {

// Kubernetes makes these two itself; a manifest seldom has them.
std::optional<std::int32_t> BuiltIn(std::string_view name) {
  if (name == "system-cluster-critical") return 2'000'000'000;
  if (name == "system-node-critical") return 2'000'001'000;
  return std::nullopt;
}

bool Same(const PriorityClasses::Entry& a, const PriorityClasses::Entry& b) {
  return std::tie(a.value, a.global_default, a.never_preempts, a.opted_out) ==
         std::tie(b.value, b.global_default, b.never_preempts, b.opted_out);
}

// Who names one of Kueue's means one of Kubernetes' where that is not there.
void Note(std::string_view name, Scope& scope) {
  scope.classes.emplace(name);
  scope.classes.insert(std::string(objects::kKueueClassPrefix).append(name));
}

}  // namespace

void PriorityClasses::Upsert(const objects::PriorityClass& priority_class, Scope& scope) {
  const AllowPreemption allow_preemption = AllowPreemptionOf(priority_class.meta);
  Entry fresh{.value = priority_class.value,
              .global_default = priority_class.global_default,
              .never_preempts = priority_class.never_preempts,
              .opted_out = IsOptedOut(allow_preemption.word, false),
              .allow_preemption_invalid = std::string(allow_preemption.invalid),
              .source = priority_class.meta.source};
  auto [at, added] = entries_.try_emplace(priority_class.meta.name);
  if (added || !Same(at->second, fresh)) {
    Note(at->first, scope);
    scope.default_class |= at->second.global_default || fresh.global_default;
  }
  at->second = std::move(fresh);
  FindDefault();
}

bool PriorityClasses::Remove(std::string_view name, Scope& scope) {
  auto found = entries_.find(name);
  if (found == entries_.end()) return false;
  Note(name, scope);
  scope.default_class |= found->second.global_default;
  entries_.erase(found);
  FindDefault();
  return true;
}

void PriorityClasses::Upsert(const objects::WorkloadPriorityClass& priority_class, Scope& scope) {
  auto [at, added] = kueues_.try_emplace(priority_class.meta.name);
  const bool other = std::exchange(at->second, priority_class.value) != priority_class.value;
  if (added || other) Note(at->first, scope);
}

bool PriorityClasses::RemoveKueues(std::string_view name, Scope& scope) {
  const auto found = kueues_.find(name);
  if (found == kueues_.end()) return false;
  Note(name, scope);
  kueues_.erase(found);
  return true;
}

void PriorityClasses::FindDefault() {
  default_ = nullptr;
  for (const auto& [name, entry] : entries_) {
    if (entry.global_default && (default_ == nullptr || entry.value < default_->value)) {
      default_ = &entry;
    }
  }
}

PriorityGiven PriorityClasses::Resolve(const PriorityAsked& asked) const {
  PriorityGiven given;
  given.never_preempts = asked.never_preempts;
  if (std::string_view name = asked.class_name; !name.empty()) {
    if (name.starts_with(objects::kKueueClassPrefix)) {
      name.remove_prefix(objects::kKueueClassPrefix.size());
      if (auto found = kueues_.find(name); found != kueues_.end()) {
        given.priority = found->second;
        return given;
      }
    }
    if (auto found = entries_.find(name); found != entries_.end()) {
      given.priority = found->second.value;
      given.never_preempts |= found->second.never_preempts;
      given.opted_out = found->second.opted_out;
    } else if (auto built_in = BuiltIn(name)) {
      given.priority = *built_in;
    } else if (asked.number) {
      given.priority = *asked.number;
    } else {
      given.class_missing = true;
    }
    return given;
  }
  if (asked.number) {
    given.priority = *asked.number;
  } else if (default_ != nullptr) {
    given.priority = default_->value;
    given.never_preempts |= default_->never_preempts;
    given.opted_out = default_->opted_out;
  } else {
    given.priority = asked.otherwise;
  }
  return given;
}

std::vector<std::string_view> PriorityClasses::GlobalDefaults() const {
  std::vector<std::string_view> names;
  for (const auto& [name, entry] : entries_) {
    if (entry.global_default) names.push_back(name);
  }
  return names;
}

}  // namespace fairlead::intake
