#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/wide_int.h"
#include "intake/tables/node_pool.h"
#include "objects/objects.h"

namespace fairlead::intake {

// What the min of all ElasticQuotas that count come to, in each resource that one of them names.
// A quota that changes costs its own resources.
class MinSums {
 public:
  void Count(const objects::ResourceList& min, std::int64_t by);  // came (+1) or went (-1)

  WideInt Of(const std::string& resource) const;  // 0: none names it
  objects::ResourceList AsList() const;           // at most what an amount can say
  // The resources of which they are more than the pool's nodes have together, sorted. Where no
  // node is known they may come from elsewhere.
  std::vector<std::string> Above(const NodePool& pool) const;
  std::uint64_t version() const { return version_; }  // goes up where a sum may have changed

 private:
  struct Sum {
    std::int64_t named_by = 0;
    WideInt sum = 0;
  };
  std::map<std::string, Sum, std::less<>> sums_;
  std::uint64_t version_ = 0;
};

}  // namespace fairlead::intake
