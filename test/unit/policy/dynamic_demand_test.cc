// What pods hold and are refused by, and how it is counted.

#include "policy/dynamic_demand.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "state/demand_counts.h"

namespace fairlead::policy {
namespace {

using state::DemandCounts;
using state::NodeId;
using state::Shape;
using state::Stay;
using state::TermId;
using state::TermTable;
using state::When;

struct Asked {
  std::string protocol, ip;
  std::int32_t port;
};

Shape ShapeOf(const std::vector<Asked>& ports, TermTable& terms) {
  objects::PodNeeds needs;
  for (const auto& [protocol, ip, port] : ports) needs.host_ports.push_back({protocol, ip, port});
  Shape shape;
  shape.dynamic = state::DemandsOf(needs, terms);
  return shape;
}

struct Pair {
  std::vector<Asked> one, other;
  bool exclude;
};

TEST(DemandTerms, HostPortsMeetAsKubernetesSays) {
  const Pair pairs[] = {
      {{{"TCP", "", 80}}, {{"TCP", "", 80}}, true},
      {{{"TCP", "", 80}}, {{"TCP", "", 81}}, false},
      {{{"TCP", "", 80}}, {{"UDP", "", 80}}, false},
      {{{"TCP", "0.0.0.0", 80}}, {{"TCP", "10.0.0.1", 80}}, true},
      {{{"TCP", "::", 80}}, {{"TCP", "10.0.0.1", 80}}, true},
      {{{"TCP", "10.0.0.1", 80}}, {{"TCP", "10.0.0.1", 80}}, true},
      {{{"TCP", "10.0.0.1", 80}}, {{"TCP", "10.0.0.2", 80}}, false},
      {{{"TCP", "10.0.0.1", 80}, {"TCP", "", 90}}, {{"TCP", "10.0.0.2", 90}}, true},
      {{}, {{"TCP", "", 80}}, false},
  };
  for (const Pair& pair : pairs) {
    TermTable terms;
    const Shape one = ShapeOf(pair.one, terms);
    const Shape other = ShapeOf(pair.other, terms);
    EXPECT_EQ(Exclude(one, other), pair.exclude) << &pair - pairs;
    EXPECT_EQ(Exclude(other, one), pair.exclude) << &pair - pairs;
    EXPECT_EQ(one.dynamic.refuses_its_like, !pair.one.empty());
  }
}

TEST(DemandTerms, EqualTermsAreOne) {
  TermTable terms;
  const Shape twice = ShapeOf({{"TCP", "", 80}, {"TCP", "0.0.0.0", 80}}, terms);
  const Shape once = ShapeOf({{"TCP", "::", 80}}, terms);
  EXPECT_EQ(twice.dynamic.holds, once.dynamic.holds);
  EXPECT_EQ(twice.dynamic.refused_by, once.dynamic.refused_by);
  EXPECT_EQ(terms.size(), 2U);
}

TEST(DemandCounts, WhoLeavesHoldsNowAndWhoClaimsHoldsAtOnce) {
  const std::vector<TermId> terms = {TermId(0U)};
  const NodeId here(3U), elsewhere(4U);
  DemandCounts counts;
  counts.Take(terms, here, Stay::kLeaves);
  EXPECT_EQ(counts.Holders(terms[0], here, When::kNow), 1);
  EXPECT_EQ(counts.Holders(terms[0], here, When::kLater), 0);
  EXPECT_EQ(counts.Holders(terms[0], elsewhere, When::kNow), 0);
  counts.Take(terms, here, Stay::kComes);
  EXPECT_EQ(counts.Holders(terms[0], here, When::kNow), 2);
  EXPECT_EQ(counts.Holders(terms[0], here, When::kLater), 1);
  counts.Give(terms, here, Stay::kLeaves);
  counts.Give(terms, here, Stay::kComes);
  EXPECT_EQ(counts, DemandCounts());
  EXPECT_EQ(counts.size(), 0U) << "nothing is left behind";
}

}  // namespace
}  // namespace fairlead::policy
