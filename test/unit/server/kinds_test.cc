#include "server/kinds.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace fairlead::server {
namespace {

TEST(Kinds, ByAnyName) {
  for (const char* name : {"pods", "pod", "po", "Pod", "PODS"}) {
    ASSERT_NE(FindKind(name), nullptr) << name;
    EXPECT_EQ(FindKind(name)->kind, "Pod");
  }
  EXPECT_EQ(FindKind("wl")->kind, "Workload");
  EXPECT_EQ(FindKind("q")->kind, "Queue");
  EXPECT_EQ(FindKind("pdb")->kind, "PodDisruptionBudget");
  EXPECT_EQ(FindKind("eq")->kind, "ElasticQuota");
  EXPECT_EQ(FindKind("elasticquotas")->kind, "ElasticQuota");
  EXPECT_EQ(FindKind("quota")->kind, "ResourceQuota");
  EXPECT_EQ(FindKind(""), nullptr);
  EXPECT_EQ(FindKind("zebra"), nullptr);
}

TEST(Kinds, NamesAreUnique) {
  const std::vector<std::string> names = KindNames();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names) EXPECT_NE(FindKind(name), nullptr) << name;
}

}  // namespace
}  // namespace fairlead::server
