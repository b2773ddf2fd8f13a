#include "state/pods.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace fairlead::state {

PodId PodTable::Find(std::string_view name) const {
  auto it = by_name_.find(name);
  return it == by_name_.end() ? PodId() : *it;
}

PodId PodTable::Add(const Text& name) {
  PodId p;
  if (unused_.empty()) {
    p = PodId(size());
    pods_.emplace_back();
    names_.push_back(name);
  } else {
    p = unused_.back();
    unused_.pop_back();
    pods_[p.value()] = Pod{};
    names_[p.value()] = name;
  }
  pods_[p.value()].in_use = true;
  const bool added = by_name_.insert(p).second;
  CHECK(added);
  return p;
}

void PodTable::Remove(PodId p) {
  by_name_.erase(p);
  indices_.erase(p.value());
  ungated_.erase(p.value());
  SetMadeBy(p, {});
  pods_[p.value()] = Pod{};
  names_[p.value()] = Text();
  unused_.push_back(p);
}

void PodTable::SetIndex(PodId p, std::int32_t index) {
  if (index >= 0) {
    indices_.insert_or_assign(p.value(), index);
  } else {
    indices_.erase(p.value());
  }
}

void PodTable::SetUngated(PodId p, const Time* since) {
  if (since != nullptr) {
    ungated_.insert_or_assign(p.value(), *since);
  } else {
    ungated_.erase(p.value());
  }
}

void PodTable::SetMadeBy(PodId p, const SharedOptional<std::string>& owner) {
  if (p.value() >= made_by_.size()) {
    if (!owner) return;
    made_by_.resize(pods_.size());
  }
  made_by_[p.value()] = owner;
}

void PodTable::SortByName(std::vector<PodId>& pods) const {
  std::ranges::sort(pods, {}, [this](PodId p) { return name(p); });
}

}  // namespace fairlead::state
