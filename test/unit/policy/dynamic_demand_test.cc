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

struct AskedPort {
  std::string protocol, ip;
  std::int32_t port;
};

// Terms of host ports need no columns but that of nodes.
struct Terms {
  state::ResourceTable resources;
  state::NodeTable nodes{resources};
  state::DomainColumns columns{nodes};
  TermTable terms;
};

Shape ShapeOf(const std::vector<AskedPort>& ports, Terms& world) {
  objects::PodNeeds needs;
  for (const auto& [protocol, ip, port] : ports) needs.host_ports.push_back({protocol, ip, port});
  Shape shape;
  shape.dynamic = state::DemandsOf(needs, world.terms, world.columns);
  return shape;
}

struct Pair {
  std::vector<AskedPort> one, other;
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
    Terms terms;
    const Shape one = ShapeOf(pair.one, terms);
    const Shape other = ShapeOf(pair.other, terms);
    EXPECT_EQ(Exclude(one, other), pair.exclude) << &pair - pairs;
    EXPECT_EQ(Exclude(other, one), pair.exclude) << &pair - pairs;
    EXPECT_EQ(one.dynamic->alone_in.empty(), pair.one.empty());
  }
}

TEST(DemandTerms, EqualTermsAreOne) {
  Terms terms;
  const Shape twice = ShapeOf({{"TCP", "", 80}, {"TCP", "0.0.0.0", 80}}, terms);
  const Shape once = ShapeOf({{"TCP", "::", 80}}, terms);
  EXPECT_EQ(twice.dynamic->holds, once.dynamic->holds);
  EXPECT_EQ(twice.dynamic->refused_by, once.dynamic->refused_by);
  EXPECT_EQ(terms.terms.size(), 2U);
}

TEST(DemandCounts, WhoLeavesHoldsNowAndWhoClaimsStandsAgainstOthersAtOnce) {
  Terms world;
  const TermId term = world.terms.Intern({.kind = state::TermKind::kAttracts, .name = "x"});
  const std::vector<TermId> terms = {term};
  const NodeId here(3U);
  const state::DomainId at(3U), elsewhere(4U);
  DemandCounts counts(world.terms, world.columns);
  counts.Take(terms, here, Stay::kLeaves);
  EXPECT_EQ(counts.Against(term, at, When::kNow), 1);
  EXPECT_EQ(counts.Against(term, at, When::kLater), 0);
  EXPECT_EQ(counts.Against(term, elsewhere, When::kNow), 0);
  EXPECT_EQ(counts.InFavour(term, at, When::kNow), 1);
  counts.Take(terms, here, Stay::kComes);
  EXPECT_EQ(counts.Against(term, at, When::kNow), 2);
  EXPECT_EQ(counts.Against(term, at, When::kLater), 1);
  EXPECT_EQ(counts.InFavour(term, at, When::kLater), 0) << "a promise is in nobody's favour";
  counts.Take(terms, here, Stay::kComes, true);
  EXPECT_EQ(counts.InFavour(term, at, When::kLater), 1) << "but in that of its own gang";
  EXPECT_EQ(counts.InFavourAnywhere(term, When::kLater), 1);
  counts.Give(terms, here, Stay::kLeaves);
  counts.Give(terms, here, Stay::kComes);
  counts.Give(terms, here, Stay::kComes, true);
  EXPECT_TRUE(counts.Same(DemandCounts(world.terms, world.columns)));
  EXPECT_EQ(counts.size(), 0U) << "nothing is left behind";
}

}  // namespace
}  // namespace fairlead::policy
