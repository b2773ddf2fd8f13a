// Random clusters under random changes: what was kept from change to change is what a new builder
// reads from the same engine, the queues' figures are those of the engine's own reports, and the
// reasons are the first of its explanations.

#include "view/view_builder.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/quantity.h"
#include "engine/explain/report.h"
#include "unit/engine/random_world.h"
#include "unit/engine/tell.h"
#include "view/answer.h"

namespace fairlead::view {
namespace {

using engine::Kind;

std::string Text(const View& view, const Question& question) {
  const auto answer = Answer(view, question);
  return answer ? *answer : "refused: " + answer.error().message;
}

// Without its version, and the counts since the start, which a new builder does not know.
std::string Without(std::string text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return text;
  return text.erase(begin, text.find(to, begin) - begin);
}

std::vector<std::string> AllOf(const View& view) {
  std::vector<std::string> texts;
  const auto add = [&](Question question) {
    std::string text = Text(view, std::move(question));
    text = Without(std::move(text), "\"version\":", ",");
    texts.push_back(Without(std::move(text), "\"totals\":", "}"));
  };
  add({.about = Question::About::kSummary});
  add({.about = Question::About::kQueues});
  add({.about = Question::About::kNodes});
  add({.about = Question::About::kWorkloads, .parameters = {{"limit", "10000"}}});
  view.tables->nodes.ForEachUsed(
      [&](const NodeRow& row) { add({.about = Question::About::kNode, .name = *row.name}); });
  std::set<std::string> names;
  const auto note = [&](const WorkloadRow& row) { names.insert(*row.name); };
  view.tables->workloads.ForEachUsed(note);
  view.tables->ended_workloads.ForEachUsed(note);
  for (const std::string& name : names) {
    add({.about = Question::About::kWorkload, .name = name});
  }
  return texts;
}

class Life {
 public:
  Life(std::uint32_t seed, Kind kind) : world_(seed, kind) {}

  bool Step(int step) {
    const Time now{step * std::int64_t{1'000'000}};
    Tell(world_.Step());
    const engine::Plan plan = scheduler_.Round(now);
    builder_.OnRound(plan);
    const auto view = Settled(builder_, now);
    CompareWithNewBook(*view, now);
    CompareWithReports(*view);
    CompareReasons(*view, now);
    Tell(world_.CarryOut(scheduler_, plan));
    return !testing::Test::HasFailure();
  }

 private:
  static std::shared_ptr<const View> Settled(ViewBuilder& builder, Time now) {
    auto view = builder.Publish(now, {});
    while (builder.reasons_due()) view = builder.Publish(now, {});
    return view;
  }

  void Tell(const std::vector<state::Change>& changes) {
    for (const state::Change& change : changes) {
      if (const auto* pod = std::get_if<state::PodChange>(&change)) {
        ended_.erase(std::string(pod->name));
        if (pod->state == state::PodState::kFinished) ended_.emplace(pod->name, *pod);
      } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
        if (removal->kind == state::RowKind::kPod) ended_.erase(removal->name);
      }
    }
    last_ += "\n  --" + engine::Told(changes);
    builder_.OnChanges(changes);
    scheduler_.Apply(changes);
  }

  void CompareWithNewBook(const View& view, Time now) {
    ViewBuilder fresh(scheduler_);
    std::vector<state::Change> ended;
    for (auto [name, pod] : ended_) {
      // When it began is remembered by who saw it run.
      const WorkloadRow* row = EndedRow(view, name);
      if (row != nullptr) pod.scheduled_time = row->started;
      ended.emplace_back(pod);
    }
    fresh.OnChanges(ended);
    EXPECT_EQ(engine::Difference(AllOf(view), AllOf(*Settled(fresh, now))), "") << last_;
    last_.clear();
  }

  static const WorkloadRow* EndedRow(const View& view, std::string_view name) {
    const WorkloadRow* found = nullptr;
    view.tables->ended_workloads.ForEachUsed([&](const WorkloadRow& row) {
      if (*row.name == name) found = &row;
    });
    return found;
  }

  using Figures = std::map<std::string, std::string>;
  static Figures FiguresOf(const engine::Quantities& quantities) {
    return {quantities.begin(), quantities.end()};
  }
  static Figures FiguresOf(const Tables& tables,
                           const std::vector<std::optional<std::int64_t>>& row, bool zeros) {
    Figures figures;
    for (const Resource& resource : *tables.resources) {
      const auto amount = row.at(resource.column);
      if (!amount || (*amount == 0 && !zeros)) continue;
      figures.emplace(resource.name, FormatResource(resource.name, *amount));
    }
    return figures;
  }

