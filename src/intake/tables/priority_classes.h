#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "objects/objects.h"

namespace fairlead::intake {

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

// The PriorityClasses, and Kubernetes' two built-in ones.
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

  // Return whether anything that counts changed; `default_moved` is set where that concerns those
  // who name no class.
  bool Upsert(const objects::PriorityClass& priority_class, bool& default_moved);
  bool Remove(std::string_view name, bool& default_moved);

  // In this order: the class that is named; the number, where no class is named or the named one is
  // not there; the global default class (of several the smallest, as in Kubernetes); `otherwise`.
  PriorityGiven Resolve(const PriorityAsked& asked) const;

  // Names of the classes that say globalDefault, sorted.
  std::vector<std::string_view> GlobalDefaults() const;
  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }

 private:
  void FindDefault();

  std::map<std::string, Entry, std::less<>> entries_;
  const Entry* default_ = nullptr;
};

}  // namespace fairlead::intake
