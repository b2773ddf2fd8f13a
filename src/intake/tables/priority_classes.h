#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "objects/objects.h"

namespace fairlead::intake {

struct Scope;  // intake/tables/marks.h

// What a pod or a Workload asks for.
struct PriorityAsked {
  std::string_view class_name;
  std::optional<std::int32_t> number;  // spec.priority, as the API server fills it in pods
  bool never_preempts = false;
  std::int32_t otherwise = 0;  // where nothing is named, and no class is everybody's default
};

struct PriorityGiven {
  std::int32_t priority = 0;
  bool never_preempts = false;
  bool opted_out = false;      // the class that counts says allow-preemption: "false"
  bool class_missing = false;  // the class named is not there, and no number stands in for it
};

// The PriorityClasses, and Kubernetes' two built-in ones; and Kueue's WorkloadPriorityClasses,
// which are named with objects::kKueueClassPrefix. Where one of these is not there, the
// PriorityClass of that name is meant.
class PriorityClasses {
 public:
  struct Entry {
    std::int32_t value = 0;
    bool global_default = false;
    bool never_preempts = false;
    bool opted_out = false;                // allow_preemption.h
    std::string allow_preemption_invalid;  // … and what it says there in vain
    std::string source;
  };

  // What that changes for whom is noted in `scope`. False: there is none of that name.
  void Upsert(const objects::PriorityClass& priority_class, Scope& scope);
  bool Remove(std::string_view name, Scope& scope);
  void Upsert(const objects::WorkloadPriorityClass& priority_class, Scope& scope);
  bool RemoveKueues(std::string_view name, Scope& scope);

  // In this order: the class that is named; the number, where no class is named or the named one is
  // not there; the global default class (of several the smallest, as in Kubernetes); `otherwise`.
  PriorityGiven Resolve(const PriorityAsked& asked) const;

  // Names of the classes that say globalDefault, sorted.
  std::vector<std::string_view> GlobalDefaults() const;
  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }

 private:
  void FindDefault();

  std::map<std::string, Entry, std::less<>> entries_;
  std::map<std::string, std::int32_t, std::less<>> kueues_;
  const Entry* default_ = nullptr;
};

}  // namespace fairlead::intake
