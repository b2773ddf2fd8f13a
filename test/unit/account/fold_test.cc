#include "account/fold.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/random.h"
#include "unit/base/at.h"

namespace fairlead::account {
namespace {

using state::Change;
using state::PodState;
using testing::ElementsAre;
using testing::IsEmpty;

// Writes down what it is told, and takes it, of pods by name.
class Listener : public FoldReader {
 public:
  explicit Listener(Fold& fold) : fold_(fold) { fold.AddReader(this); }

  void OnOffer(Time /*now*/, FoldIndex node, const objects::ResourceList& before,
               const objects::ResourceList& offered) override {
    Note("offer", fmt::format("{} {}->{}", fold_.node(node), before.size(), offered.size()));
  }
  void OnGang(FoldIndex gang) override { Note("gang", fold_.gang(gang).name); }
  void OnGangStarted(Time /*now*/, FoldIndex gang, bool began_before) override {
    Note("started", fold_.gang(gang).name + (began_before ? " before" : ""));
  }
  void OnGangComplete(Time /*now*/, FoldIndex gang) override {
    Note("complete", fold_.gang(gang).name);
  }
  void OnSeen(Time /*now*/, FoldIndex pod, const state::PodChange& change) override {
    names[pod] = change.name;
    Note("seen", std::string(change.name));
  }
  void OnBelongs(FoldIndex pod) override {
    const Fold::Pod& of = fold_.pod(pod);
    Note("belongs", names[pod] + " " +
                        (of.gang != kNoIndex ? fold_.gang(of.gang).name : fold_.queue(of.queue)));
  }
  void OnPlaced(Time /*now*/, FoldIndex pod, const state::PodChange& /*change*/,
                bool first) override {
    Note("placed", names[pod] + (first ? " first" : ""));
  }
  void OnPassed(Time /*now*/, FoldIndex pod, const state::PodChange& /*change*/) override {
    Note("passed", names[pod]);
  }
  void OnResized(Time /*now*/, FoldIndex pod, FoldIndex /*shape_before*/) override {
    Note("resized", names[pod]);
  }
  void OnCounted(FoldIndex pod, std::int32_t sign) override {
    Note(sign > 0 ? "counts" : "counts no more", names[pod]);
  }
  void OnLeft(Time /*now*/, FoldIndex pod) override { Note("left", names[pod]); }
  void OnEnded(Time /*now*/, FoldIndex pod) override { Note("ended", names[pod]); }
  void OnGone(FoldIndex pod) override { Note("gone", names[pod]); }
  void OnPodStarted(Time /*now*/, FoldIndex pod, bool began_before) override {
    Note("started", names[pod] + (began_before ? " before" : ""));
  }
  void OnEvicted(const drive::Event& /*event*/, FoldIndex pod) override {
    Note("evicted", names[pod]);
  }
  void OnEvictionFailed(FoldIndex pod) override { Note("not evicted", names[pod]); }

  std::vector<std::string> Take() { return std::exchange(told_, {}); }

  std::map<FoldIndex, std::string> names;

 private:
  void Note(std::string_view what, const std::string& of) {
    told_.push_back(fmt::format("{} {}", what, of));
  }

  const Fold& fold_;
  std::vector<std::string> told_;
};

state::PodChange Alone(std::string_view name, PodState state, std::string_view uid = "u") {
  state::PodChange pod{.name = name, .uid = Uid(uid), .state = state};
  pod.solo.emplace().queue = "q";
  if (state != PodState::kPending) pod.node = "n1";
  return pod;
}

state::PodChange Member(std::string name, const std::string& gang, PodState state) {
  state::PodChange pod = Alone(std::move(name), state);
  pod.solo.reset();
  pod.workload = gang;
  return pod;
}

state::WorkloadChange Gang(std::string name, std::int32_t min_count) {
  state::WorkloadChange gang{.name = std::move(name)};
  gang.traits.queue = "q";
  gang.pod_sets.push_back({.name = "main", .count = min_count, .min_count = min_count});
  return gang;
}

class FoldTest : public testing::Test {
 protected:
  std::vector<std::string> Tell(std::vector<Change> changes) {
    fold_.OnChanges(At(++now_), changes);
    return listener_.Take();
  }
  std::vector<std::string> Evict(std::string_view pod) {
    fold_.OnEvent({.time = At(now_), .type = drive::EventType::kEvict, .pod = pod});
    return listener_.Take();
  }

