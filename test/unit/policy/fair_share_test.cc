// Fair share against a reference in fractions, and divided little by little against divided from
// nothing.

#include "policy/fair_share.h"

#include <random>

#include <gmock/gmock.h>

#include "unit/policy/exact_share.h"

namespace fairlead::policy {
namespace {

using state::Figure;
using state::QueueId;
using state::QueueTree;
using testing::ElementsAreArray;

const std::string kNames[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

struct Dice {
  std::mt19937_64 random;
  std::int64_t Roll(std::int64_t below) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
  }
};

// Amounts are multiples of `step`; sizes from tiny to those whose products need 128 bits.
std::vector<Sharer> RandomClaims(Dice& dice, std::int64_t most, std::int64_t step) {
  std::vector<Sharer> sharers(static_cast<std::size_t>(1 + dice.Roll(8)));
  for (std::size_t i = 0; i < sharers.size(); ++i) {
    Sharer& sharer = sharers[i];
    sharer.guaranteed = dice.Roll(3) == 0 ? dice.Roll(most) * step : 0;
    if (dice.Roll(20) == 0) sharer.guaranteed = state::kUnlimited;  // all that the parent has
    sharer.requestable = dice.Roll(4) == 0 ? 0 : dice.Roll(2 * most) * step;
    sharer.weight_milli = dice.Roll(5) == 0 ? dice.Roll(3) : 1 + dice.Roll(4000);
    if (dice.Roll(2) == 0) sharer.weight_milli = 1000;
    sharer.priority = static_cast<std::int32_t>(dice.Roll(3));
    sharer.created = Time{dice.Roll(3)};
    sharer.name = &kNames[i];
  }
  return sharers;
}

std::vector<std::int64_t> SharesOf(const std::vector<Sharer>& sharers) {
  std::vector<std::int64_t> shares;
  for (const Sharer& sharer : sharers) shares.push_back(sharer.share);
  return shares;
}

TEST(FairShare, EqualsTheReferenceInWholeUnits) {
  Dice dice{std::mt19937_64(1)};
  constexpr std::int64_t kSizes[] = {3, 12, 1000, 1'000'000, std::int64_t{1} << 44};
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t unit = dice.Roll(2) == 0 ? 1 : 1000;
    const std::int64_t most = kSizes[dice.Roll(5)];
    const std::int64_t amount = dice.Roll(4 * most) * unit;
    std::vector<Sharer> sharers = RandomClaims(dice, most, unit);
    Divide(amount, unit, sharers);
    ASSERT_THAT(SharesOf(sharers), ElementsAreArray(ExactShares(amount, unit, sharers)))
        << "case " << i;
  }
}

// Where parts of a GPU are asked, a share may end in a part; it is near the exact one all the same.
TEST(FairShare, PartsOfAUnit) {
  Dice dice{std::mt19937_64(2)};
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t amount = dice.Roll(12) * 1000;
    std::vector<Sharer> sharers = RandomClaims(dice, 60, 100);
    Divide(amount, 1000, sharers);
    const std::vector<std::int64_t> exact = ExactShares(amount, 1, sharers);
    std::int64_t sum = 0;
    std::int64_t guaranteed = 0;
    for (std::size_t k = 0; k < sharers.size(); ++k) {
      const Sharer& sharer = sharers[k];
      sum += sharer.share;
      guaranteed += std::min(sharer.guaranteed, sharer.requestable);
      ASSERT_GE(sharer.share, std::min(sharer.guaranteed, sharer.requestable)) << "case " << i;
      ASSERT_LE(sharer.share, sharer.requestable) << "case " << i;
      ASSERT_LT(std::abs(sharer.share - exact[k]), 1001) << "case " << i;
    }
    ASSERT_LE(sum, std::max(amount, guaranteed)) << "case " << i;
  }
}

// The order in which siblings stand does not matter.
TEST(FairShare, OrderOfClaims) {
  Dice dice{std::mt19937_64(3)};
  for (int i = 0; i < 3000; ++i) {
    const std::int64_t amount = dice.Roll(40);
    std::vector<Sharer> sharers = RandomClaims(dice, 12, 1);
    std::vector<Sharer> other = sharers;
    std::shuffle(other.begin(), other.end(), dice.random);
    Divide(amount, 1, sharers);
    Divide(amount, 1, other);
    for (const Sharer& sharer : sharers) {
      for (const Sharer& same : other) {
        if (same.name == sharer.name) {
          ASSERT_EQ(same.share, sharer.share) << "case " << i;
        }
      }
    }
  }
}

