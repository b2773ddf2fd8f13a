#include "effects/workload_book.h"

#include <gmock/gmock.h>

#include "unit/base/at.h"

namespace fairlead::effects {
namespace {

using state::Change;
using state::PodChange;
using state::PodState;
using state::WorkloadChange;
using testing::ElementsAre;
using testing::IsEmpty;

// A workload w of pod sets {count, min, succeeded, admitted}.
struct Counts {
  std::int32_t count = 0, min_count = 0, succeeded = 0, admitted = 0;
};
Change Workload(const std::vector<Counts>& sets, std::optional<Time> recorded = std::nullopt) {
  WorkloadChange change;
  change.name = "a/w";
  change.recorded_start = recorded;
  for (const Counts& counts : sets) {
    change.pod_sets.push_back({.name = "s" + std::to_string(change.pod_sets.size()),
                               .count = counts.count,
                               .min_count = counts.min_count,
                               .succeeded = counts.succeeded,
                               .expected_needs = nullptr,
                               .admitted = counts.admitted});
  }
  return change;
}

Change Member(std::string name, PodState pod_state, std::int64_t scheduled = 0,
              std::int32_t set = 0) {
  PodChange change;
  change.name = std::move(name);
  change.workload = "a/w";
  change.pod_set = set;
  change.state = pod_state;
  if (pod_state != PodState::kPending) change.scheduled_time = At(scheduled);
  return change;
}

std::vector<std::string> WorkloadLines(const std::vector<Write>& writes) {
  std::vector<std::string> lines;
  for (const Write& write : writes) {
    if (const auto* set = std::get_if<SetStartTime>(&write)) {
      lines.push_back(set->workload + " started " +
                      (set->start ? std::to_string(set->start->us / 1'000'000) : "never"));
    } else if (const auto* finish = std::get_if<FinishWorkload>(&write)) {
      lines.push_back(finish->workload + " finished" +
                      (finish->job_says_so ? ", says its job" : ""));
    } else if (const auto* stop = std::get_if<StopWorkload>(&write)) {
      lines.push_back(stop->workload + " stopped: " + stop->reason);
    } else if (const auto* warn = std::get_if<Warn>(&write)) {
      lines.push_back(warn->kind + " " + warn->object + " " + warn->reason + ": " + warn->note);
    }
  }
  return lines;
}

std::vector<std::string> Apply(WorkloadBook& book, std::int64_t now, std::vector<Change> changes) {
  book.Apply(At(now), changes);
  return WorkloadLines(book.TakeWrites());
}

TEST(WorkloadBook, StartsWithItsMinimumAndStopsWithItsLastPod) {
  WorkloadBook book;
  EXPECT_THAT(Apply(book, 0, {Workload({{.count = 3, .min_count = 2}})}), IsEmpty());
  EXPECT_THAT(Apply(book, 5, {Member("a/1", PodState::kBound, 4)}), IsEmpty());
  // The second of two: the start is its PodScheduled time, not the moment of hearing of it.
  EXPECT_THAT(Apply(book, 9, {Member("a/2", PodState::kBound, 7)}), ElementsAre("a/w started 7"));
  EXPECT_EQ(book.Find("a/w")->state, WorkloadBook::State::kRunning);
  EXPECT_THAT(Apply(book, 11, {Member("a/3", PodState::kBound, 11)}), IsEmpty());
  EXPECT_THAT(Apply(book, 12,
                    {state::Removal{.kind = state::RowKind::kPod, .name = "a/1"},
                     state::Removal{.kind = state::RowKind::kPod, .name = "a/2"}}),
              IsEmpty());
  EXPECT_THAT(Apply(book, 13, {state::Removal{.kind = state::RowKind::kPod, .name = "a/3"}}),
              ElementsAre("a/w started never"));
  EXPECT_EQ(book.Find("a/w")->state, WorkloadBook::State::kPending);
}

// A status that was written before is shown late, when the next pods are there.
TEST(WorkloadBook, AStartThatWasClearedIsNotTakenBackFromItsStatus) {
  WorkloadBook book;
  const auto shown = [](std::optional<Time> start) {
    return Workload({{.count = 2, .min_count = 2}}, start);
  };
  const auto gone = [](const char* pod) {
    return state::Removal{.kind = state::RowKind::kPod, .name = pod};
  };
  Apply(book, 3, {shown(std::nullopt), Member("a/1", PodState::kBound, 3)});
  EXPECT_THAT(Apply(book, 3, {Member("a/2", PodState::kBound, 3)}), ElementsAre("a/w started 3"));
  EXPECT_THAT(Apply(book, 5, {gone("a/1"), gone("a/2")}), ElementsAre("a/w started never"));
  EXPECT_THAT(Apply(book, 7, {Member("a/3", PodState::kBound, 7)}), IsEmpty());
  EXPECT_THAT(Apply(book, 7, {shown(At(3))}), IsEmpty());
  EXPECT_THAT(Apply(book, 8, {Member("a/4", PodState::kBound, 8)}), ElementsAre("a/w started 8"));
  EXPECT_THAT(Apply(book, 9, {shown(At(3)), shown(At(8))}), IsEmpty());
  EXPECT_EQ(book.Find("a/w")->start, At(8));
}

TEST(WorkloadBook, WhatMovesKeepsItsStartWhileItsRoomIsHeld) {
  WorkloadBook book;
  const auto waits = [](bool with_landing) {
    PodChange pod{.name = "a/p"};
    pod.solo.emplace();
    if (with_landing) pod.solo->landings = objects::Landings{{.owner = "Workload/a/w"}};
    return pod;
  };
  const state::Removal gone{.kind = state::RowKind::kPod, .name = "a/1"};
  Apply(book, 3, {Workload({{.count = 1, .min_count = 1}}), Member("a/1", PodState::kBound, 3)});
  EXPECT_THAT(Apply(book, 5, {waits(true)}), IsEmpty());
  EXPECT_THAT(Apply(book, 6, {gone}), IsEmpty());
  EXPECT_EQ(book.Find("a/w")->state, WorkloadBook::State::kRunning);
  // It comes back in time.
  EXPECT_THAT(Apply(book, 7, {Member("a/1", PodState::kBound, 7), waits(false)}), IsEmpty());
  EXPECT_EQ(book.Find("a/w")->start, At(3));
  // The second time it does not.
  EXPECT_THAT(Apply(book, 8, {waits(true), gone}), IsEmpty());
  EXPECT_THAT(Apply(book, 9, {waits(false)}), ElementsAre("a/w started never"));
}

TEST(WorkloadBook, GivesAStartAgainThatNobodyCouldWrite) {
  WorkloadBook book;
  Apply(book, 1, {Workload({{.count = 1, .min_count = 1}})});
  book.GiveStartAgain("a/w");
  EXPECT_THAT(WorkloadLines(book.TakeWrites()), IsEmpty());
  Apply(book, 2, {Member("a/1", PodState::kBound, 2)});
  book.GiveStartAgain("a/w");
  EXPECT_THAT(WorkloadLines(book.TakeWrites()), ElementsAre("a/w started 2"));
}

TEST(WorkloadBook, TakesTheLatestOfItsPodSets) {
  WorkloadBook book;
  // s0 has its minimum of 1 at 3 s, s1 its minimum of 2 at 8 s.
  EXPECT_THAT(Apply(book, 20,
                    {Member("a/1", PodState::kBound, 3, 0), Member("a/2", PodState::kBound, 9, 1),
                     Member("a/3", PodState::kBound, 8, 1), Member("a/4", PodState::kBound, 1, 1),
                     Workload({{.count = 1, .min_count = 1}, {.count = 3, .min_count = 2}})}),
              ElementsAre("a/w started 8"));
}

TEST(WorkloadBook, StartsWithItsFirstPodWhereItHasNoMinimum) {
  WorkloadBook book;
  EXPECT_THAT(Apply(book, 0, {Workload({{.count = 2}, {.count = 2}})}), IsEmpty());
  EXPECT_THAT(Apply(book, 9,
                    {Member("a/1", PodState::kBound, 7, 0), Member("a/2", PodState::kBound, 5, 1)}),
              ElementsAre("a/w started 5"));
}

TEST(WorkloadBook, FinishesWhenAllThatAreAdmittedHaveSucceeded) {
  WorkloadBook book;
  Apply(book, 0,
        {Workload({{.count = 3, .min_count = 1, .succeeded = 0, .admitted = 2}}),
         Member("a/1", PodState::kBound, 0), Member("a/2", PodState::kBound, 0)});
  EXPECT_THAT(Apply(book, 5,
                    {Workload({{.count = 3, .min_count = 1, .succeeded = 1, .admitted = 2}}, At(0)),
                     Member("a/1", PodState::kFinished)}),
              IsEmpty());
  EXPECT_THAT(Apply(book, 6,
                    {Workload({{.count = 3, .min_count = 1, .succeeded = 2, .admitted = 2}}, At(0)),
                     Member("a/2", PodState::kFinished)}),
              ElementsAre("a/w finished"));
  EXPECT_EQ(book.Find("a/w")->state, WorkloadBook::State::kFinished);
  // Its pods are tidied away: nothing begins anew.
  EXPECT_THAT(Apply(book, 9,
                    {state::Removal{.kind = state::RowKind::kPod, .name = "a/2"},
                     Workload({{.count = 3, .min_count = 1, .admitted = 2}}, At(0))}),
              IsEmpty());
  EXPECT_EQ(book.Find("a/w")->state, WorkloadBook::State::kFinished);
}

// A Job counts its successes itself, so its Workload's pod set shows none, and asks for no pod once
// it is complete: with the news that its last pods have ended, where both come at once.
TEST(WorkloadBook, FinishesWhenItsJobSaysThatItIsOver) {
  WorkloadBook book;
  Apply(book, 0,
        {Workload({{.count = 2, .min_count = 2, .admitted = 2}}), Member("a/1", PodState::kBound),
         Member("a/2", PodState::kBound)});
  const auto over = [] {
    WorkloadChange change = std::get<WorkloadChange>(Workload({{.count = 0}}, At(0)));
    change.job_is_over = true;
    return change;
  };
  // A failed Job may be over before its pods have left.
  EXPECT_THAT(Apply(book, 5, {over(), Member("a/1", PodState::kFinished)}), IsEmpty());
  EXPECT_EQ(book.Find("a/w")->state, WorkloadBook::State::kRunning);
  EXPECT_THAT(Apply(book, 6, {Member("a/2", PodState::kFinished)}),
              ElementsAre("a/w finished, says its job"));
  EXPECT_EQ(book.Find("a/w")->state, WorkloadBook::State::kFinished);
  EXPECT_EQ(book.Find("a/w")->start, At(0));
  EXPECT_THAT(Apply(book, 7, {over()}), IsEmpty());
}

TEST(WorkloadBook, DoesNotCountPodsOnTheirWayOut) {
  WorkloadBook book;
  Apply(book, 0, {Workload({{.count = 1, .min_count = 1}}), Member("a/1", PodState::kBound, 0)});
  PodChange leaving = std::get<PodChange>(Member("a/1", PodState::kBound, 0));
  leaving.terminating = true;
  EXPECT_THAT(Apply(book, 3, {leaving}), ElementsAre("a/w started never"));
}

TEST(WorkloadBook, StopsOnceWhatADrainedQueueHasAdmitted) {
  const auto drained = [](std::int32_t admitted) {
    WorkloadChange change =
        std::get<WorkloadChange>(Workload({{.count = 2, .min_count = 2, .admitted = admitted}}));
    change.traits.drained = true;
    return change;
  };
  WorkloadBook book;
  EXPECT_THAT(Apply(book, 0, {drained(0)}), IsEmpty());
  EXPECT_THAT(Apply(book, 1, {drained(2)}), ElementsAre("a/w stopped: its queue drains"));
  EXPECT_THAT(Apply(book, 2, {drained(2)}), IsEmpty());
  Apply(book, 3, {drained(0)});
  EXPECT_THAT(Apply(book, 4, {drained(2)}), ElementsAre("a/w stopped: its queue drains"));
}

// One that is over says that it is not active, too: only what runs is stopped.
TEST(WorkloadBook, StopsWhatIsNotActiveAndRuns) {
  WorkloadChange change =
      std::get<WorkloadChange>(Workload({{.count = 1, .min_count = 1, .admitted = 1}}));
  change.traits.active = false;
  WorkloadBook book;
  EXPECT_THAT(Apply(book, 0, {change}), IsEmpty());
  EXPECT_THAT(Apply(book, 1, {Member("a/1", PodState::kBound, 1)}),
              ElementsAre("a/w started 1", "a/w stopped: it is not active"));
}

TEST(WorkloadBook, WarnsOfAProblemOnceAsLongAsItLasts) {
  const auto with = [](std::string message) {
    WorkloadChange change = std::get<WorkloadChange>(Workload({{.count = 1, .min_count = 1}}));
    if (!message.empty()) {
      change.problem = {.kind = "Job", .code = "MinimumInvalid", .message = std::move(message)};
    }
    return change;
  };
  WorkloadBook book;
  EXPECT_THAT(Apply(book, 0, {with("it is 0")}), ElementsAre("Job a/w MinimumInvalid: it is 0"));
  EXPECT_THAT(Apply(book, 1, {with("it is 0")}), IsEmpty());
  EXPECT_THAT(Apply(book, 2, {with("it is 9")}), ElementsAre("Job a/w MinimumInvalid: it is 9"));
  EXPECT_THAT(Apply(book, 3, {with("")}), IsEmpty());
  EXPECT_THAT(Apply(book, 4, {with("it is 9")}), ElementsAre("Job a/w MinimumInvalid: it is 9"));
}

TEST(WritesOf, StopAWorkloadThatLosesAllItsPods) {
  WorkloadBook book;
  book.Apply(At(0), std::vector<Change>{
                        Workload({{.count = 3, .min_count = 2}}), Member("a/1", PodState::kBound),
                        Member("a/2", PodState::kBound), Member("a/3", PodState::kBound)});
  const auto evict = [](std::string pod) {
    engine::DecisionReport decision;
    decision.type = engine::DecisionType::kEvict;
    decision.pod = std::move(pod);
    decision.workload = "a/w";
    return decision;
  };
  // Two of three: it goes on with the rest.
  const std::vector<Write> some = WritesOf({evict("a/1"), evict("a/2")}, book);
  ASSERT_EQ(some.size(), 2u);
  EXPECT_FALSE(std::get<EvictPod>(some[0]).by_stop);
  // All three: stopped, after the last.
  const std::vector<Write> all = WritesOf({evict("a/1"), evict("a/2"), evict("a/3")}, book);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_TRUE(std::get<EvictPod>(all[0]).by_stop);
  EXPECT_EQ(std::get<StopWorkload>(all[3]).workload, "a/w");
}

TEST(WritesOf, MoveAWorkloadAndDoNotStopIt) {
  WorkloadBook book;
  book.Apply(At(0), std::vector<Change>{Workload({{.count = 1, .min_count = 1}}),
                                        Member("a/1", PodState::kBound)});
  engine::DecisionReport evict, lands, held;
  evict.type = engine::DecisionType::kEvict;
  evict.pod = "a/1";
  evict.workload = "a/w";
  evict.action = "Consolidate";
  evict.beneficiary = "a/p";
  lands.type = held.type = engine::DecisionType::kLand;
  lands.pod = "a/1";
  held.workload = "a/p";
  held.by_itself = true;
  held.landings = {{.owner = "Workload/a/w", .pod = "1", .node = "n2"}};
  const std::vector<Write> writes = WritesOf({held, evict, lands}, book);
  ASSERT_EQ(writes.size(), 3u);
  const auto& landings = std::get<SetLandings>(writes[0]);
  EXPECT_TRUE(landings.is_pod);
  EXPECT_EQ(landings.landings, held.landings);
  EXPECT_EQ(EventOf(landings)->note, "room is held for those who move for it: 1 on n2");
  EXPECT_EQ(std::get<SetMoved>(writes[1]).workload, "a/w");
  EXPECT_FALSE(std::get<EvictPod>(writes[2]).by_stop);
}

TEST(EventOf, SaysWhatHappened) {
  EXPECT_EQ(EventOf(BindPod{.pod = "a/p", .node = "n1", .workload = "a/p"})->note,
            "assigned a/p to n1");
  EXPECT_EQ(EventOf(EvictPod{.pod = "a/p",
                             .node = "n1",
                             .workload = "a/p",
                             .action = "Preempt",
                             .beneficiary = "a/q",
                             .reason = "higher priority"})
                ->note,
            "evicted by Preempt for a/q: higher priority");
  EXPECT_EQ(
      EventOf(AdmitWorkload{.workload = "a/w", .pod_sets = {{"ps", 1}, {"worker", 15}}})->note,
      "admitted ps: 1, worker: 15");
  EXPECT_EQ(EventOf(NominatePod{}), std::nullopt);
}

}  // namespace
}  // namespace fairlead::effects