  Fold fold_;
  Listener listener_{fold_};
  std::int64_t now_ = 0;
};

TEST_F(FoldTest, APodsLife) {
  EXPECT_THAT(Tell({Alone("a", PodState::kPending)}), ElementsAre("seen a", "belongs a q"));
  EXPECT_THAT(Tell({Alone("a", PodState::kBound)}),
              ElementsAre("placed a first", "counts a", "started a"));
  EXPECT_THAT(Tell({Alone("a", PodState::kBound)}), IsEmpty());
  state::PodChange leaving = Alone("a", PodState::kBound);
  leaving.terminating = true;
  EXPECT_THAT(Tell({leaving}), ElementsAre("counts no more a"));
  EXPECT_THAT(Tell({Alone("a", PodState::kFinished)}), ElementsAre("left a", "ended a"));
  EXPECT_THAT(Tell({state::Removal{.kind = state::RowKind::kPod, .name = "a"}}),
              ElementsAre("gone a"));
  EXPECT_THAT(Tell({state::Removal{.kind = state::RowKind::kPod, .name = "a"}}), IsEmpty());
}

TEST_F(FoldTest, APodThatNobodySawOnItsNode) {
  Tell({Alone("a", PodState::kPending)});
  state::PodChange over = Alone("a", PodState::kFinished);
  over.scheduled_time = At(1);
  EXPECT_THAT(Tell({over}), ElementsAre("passed a", "ended a"));
  // It was over before anybody watched: nothing came true of it since.
  over.name = "b";
  EXPECT_THAT(Tell({over}), ElementsAre("seen b", "belongs b q"));
  EXPECT_TRUE(fold_.pod(1).was_placed);
  EXPECT_THAT(Tell({Alone("c", PodState::kPending)}), ElementsAre("seen c", "belongs c q"));
  EXPECT_THAT(Tell({Alone("c", PodState::kFinished)}), ElementsAre("ended c"));
}

TEST_F(FoldTest, AnotherPodOfTheName) {
  Tell({Alone("a", PodState::kBound, "u1")});
  EXPECT_THAT(Tell({Alone("a", PodState::kBound, "u2")}),
              ElementsAre("counts no more a", "left a", "gone a", "seen a", "belongs a q",
                          "placed a", "counts a", "started a before"));
}

// A start is judged when all of a moment is known.
TEST_F(FoldTest, AGangStartsWithItsMinimum) {
  EXPECT_THAT(Tell({Member("a", "g", PodState::kBound), Gang("g", 2)}),
              ElementsAre("seen a", "belongs a g", "placed a", "counts a", "gang g"));
  EXPECT_TRUE(fold_.gang(0).Waits());
  EXPECT_THAT(Tell({Member("b", "g", PodState::kBound), Member("a", "g", PodState::kFinished)}),
              ElementsAre("seen b", "belongs b g", "placed b", "counts b", "counts no more a",
                          "left a", "ended a"));
  EXPECT_THAT(Tell({Member("c", "g", PodState::kBound)}),
              ElementsAre("seen c", "belongs c g", "placed c", "counts c", "started g"));
  EXPECT_FALSE(fold_.gang(0).Waits());
  EXPECT_THAT(Tell({Member("e", "h", PodState::kBound), Gang("h", 1)}),
              testing::Contains("started h before"));
}

TEST_F(FoldTest, APodMovesToAnotherGang) {
  Tell({Gang("g", 1), Gang("h", 1), Member("a", "g", PodState::kBound)});
  EXPECT_THAT(Tell({Member("a", "h", PodState::kBound)}),
              ElementsAre("counts no more a", "belongs a h", "counts a", "started h"));
  EXPECT_EQ(fold_.gang(0).sets[0].placed, 0);
  EXPECT_EQ(fold_.gang(1).sets[0].placed, 1);
}

TEST_F(FoldTest, OtherSchedulersPodsOnlyTakeRoom) {
  state::PodChange foreign{.name = "f", .uid = Uid("u"), .state = PodState::kBound, .node = "n1"};
  foreign.foreign = true;
  EXPECT_THAT(Tell({foreign}), ElementsAre("seen f", "placed f"));
  foreign.needs = std::make_shared<objects::PodNeeds>();
  EXPECT_THAT(Tell({foreign}), ElementsAre("resized f"));
  foreign.state = PodState::kFinished;
  EXPECT_THAT(Tell({foreign}), ElementsAre("left f"));
}

TEST_F(FoldTest, AnEvictionIsToldOnceUntilItFails) {
  EXPECT_THAT(Evict("a"), IsEmpty());
  Tell({Alone("a", PodState::kBound)});
  EXPECT_THAT(Evict("a"), ElementsAre("evicted a"));
  EXPECT_THAT(Evict("a"), IsEmpty());
  EXPECT_THAT(Tell({state::EvictFailed{.pod = "a"}}), ElementsAre("not evicted a"));
  EXPECT_THAT(Tell({state::EvictFailed{.pod = "a"}}), IsEmpty());
  EXPECT_THAT(Evict("a"), ElementsAre("evicted a"));
}

TEST_F(FoldTest, NodesOffer) {
  state::NodeChange node{.name = "n1", .allocatable = {{"cpu", 4000}}};
  EXPECT_THAT(Tell({node}), ElementsAre("offer n1 0->1"));
  EXPECT_THAT(Tell({node}), IsEmpty());
  node.schedulable = false;
  EXPECT_THAT(Tell({node}), ElementsAre("offer n1 1->0"));
  EXPECT_THAT(Tell({state::Removal{.kind = state::RowKind::kNode, .name = "n1"}}), IsEmpty());
}

// Whatever comes, in whatever order: what is kept is what the last changes say, and every reader
// is told of steps that follow on each other.
class Checker : public FoldReader {
 public:
  explicit Checker(Fold& fold) { fold.AddReader(this); }
  void OnSeen(Time /*now*/, FoldIndex pod, const state::PodChange& /*change*/) override {
    EXPECT_TRUE(there_.insert(pod).second);
  }
  void OnPlaced(Time /*now*/, FoldIndex pod, const state::PodChange& /*change*/,
                bool /*first*/) override {
    EXPECT_TRUE(there_.contains(pod));
    EXPECT_TRUE(placed_.insert(pod).second);
  }
  void OnPassed(Time /*now*/, FoldIndex pod, const state::PodChange& /*change*/) override {
    EXPECT_TRUE(there_.contains(pod));
    EXPECT_FALSE(placed_.contains(pod));
  }
  void OnCounted(FoldIndex pod, std::int32_t sign) override {
    EXPECT_TRUE(placed_.contains(pod));
    EXPECT_EQ(sign > 0 ? counted_.insert(pod).second : counted_.erase(pod) == 1, true);
  }
  void OnLeft(Time /*now*/, FoldIndex pod) override {
    EXPECT_FALSE(counted_.contains(pod));
    EXPECT_EQ(placed_.erase(pod), 1U);
  }
  void OnEnded(Time /*now*/, FoldIndex pod) override { EXPECT_FALSE(placed_.contains(pod)); }
  void OnGone(FoldIndex pod) override {
    EXPECT_FALSE(placed_.contains(pod));
    EXPECT_EQ(there_.erase(pod), 1U);
  }
  std::size_t there() const { return there_.size(); }
  std::size_t placed() const { return placed_.size(); }

