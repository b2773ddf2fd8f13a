#include "drive/driver.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "intake/intake.h"
#include "objects/read/reader.h"

namespace fairlead::drive {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Lines = std::vector<std::string>;

constexpr Time kNow{1'767'225'600'000'000};  // 2026-01-01T00:00:00Z

// Keeps what it is told, a word each.
class Watcher : public Observer {
 public:
  void OnConfiguration(Time /*now*/, const objects::SchedulerConfiguration& /*of*/) override {
    lines.emplace_back("configuration");
  }
  void OnObject(const ObjectNews& news) override {
    lines.push_back(fmt::format("{} {}", news.object == nullptr ? "gone" : "object", news.name));
  }
  void OnChanges(Time /*now*/, std::span<const state::Change> changes) override {
    std::string line = "changes";
    for (const state::Change& change : changes) {
      if (std::holds_alternative<state::NodeChange>(change)) line += " node";
      if (std::holds_alternative<state::PodChange>(change)) line += " pod";
      if (std::holds_alternative<state::Removal>(change)) line += " removal";
      if (std::holds_alternative<state::BindFailed>(change)) line += " failure";
    }
    lines.push_back(line);
  }
  void OnDeciding(Time /*now*/) override { lines.emplace_back("deciding"); }
  void OnRound(const engine::Scheduler& /*scheduler*/, const engine::Plan& /*plan*/) override {
    lines.emplace_back("round");
  }
  void OnDecisions(Time /*now*/, const engine::DecisionReports& decisions) override {
    lines.push_back(fmt::format("decisions {}", decisions.size()));
  }
  void OnWrite(Time /*now*/, const effects::Write& write) override {
    lines.emplace_back(std::holds_alternative<effects::BindPod>(write)          ? "bind"
                       : std::holds_alternative<effects::SetQuotaStatus>(write) ? "quota"
                                                                                : "write");
  }
  Lines Take() { return std::exchange(lines, {}); }
  Lines lines;
};

// Cannot bind, as often as it is told to.
class Refusing : public Carrier {
 public:
  void Carry(effects::Write&& write) override {
    const auto* bind = std::get_if<effects::BindPod>(&write);
    if (bind == nullptr) return;
    if (refusals > 0) {
      --refusals;
      driver->Fail(state::BindFailed{.pod = bind->pod});
    } else {
      bound.push_back(bind->pod);
    }
  }
  Driver* driver = nullptr;
  int refusals = 0;
  Lines bound;
};

class DriverTest : public testing::Test {
 protected:
  DriverTest() {
    carrier_.driver = &driver_;
    driver_.AddObserver(&watcher_);
  }
  void Take(std::string_view yaml) {
    objects::Manifest manifest;
    objects::ReadText(yaml, "driver.yaml", intake::AllDecoders(), manifest);
    for (const objects::Fault& fault : manifest.faults) ADD_FAILURE() << fault.ToString();
    for (const objects::Object& object : manifest.objects) {
      driver_.Take(NewsOf(kNow, object));
    }
  }
  void TakeNode() {
    Take(
        "{apiVersion: v1, kind: Node, metadata: {name: n1},"
        " status: {allocatable: {cpu: \"4\", pods: \"110\"}}}");
  }
  void TakePod() {
    Take(
        "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: team},"
        " spec: {schedulerName: fairlead,"
        " containers: [{name: c, resources: {requests: {cpu: \"1\"}}}]}}");
  }

  Refusing carrier_;
  Driver driver_{carrier_};
  Watcher watcher_;
};

// Somebody waits for a binding, and nobody for a figure.
TEST_F(DriverTest, ThePlanIsWrittenBeforeStatuses) {
  TakeNode();
  Take(
      "{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: ElasticQuota,"
      " metadata: {name: quota, namespace: team}, spec: {min: {cpu: \"2\"}}}");
  TakePod();
  EXPECT_THAT(watcher_.Take(), ElementsAre("object n1", "object quota", "object p"));
  driver_.Instant(kNow);
  EXPECT_THAT(watcher_.Take(),
              ElementsAre("changes node pod", "deciding", "round", "decisions 1", "bind", "quota"));
}

TEST_F(DriverTest, WithoutNewsThereIsNoRound) {
  driver_.Configure(kNow, {});
  TakeNode();
  driver_.Instant(kNow);
  EXPECT_EQ(driver_.rounds(), 1);
  EXPECT_THAT(watcher_.Take(),
              ElementsAre("configuration", "object n1", "changes node", "deciding", "round"));
  TakeNode();  // as it was
  driver_.Instant(kNow + Duration::Seconds(1));
  EXPECT_EQ(driver_.rounds(), 1);
  EXPECT_THAT(watcher_.Take(), ElementsAre("object n1"));
}

// The same instant goes on until nothing is new: the pod has another turn at once.
TEST_F(DriverTest, AFailureIsNewsOfTheSameInstant) {
  carrier_.refusals = 2;
  TakeNode();
  TakePod();
  driver_.Instant(kNow);
  EXPECT_EQ(driver_.rounds(), 3);
  EXPECT_THAT(carrier_.bound, ElementsAre("team/p"));
}

// It has another's name, not its past.
TEST_F(DriverTest, WhatGoesAndComesAgainIsAnother) {
  TakeNode();
  driver_.Instant(kNow);
  watcher_.Take();
  driver_.Take({.time = kNow, .kind = "Node", .name = "n1"});
  TakeNode();
  driver_.Instant(kNow + Duration::Seconds(1));
  EXPECT_THAT(watcher_.Take(),
              ElementsAre("gone n1", "object n1", "changes removal node", "deciding", "round"));
}

}  // namespace
}  // namespace fairlead::drive
