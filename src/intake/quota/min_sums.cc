#include "intake/quota/min_sums.h"

#include <algorithm>
#include <limits>

#include "base/wide_int.h"

namespace fairlead::intake {

void MinSums::Count(const objects::ResourceList& min, std::int64_t by) {
  for (const auto& [resource, amount] : min) {
    Sum& sum = sums_[resource];
    sum.named_by += by;
    sum.sum += static_cast<WideInt>(amount) * by;
    if (sum.named_by == 0) sums_.erase(resource);
  }
  ++version_;
}

WideInt MinSums::Of(const std::string& resource) const {
  const auto found = sums_.find(resource);
  return found == sums_.end() ? WideInt{0} : found->second.sum;
}

objects::ResourceList MinSums::AsList() const {
  constexpr WideInt kMost = std::numeric_limits<std::int64_t>::max();
  objects::ResourceList list;
  for (const auto& [resource, min] : sums_) {
    list.emplace_back(resource, static_cast<std::int64_t>(std::min(min.sum, kMost)));
  }
  return list;
}

std::vector<std::string> MinSums::Above(const NodePool& pool) const {
  std::vector<std::string> above;
  if (pool.size() == 0) return above;
  for (const auto& [resource, min] : sums_) {
    const auto found = pool.allocatable().find(resource);
    if (min.sum > (found == pool.allocatable().end() ? WideInt{0} : found->second)) {
      above.push_back(resource);
    }
  }
  return above;
}

}  // namespace fairlead::intake