 private:
  std::set<FoldIndex> there_, placed_, counted_;
};

TEST(Folds, KeepWhatTheLastChangesSay) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Fold fold;
    const Checker checker(fold);
    std::map<std::string, state::PodChange> last;
    for (std::int64_t now = 0; now < 60; ++now) {
      std::vector<Change> changes;
      for (std::uint64_t n = 1 + random.Below(4); n > 0; --n) {
        const std::string name = fmt::format("p{}", random.Below(6));
        if (random.Below(6) == 0) {
          changes.emplace_back(state::Removal{.kind = state::RowKind::kPod, .name = name});
          last.erase(name);
          continue;
        }
        state::PodChange pod{.name = name, .uid = Uid(fmt::format("u{}", random.Below(2)))};
        pod.state = static_cast<PodState>(random.Below(3));
        pod.terminating = random.Below(3) == 0;
        pod.foreign = random.Below(5) == 0;
        if (pod.state != PodState::kPending) pod.node = fmt::format("n{}", random.Below(2));
        if (random.Below(2) == 0 && pod.state != PodState::kPending) pod.scheduled_time = At(now);
        const std::uint64_t of = random.Below(3);
        if (!pod.foreign && of < 2) {
          pod.workload = fmt::format("g{}", of);
          pod.pod_set = static_cast<std::int32_t>(random.Below(2));
        } else if (!pod.foreign) {
          pod.solo.emplace().queue = fmt::format("q{}", random.Below(2));
        }
        last[name] = pod;
        changes.emplace_back(std::move(pod));
      }
      fold.OnChanges(At(now), changes);
    }
    std::size_t placed = 0, pods = 0;
    std::map<std::pair<std::string, std::int32_t>, std::int32_t> tally, kept;
    for (const auto& [name, pod] : last) {
      placed += pod.state == PodState::kBound ? 1 : 0;
      if (state::IsPlaced(pod) && !pod.workload.empty()) ++tally[{pod.workload, pod.pod_set}];
    }
    fold.ForEachPod([&](const Fold::Pod&) { ++pods; });
    for (const Fold::Gang& gang : fold.gangs()) {
      for (std::size_t set = 0; set < gang.sets.size(); ++set) {
        if (gang.sets[set].placed == 0) continue;
        kept[{gang.name, static_cast<std::int32_t>(set)}] = gang.sets[set].placed;
      }
    }
    EXPECT_EQ(pods, last.size());
    EXPECT_EQ(checker.there(), last.size());
    EXPECT_EQ(checker.placed(), placed);
    EXPECT_EQ(kept, tally);
  }
}

}  // namespace
}  // namespace fairlead::account