  void CompareWithReports(const View& view) {
    const Tables& tables = *view.tables;
    const std::vector<engine::QueueReport> reports = engine::ReportQueues(scheduler_);
    ASSERT_EQ(tables.queue_order->size(), reports.size());
    const std::vector<QueueLoad> loads = LoadsOf(tables);
    for (std::size_t i = 0; i < reports.size(); ++i) {
      const QueueRow& row = tables.queues[(*tables.queue_order)[i]];
      EXPECT_EQ(*row.name, reports[i].name);
      EXPECT_EQ(TextOf(row.parent), reports[i].parent);
      EXPECT_EQ(row.not_ready, reports[i].not_ready);
      EXPECT_EQ(FiguresOf(tables, row.guaranteed, true), FiguresOf(reports[i].guaranteed));
      EXPECT_EQ(FiguresOf(tables, row.limit, true), FiguresOf(reports[i].limit));
      EXPECT_EQ(FiguresOf(tables, row.requested, false), FiguresOf(reports[i].requested));
      EXPECT_EQ(FiguresOf(tables, row.allocated, false), FiguresOf(reports[i].allocated));
      EXPECT_EQ(FiguresOf(tables, row.fair_share, false), FiguresOf(reports[i].fair_share));
      const QueueLoad& load = loads[(*tables.queue_order)[i]];
      EXPECT_EQ(load.pending, reports[i].pending_workloads) << *row.name;
      EXPECT_EQ(load.running, reports[i].running_workloads) << *row.name;
    }
  }

  void CompareReasons(const View& view, Time now) {
    view.tables->workloads.ForEachUsed([&](const WorkloadRow& row) {
      const auto why = engine::Explain(scheduler_, *row.name, now);
      ASSERT_TRUE(why) << *row.name;
      if (row.reason == nullptr) {
        // Only what others' room comes to is left to say; or it runs.
        static const std::set<std::string_view> kOfRoom = {"NotEntitled", "VictimsProtected",
                                                           "NoVictims", "DisruptionBudget",
                                                           "NonPreemptibleOverGuarantee"};
        const bool told = !why->reasons.empty() && row.state != WorkloadState::kRunning &&
                          row.state != WorkloadState::kFinished;
        if (told) {
          EXPECT_TRUE(kOfRoom.contains(state::ToString(why->reasons[0].code)))
              << *row.name << " " << ToString(row.state) << ": " << why->reasons[0].message;
        }
        return;
      }
      ++reasons;
      if (why->reasons.empty()) {
        EXPECT_EQ(row.reason->code, state::ReasonCode::kWorkloadNotFound) << *row.name;
        return;
      }
      EXPECT_EQ(state::ToString(row.reason->code), state::ToString(why->reasons[0].code))
          << *row.name;
      EXPECT_TRUE(why->reasons[0].message.starts_with(row.reason->message))
          << *row.name << ": " << row.reason->message << " / " << why->reasons[0].message;
    });
  }

 public:
  int reasons = 0;  // that were compared

 private:
  engine::RandomWorld world_;
  engine::Scheduler scheduler_;
  ViewBuilder builder_{scheduler_};
  std::map<std::string, state::PodChange> ended_;
  std::string last_;
};

void Live(Kind kind, int seeds) {
  int reasons = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    Life life(static_cast<std::uint32_t>(seed), kind);
    for (int step = 1; step <= 60; ++step) {
      if (!life.Step(step)) FAIL() << "seed " << seed << ", step " << step;
    }
    reasons += life.reasons;
  }
  EXPECT_GT(reasons, 100);
}

TEST(ViewBuilder, OneQueue) { Live(Kind::kOneQueue, 12); }
TEST(ViewBuilder, Tree) { Live(Kind::kTree, 12); }
TEST(ViewBuilder, Hidden) { Live(Kind::kHidden, 12); }
TEST(ViewBuilder, Contended) { Live(Kind::kContended, 12); }
TEST(ViewBuilder, DaemonSets) { Live(Kind::kDaemonSets, 12); }

TEST(ViewBuilder, WhereNothingHappensNothingIsPublishedAnew) {
  engine::Scheduler scheduler;
  ViewBuilder builder(scheduler);
  engine::RandomWorld world(1, Kind::kTree);
  const std::vector<state::Change> changes = world.Step();
  builder.OnChanges(changes);
  scheduler.Apply(changes);
  builder.OnRound(scheduler.Round(Time{}));
  auto view = builder.Publish(Time{}, {});
  while (builder.reasons_due()) view = builder.Publish(Time{}, {});
  const auto later = builder.Publish(Time{1'000'000}, {});
  EXPECT_EQ(later->tables, view->tables);
  EXPECT_EQ(later->version, view->version);
  EXPECT_EQ(later->now, Time{1'000'000});
  EXPECT_GT(builder.Publish(Time{1'000'000}, {.state = "Stopped"})->version, view->version);
}

TEST(RowTable, WhatIsPublishedStaysAsItWas) {
  RowTable<PodRow> table;
  table.Reach(kChunkRows + 1);
  const auto named = [](const char* name) {
    PodRow row;
    row.name = std::make_shared<const std::string>(name);
    return row;
  };
  table.Set(0, named("a"));
  table.Set(kChunkRows, named("b"));
  const Rows<PodRow> before = table.Publish();
  EXPECT_FALSE(table.changed());
  table.Set(0, named("c"));
  const Rows<PodRow> after = table.Publish();
  EXPECT_EQ(*before[0].name, "a");
  EXPECT_EQ(*after[0].name, "c");
  // The row that did not change is the same.
  EXPECT_EQ(&before[kChunkRows], &after[kChunkRows]);
  EXPECT_NE(&before[0], &after[0]);
}

}  // namespace
}  // namespace fairlead::view
