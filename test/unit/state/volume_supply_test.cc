// Which volumes pods take of those that are there, against a model that looks at all of them.

#include "state/volume_supply.h"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/random.h"
#include "state/cluster.h"

namespace fairlead::state {
namespace {

using objects::NodeSelectorTerm;
using objects::Operator;
using testing::ElementsAre;

objects::VolumeWishPtr Wish(std::uint64_t number, bool may_be_made = false,
                            std::string shared_claim = "") {
  objects::VolumeWish wish;
  wish.number = number;
  wish.may_be_made = may_be_made;
  wish.shared_claim = std::move(shared_claim);
  return std::make_shared<const objects::VolumeWish>(std::move(wish));
}

std::vector<NodeSelectorTerm> In(std::string key, std::vector<std::string> values) {
  return {{.labels = {{std::move(key), Operator::kIn, std::move(values)}}, .fields = {}}};
}

struct World {
  Cluster cluster;
  VolumeSupply supply{cluster.nodes()};
  std::uint32_t next_pod = 0;

  NodeId Node(const std::string& name, const std::string& zone) {
    NodeChange change;
    change.name = name;
    change.labels = {{"zone", zone}};
    cluster.Apply(change);
    return cluster.nodes().Find(name);
  }
  void Volume(const std::string& name, std::int64_t bytes, std::vector<std::uint64_t> wishes,
              std::vector<std::vector<NodeSelectorTerm>> reach = {}) {
    supply.Upsert({.name = name, .bytes = bytes, .wishes = std::move(wishes), .reach = reach});
  }
  // What a pod with these wishes takes there: names, "made" for one that is made.
  std::vector<std::string> Take(const VolumeSupply::Wishes& wishes, NodeId n) {
    const PodId p(next_pod++);
    supply.Take(p, wishes, n);
    return Of(p);
  }
  std::vector<std::string> Of(PodId p) const {
    std::vector<std::string> names;
    for (const VolumeId v : supply.Of(p)) names.push_back(v.valid() ? supply.NameOf(v) : "made");
    return names;
  }
};

TEST(VolumeSupply, TakesTheSmallestThenThatOfTheFewestPlaces) {
  World world;
  const NodeId n1 = world.Node("n1", "a");
  const NodeId n2 = world.Node("n2", "b");
  world.Volume("v0", 5, {2});
  world.Volume("v1", 10, {1}, {In("zone", {"a", "b"})});
  world.Volume("v2", 10, {1}, {In("zone", {"a"})});
  world.Volume("v3", 20, {1},
               {{{.labels = {}, .fields = {{"metadata.name", Operator::kIn, {"n1"}}}}}});
  EXPECT_EQ(world.supply.MostOn({Wish(1)}, n1, 9), 3);
  EXPECT_EQ(world.supply.MostOn({Wish(1), Wish(1)}, n1, 9), 1);
  EXPECT_EQ(world.supply.MostOn({Wish(1)}, n2, 9), 1);
  EXPECT_THAT(world.Take({Wish(1)}, n1), ElementsAre("v2"));
  EXPECT_THAT(world.Take({Wish(1), Wish(1)}, n1), ElementsAre("v1", "v3"));
  EXPECT_FALSE(world.supply.Suffices({Wish(1)}, n1));
  EXPECT_FALSE(world.supply.Suffices({Wish(1)}, n2));
  world.supply.Give(PodId(1U), {Wish(1), Wish(1)});
  EXPECT_TRUE(world.supply.Suffices({Wish(1)}, n2));
  EXPECT_FALSE(world.supply.Suffices({Wish(1), Wish(1)}, n2));
}

TEST(VolumeSupply, WhatIsNotThereIsMadeWhereItMayBe) {
  World world;
  const NodeId n1 = world.Node("n1", "a");
  const NodeId n2 = world.Node("n2", "b");
  objects::VolumeWish wish{.number = 1, .may_be_made = true, .made_where = In("zone", {"a"})};
  const VolumeSupply::Wishes wishes{std::make_shared<const objects::VolumeWish>(wish)};
  world.Volume("v", 10, {1}, {In("zone", {"b"})});
  EXPECT_THAT(world.Take(wishes, n1), ElementsAre("made"));
  EXPECT_EQ(world.supply.MostOn(wishes, n1, 9), 9);
  EXPECT_THAT(world.Take(wishes, n2), ElementsAre("v"));
  EXPECT_FALSE(world.supply.Suffices(wishes, n2));
}

TEST(VolumeSupply, ASharedClaimHasOneVolume) {
  World world;
  const NodeId n1 = world.Node("n1", "a");
  const NodeId n2 = world.Node("n2", "b");
  world.Volume("v", 10, {1}, {In("zone", {"a"})});
  world.Volume("w", 10, {1}, {In("zone", {"b"})});
  const VolumeSupply::Wishes wishes{Wish(1, false, "team/data")};
  EXPECT_THAT(world.Take(wishes, n1), ElementsAre("v"));
  EXPECT_FALSE(world.supply.Suffices(wishes, n2)) << "the others have v";
  EXPECT_THAT(world.Take(wishes, n1), ElementsAre("v"));
  world.supply.Give(PodId(0U), wishes);
  EXPECT_FALSE(world.supply.Suffices(wishes, n2));
  world.supply.Give(PodId(1U), wishes);
  EXPECT_TRUE(world.supply.Suffices(wishes, n2));
}

TEST(VolumeSupply, WhatWasToldIsTakenAgain) {
  World world;
  const NodeId n1 = world.Node("n1", "a");
  world.Volume("v", 20, {1});
  const PodId p(0U);
  world.supply.Take(p, {Wish(1)}, n1);
  world.supply.Keep(p);
  world.Volume("u", 10, {1});
  world.supply.Give(p, {Wish(1)});
  world.supply.Take(p, {Wish(1)}, n1);
  EXPECT_THAT(world.Of(p), ElementsAre("v"));
  world.supply.Give(p, {Wish(1)});
  const std::vector<ClaimToBind> claims(1);
  world.supply.SetClaims(p, &claims);
  world.supply.SetClaims(p, nullptr);
  world.supply.Take(p, {Wish(1)}, n1);
  EXPECT_THAT(world.Of(p), ElementsAre("u"));
}

TEST(VolumeSupply, OneThatGoesIsGivenToNobody) {
  World world;
  const NodeId n1 = world.Node("n1", "a");
  world.Volume("v", 10, {1});
  world.supply.Take(PodId(0U), {Wish(1)}, n1);
  world.supply.Remove("v");
  world.supply.Give(PodId(0U), {Wish(1)});
  EXPECT_FALSE(world.supply.Suffices({Wish(1)}, n1));
  world.Volume("w", 10, {1});
  world.Volume("w", 10, {2});
  EXPECT_FALSE(world.supply.Suffices({Wish(1)}, n1));
  EXPECT_TRUE(world.supply.Suffices({Wish(2)}, n1));
}

// Volumes come, change and go, with and without labels to hang on; pods take and give.
TEST(VolumeSupply, AnswersAsOneThatLooksAtAll) {
  constexpr int kNodes = 6;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    World world;
    std::vector<NodeId> nodes;
    for (int i = 0; i < kNodes; ++i) {
      nodes.push_back(world.Node("n" + std::to_string(i), std::string(1, "abc"[random.Below(3)])));
    }
    struct Model {
      std::int64_t bytes = 0;
      std::size_t places = 0;
      std::vector<std::uint64_t> wishes;
      std::vector<bool> reaches;
      std::optional<std::uint32_t> taker;
    };
    std::map<std::string, Model> there;
    struct Taker {
      VolumeSupply::Wishes wishes;
      std::vector<std::string> names;
    };
    std::map<std::uint32_t, Taker> pods;
    const auto pick = [&](const VolumeSupply::Wishes& wishes, int n) {
      std::vector<std::string> names;
      for (const auto& wish : wishes) {
        const std::string* best = nullptr;
        const auto order = [&](const std::string& name) {
          return std::tie(there.at(name).bytes, there.at(name).places, name);
        };
        for (const auto& [name, v] : there) {
          const bool serves =
              std::find(v.wishes.begin(), v.wishes.end(), wish->number) != v.wishes.end();
          const bool free = !v.taker && std::find(names.begin(), names.end(), name) == names.end();
          if (!serves || !free || !v.reaches[static_cast<std::size_t>(n)]) continue;
          if (best == nullptr || order(name) < order(*best)) best = &name;
        }
        names.push_back(best == nullptr ? "made" : *best);
      }
      return names;
    };
    for (int step = 0; step < 200; ++step) {
      const auto what = random.Below(10);
      if (what < 4) {
        std::string name = "v";
        name += std::to_string(random.Below(8));
        if (there.contains(name) && there.at(name).taker) continue;
        if (random.Below(4) == 0) {
          world.supply.Remove(name);
          there.erase(name);
          continue;
        }
        Model model{.bytes = static_cast<std::int64_t>(random.Below(3))};
        for (std::uint64_t wish = 1; wish <= 3; ++wish) {
          if (random.Below(2) == 0) model.wishes.push_back(wish);
        }
        std::vector<std::vector<NodeSelectorTerm>> reach;
        std::vector<std::string> zones, names;
        const bool by_zone = random.Below(2) == 0, by_name = random.Below(3) == 0;
        for (const char* zone : {"a", "b", "c"}) {
          if (random.Below(2) == 0) zones.emplace_back(zone);
        }
        for (int i = 0; i < kNodes; ++i) {
          if (random.Below(2) == 0) names.push_back("n" + std::to_string(i));
        }
        model.places = std::numeric_limits<std::size_t>::max();
        if (by_zone) {
          reach.push_back(In("zone", zones));
          model.places = zones.size();
        }
        if (by_name) {
          reach.push_back({{.labels = {}, .fields = {{"metadata.name", Operator::kIn, names}}}});
          model.places = std::min(model.places, names.size());
        }
        if (random.Below(3) == 0) {
          reach.push_back({{.labels = {{"zone", Operator::kNotIn, {"b"}}}, .fields = {}}});
        }
        for (const NodeId n : nodes) {
          bool all = true;
          for (const auto& terms : reach) {
            all = all && std::any_of(terms.begin(), terms.end(), [&](const auto& term) {
                    return objects::Matches(term, world.cluster.nodes().labels(n),
                                            world.cluster.nodes().name(n));
                  });
          }
          model.reaches.push_back(all);
        }
        world.Volume(name, model.bytes, model.wishes, reach);
        there[name] = std::move(model);
        continue;
      }
      if (what < 6 && !pods.empty()) {
        auto at = pods.begin();
        std::advance(at, random.Below(pods.size()));
        world.supply.Give(PodId(at->first), at->second.wishes);
        for (auto& [name, v] : there) {
          if (v.taker == at->first) v.taker.reset();
        }
        pods.erase(at);
        continue;
      }
      const int n = static_cast<int>(random.Below(kNodes));
      VolumeSupply::Wishes wishes;
      for (std::uint64_t i = 0; i <= random.Below(2); ++i)
        wishes.push_back(Wish(1 + random.Below(3)));
      const std::vector<std::string> names = pick(wishes, n);
      const bool suffices = std::find(names.begin(), names.end(), "made") == names.end();
      const NodeId node = nodes[static_cast<std::size_t>(n)];
      ASSERT_EQ(world.supply.Suffices(wishes, node), suffices) << seed << " step " << step;
      const PodId p(world.next_pod++);
      world.supply.Take(p, wishes, node);
      ASSERT_EQ(world.Of(p), names) << seed << " step " << step;
      for (const std::string& name : names) {
        if (name != "made") there.at(name).taker = p.value();
      }
      pods[p.value()] = {wishes, names};
    }
  }
}

}  // namespace
}  // namespace fairlead::state
