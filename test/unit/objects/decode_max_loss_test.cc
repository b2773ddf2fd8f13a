#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "objects/write/writer.h"
#include "unit/objects/read.h"

// maxLoss and order: of a Queue and of a SchedulerConfiguration.

namespace fairlead::objects {
namespace {

using Strings = std::vector<std::string>;

TEST(DecodeQueue, ReadsWhatMayBeLost) {
  constexpr std::string_view kQueue =
      "{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: q}, spec: {maxLoss: ";
  const auto read = [&](std::string_view max_loss) {
    return ReadOne<Queue>(std::string(kQueue).append(max_loss).append("}}")).max_loss;
  };
  const LossBound bound{.grace = Duration::Seconds(4 * 3600),
                        .waited_percent = 10,
                        .deadline = Duration::Seconds(24 * 3600)};
  EXPECT_EQ(read("{grace: 4h, waitedPercent: 10, deadline: 24h}"),
            (MaxLoss{.by_guarantee = bound, .by_share = bound}));
  EXPECT_EQ(read("{guarantee: Unlimited, share: {grace: 4h, waitedPercent: 10, deadline: 24h}}"),
            (MaxLoss{.by_guarantee = {}, .by_share = bound}));
  EXPECT_EQ(read("Unlimited"), MaxLoss{});
  EXPECT_EQ(read("{}"), (MaxLoss{.by_guarantee = LossBound{}, .by_share = LossBound{}}));
  const auto faults = [&](std::string_view max_loss) {
    return FaultsOf(std::string(kQueue).append(max_loss).append("}}"));
  };
  EXPECT_EQ(faults("Never"), (Strings{"in.yaml:1: Queue q: spec.maxLoss: found \"Never\", expected "
                                      "Unlimited, or {grace: DURATION, …}"}));
  EXPECT_EQ(faults("{share: {grace: soon, waited: 3}}"),
            (Strings{"in.yaml:1: Queue q: spec.maxLoss.share.waited: found an unknown field, "
                     "expected one of grace, waitedPercent or deadline",
                     "in.yaml:1: Queue q: spec.maxLoss.share.grace: found \"soon\", expected a "
                     "duration such as 1h30m, 45s or 0s"}));
  EXPECT_EQ(
      faults("{share: Unlimited, grace: 1h}"),
      (Strings{"in.yaml:1: Queue q: spec.maxLoss.grace: found an unknown field, expected one of "
               "guarantee or share"}));
}

TEST(DecodeQueue, WhatMayBeLostIsWrittenAsItIsRead) {
  const auto queue = ReadOne<Queue>(R"(
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: q}
spec:
  maxLoss: {guarantee: Unlimited, share: {grace: 1h, deadline: 3h}}
  order: ShortestFirst
  ageing: 2h
)");
  EXPECT_EQ(queue.order, WorkOrder::kShortestFirst);
  EXPECT_EQ(queue.ageing, Duration::Seconds(7200));
  auto again = ReadOne<Queue>(boost::json::serialize(ToJson(queue)));
  again.meta.source = queue.meta.source;
  EXPECT_EQ(again, queue);
  const auto config = ReadOne<SchedulerConfiguration>(R"(
apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
reclaim: {maxLoss: {grace: 4h}}
consolidation: {maxLoss: {grace: 10m, waitedPercent: 10}}
)");
  const LossBound of_moves{.grace = Duration::Seconds(600), .waited_percent = 10};
  EXPECT_EQ(config.consolidation.max_loss,
            (MaxLoss{.by_guarantee = of_moves, .by_share = of_moves}));
  auto config_again = ReadOne<SchedulerConfiguration>(boost::json::serialize(ToJson(config)));
  config_again.meta.source = config.meta.source;
  EXPECT_EQ(config_again, config);
}

}  // namespace
}  // namespace fairlead::objects