// A tree of queues with what is requested in each leaf.
class Forest {
 public:
  explicit Forest(Dice& dice) {
    const char* const parents[] = {"", "", "a", "a", "b", "c", "c", "c"};
    for (std::size_t i = 0; i < 8; ++i) {
      state::QueueChange& queue = specs_.emplace_back();
      queue.name = kNames[i];
      queue.parent = parents[i];
      Vary(queue, dice);
      own_.push_back({0, 0});
    }
  }

  void Vary(state::QueueChange& queue, Dice& dice) {
    queue.guaranteed.clear();
    queue.limit.clear();
    if (dice.Roll(3) == 0) queue.guaranteed = {{"cpu", dice.Roll(40)}};
    if (dice.Roll(3) == 0)
      queue.limit = {{"cpu", dice.Roll(80)}, {"nvidia.com/gpu", 500 * dice.Roll(20)}};
    queue.weight.milli = 500 * dice.Roll(4);
    queue.priority = static_cast<std::int32_t>(dice.Roll(2));
    queue.created = Time{dice.Roll(2)};
  }

  // One thing changes, in `tree` too.
  void Change(Dice& dice, QueueTree& tree, state::ResourceTable& resources) {
    const auto q = static_cast<std::size_t>(dice.Roll(8));
    if (dice.Roll(12) == 0) {
      Vary(specs_[q], dice);
      tree.Update(tree.Intern(specs_[q].name), specs_[q], resources);
      tree.Settle();
      return;
    }
    if (dice.Roll(12) == 0) {
      const std::int64_t more = dice.Roll(20);
      capacity_ += more;
      tree.AddCapacity(state::kCpu, more);
      return;
    }
    const std::size_t r = dice.Roll(2) == 0 ? 0 : 1;
    const std::int64_t to = r == 0 ? dice.Roll(60) : 250 * dice.Roll(40);
    const state::Amounts delta = {{r == 0 ? state::kCpu : state::kGpu, to - own_[q][r]}};
    tree.AddRequested(tree.Intern(specs_[q].name), delta, 1);
    own_[q][r] = to;
  }

  void Build(QueueTree& tree, state::ResourceTable& resources) const {
    for (const state::QueueChange& spec : specs_)
      tree.Update(tree.Intern(spec.name), spec, resources);
    tree.Settle();
    tree.AddCapacity(state::kCpu, capacity_);
    tree.AddCapacity(state::kGpu, 9000);
    for (std::size_t q = 0; q < specs_.size(); ++q) {
      const state::Amounts own = {{state::kCpu, own_[q][0]}, {state::kGpu, own_[q][1]}};
      tree.AddRequested(tree.Intern(specs_[q].name), own, 1);
    }
  }

 private:
  std::vector<state::QueueChange> specs_;
  std::vector<std::array<std::int64_t, 2>> own_;
  std::int64_t capacity_ = 100;
};

std::vector<std::int64_t> Shares(const QueueTree& tree) {
  std::vector<std::int64_t> shares;
  for (const std::string& name : kNames) {
    for (state::ResourceId r : {state::kCpu, state::kGpu}) {
      shares.push_back(tree.Get(tree.Find(name), Figure::kFairShare, r));
    }
  }
  return shares;
}

TEST(FairShare, LittleByLittleEqualsFromNothing) {
  int unchanged = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Dice dice{std::mt19937_64(seed)};
    Forest forest(dice);
    state::ResourceTable resources;
    QueueTree tree(resources);
    forest.Build(tree, resources);
    UpdateFairShares(tree, resources);
    for (int step = 0; step < 200; ++step) {
      for (std::int64_t k = dice.Roll(3); k >= 0; --k) forest.Change(dice, tree, resources);
      const std::vector<std::int64_t> before = Shares(tree);
      const bool changed = UpdateFairShares(tree, resources);
      ASSERT_TRUE(changed || Shares(tree) == before) << "seed " << seed << ", step " << step;
      unchanged += changed ? 0 : 1;
      state::ResourceTable other_resources;
      QueueTree other(other_resources);
      forest.Build(other, other_resources);
      UpdateFairShares(other, other_resources);
      ASSERT_EQ(Shares(tree), Shares(other)) << "seed " << seed << ", step " << step;
    }
  }
  EXPECT_GT(unchanged, 1000);  // of 8,000: most changes move no share
}

}  // namespace
}  // namespace fairlead::policy
