#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "objects/write/writer.h"
#include "unit/objects/read.h"

namespace fairlead::objects {
namespace {

constexpr std::string_view kHead =
    "apiVersion: fairlead.dev/v1alpha1\nkind: Window\nmetadata: {name: w}\nspec:\n";

Window WindowOf(std::string_view spec) {
  const Manifest manifest = Read(std::string(kHead) + std::string(spec));
  EXPECT_TRUE(manifest.faults.empty());
  return manifest.objects.empty() ? Window{} : std::get<Window>(manifest.objects.front());
}

std::string FaultOf(std::string_view spec) {
  const Manifest manifest = Read(std::string(kHead) + std::string(spec));
  EXPECT_TRUE(manifest.objects.empty());
  return manifest.faults.empty() ? "" : manifest.faults.front().ToString();
}

TEST(DecodeWindow, AllFields) {
  const Window window = WindowOf(
      "  nodeSelector: {rack: r1}\n  from: 2026-03-07T06:00:00Z\n"
      "  until: 2026-03-07T10:00:00Z\n  queues: [a, b]\n  atBegin: Evict\n");
  EXPECT_EQ(window.node_selector, (Labels{{"rack", "r1"}}));
  EXPECT_EQ(FormatTime(window.from), "2026-03-07T06:00:00Z");
  EXPECT_EQ(FormatTime(window.until.value()), "2026-03-07T10:00:00Z");
  EXPECT_EQ(window.queues, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(window.at_begin, AtBegin::kEvict);
}

TEST(DecodeWindow, WhatMayBeLeftOut) {
  const Window window = WindowOf("  nodes: [n1, n1]\n  from: 2026-03-07T06:00:00Z\n");
  EXPECT_EQ(window.nodes, std::vector<std::string>{"n1"});
  EXPECT_FALSE(window.until);
  EXPECT_TRUE(window.queues.empty());
  EXPECT_EQ(window.at_begin, AtBegin::kLeave);
}

TEST(DecodeWindow, IsWrittenAsItIsRead) {
  const std::string_view specs[] = {
      "  nodeSelector: {rack: r1}\n  from: 2026-03-07T06:00:00Z\n"
      "  until: 2026-03-07T10:00:00Z\n  queues: [a, b]\n  atBegin: Evict\n",
      "  nodes: [n1]\n  from: 2026-03-07T06:00:00Z\n"};
  for (const std::string_view spec : specs) {
    Window window = WindowOf(spec);
    Manifest manifest = Read(boost::json::serialize(ToJson(window)));
    ASSERT_EQ(manifest.objects.size(), 1U);
    Window again = std::get<Window>(manifest.objects.front());
    again.meta.source = window.meta.source;
    EXPECT_EQ(again, window);
  }
}

TEST(DecodeWindow, Faults) {
  const auto says = [](std::string_view spec, std::string_view what) {
    const std::string fault = FaultOf(spec);
    EXPECT_NE(fault.find(what), std::string::npos) << fault;
  };
  says("  from: 2026-03-07T06:00:00Z\n", "spec.nodeSelector: found none");
  says("  nodes: [a]\n", "spec.from: found none");
  says("  nodes: [a]\n  nodeSelector: {a: b}\n  from: 2026-03-07T06:00:00Z\n",
       "spec.nodes: found it beside nodeSelector");
  says("  nodes: [a]\n  from: 2026-03-07T06:00:00Z\n  until: 2026-03-07T06:00:00Z\n",
       "spec.until: found a time at or before spec.from");
  says("  nodes: [a]\n  from: 2026-03-07T06:00:00Z\n  atBegin: Kill\n", "spec.atBegin");
  says("  nodes: [a]\n  from: 2026-03-07T06:00:00Z\n  untill: x\n", "untill");
}

}  // namespace
}  // namespace fairlead::objects
