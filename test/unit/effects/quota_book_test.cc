#include "effects/quota_book.h"

#include <gmock/gmock.h>

#include "base/quantity.h"
#include "engine/scheduler.h"
#include "unit/base/at.h"

namespace fairlead::effects {
namespace {

using state::Change;
using testing::ElementsAre;
using testing::IsEmpty;

Change Node(std::int64_t cpu_milli) {
  state::NodeChange node;
  node.name = "n1";
  node.allocatable = {{"cpu", cpu_milli}, {"pods", 100}};
  return node;
}

Change Queue(const std::string& name) {
  state::QueueChange queue;
  queue.name = name;
  queue.guaranteed = {{"cpu", 2000}};
  return queue;
}

Change Quota(std::string queue, std::vector<state::ObjectProblem> problems = {}) {
  return state::QuotaChange{.name = "a/q",
                            .queue = std::move(queue),
                            .resources = {"cpu", "example.com/none"},
                            .problems = std::move(problems)};
}

Change Pod(const std::string& name, const std::string& queue) {
  state::PodChange pod;
  pod.name = name;
  objects::PodNeeds needs;
  needs.request = {{"cpu", 500}};
  pod.needs = std::make_shared<const objects::PodNeeds>(std::move(needs));
  pod.solo.emplace().queue = queue;
  return pod;
}

std::vector<std::string> QuotaLines(const std::vector<Write>& writes) {
  std::vector<std::string> lines;
  for (const Write& write : writes) {
    if (const auto* set = std::get_if<SetQuotaStatus>(&write)) {
      std::string line = set->quota;
      for (const auto& [resource, amount] : set->used) {
        line += " " + resource + "=" + FormatResource(resource, amount);
      }
      for (const objects::Condition& condition : set->conditions) {
        line += " " + condition.type + (condition.holds ? "" : "=False");
        if (!condition.message.empty()) line += "(" + condition.message + ")";
      }
      lines.push_back(line);
    } else {
      const EventText event = EventOf(write).value();
      lines.push_back(std::string(event.type) + " " + std::string(event.kind) + " " + event.object +
                      " " + std::string(event.reason) + ": " + event.note);
    }
  }
  return lines;
}

class QuotaBookTest : public testing::Test {
 protected:
  std::vector<std::string> Tell(const std::vector<Change>& changes) {
    book_.Apply(changes);
    scheduler_.Apply(changes);
    scheduler_.Round(At(0));
    return QuotaLines(book_.TakeWrites(scheduler_.cluster()));
  }

  engine::Scheduler scheduler_;
  QuotaBook book_;
};

TEST_F(QuotaBookTest, WritesWhatTheQueueUsesWhereItMoved) {
  EXPECT_THAT(Tell({Node(1000), Queue("a"), Quota("a")}),
              ElementsAre("a/q cpu=0 example.com/none=0 InEffect"));
  EXPECT_THAT(Tell({}), IsEmpty());
  EXPECT_THAT(Tell({Pod("a/p0", "a"), Pod("a/p1", "a"), Pod("a/p2", "a")}),
              ElementsAre("a/q cpu=1 example.com/none=0 InEffect"));  // the third has no room
  EXPECT_THAT(Tell({Pod("b/p0", "default")}), IsEmpty());
  EXPECT_THAT(Tell({state::Removal{.kind = state::RowKind::kPod, .name = "a/p0"},
                    state::Removal{.kind = state::RowKind::kPod, .name = "a/p2"}}),
              ElementsAre("a/q cpu=500m example.com/none=0 InEffect"));
  EXPECT_THAT(Tell({state::Removal{.kind = state::RowKind::kQuota, .name = "a/q"}}), IsEmpty());
}

TEST_F(QuotaBookTest, WarnsOfAProblemOnceAsLongAsItLasts) {
  const state::ObjectProblem max{.code = "MinAboveMax", .message = "too low"};
  const state::ObjectProblem more{.code = "MinAboveMax", .message = "and this"};
  EXPECT_THAT(Tell({Queue("a"), Quota("a", {max, more})}),
              ElementsAre("a/q cpu=0 example.com/none=0 InEffect MinAboveMax(too low; and this)",
                          "Warning ElasticQuota a/q MinAboveMax: too low",
                          "Warning ElasticQuota a/q MinAboveMax: and this"));
  EXPECT_THAT(Tell({Quota("a", {max})}),
              ElementsAre("a/q cpu=0 example.com/none=0 InEffect MinAboveMax(too low)"));
  EXPECT_THAT(Tell({Quota("a")}), ElementsAre("a/q cpu=0 example.com/none=0 InEffect"));
  EXPECT_THAT(Tell({Quota("a", {max})}),
              ElementsAre("a/q cpu=0 example.com/none=0 InEffect MinAboveMax(too low)",
                          "Warning ElasticQuota a/q MinAboveMax: too low"));
}

TEST_F(QuotaBookTest, AQuotaThatDoesNotCountUsesNothing) {
  EXPECT_THAT(Tell({Quota("", {{.code = "SeveralQuotas", .message = "another"}})}),
              ElementsAre("a/q InEffect=False(another)",
                          "Warning ElasticQuota a/q SeveralQuotas: another"));
}

}  // namespace
}  // namespace fairlead::effects
