#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/id.h"
#include "base/names.h"
#include "intake/facts/needs_pool.h"
#include "intake/facts/pod_traits.h"
#include "intake/facts/source.h"
#include "intake/facts/table.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// The small parts: tables, names, packed claims, shared needs.

namespace fairlead::intake {
namespace {

struct TestRow {
  std::string name;
  int value = 0;
};
using TestRowId = Id<struct TestRowTag>;

TEST(TableTest, RowsAreFoundErasedAndTheirIdsGivenOutAgain) {
  Table<TestRow, TestRowId> table;
  std::vector<TestRowId> ids;
  for (int i = 0; i < 1000; ++i) ids.push_back(table.Add("row-" + std::to_string(i)));
  TestRow* first = &table[ids[0]];
  for (int i = 0; i < 1000; i += 2) table.Erase(ids[i]);
  EXPECT_EQ(table.size(), 500u);
  EXPECT_FALSE(table.Find("row-10").valid());
  EXPECT_FALSE(table.InUse(ids[10]));
  EXPECT_EQ(table.Find("row-11"), ids[11]);
  EXPECT_EQ(table.Add("row-11"), ids[11]);
  EXPECT_EQ(table.Add("again"), ids[998]);  // the one erased last
  EXPECT_EQ(&table[ids[0]], first);
  int seen = 0;
  table.ForEach([&](TestRowId, const TestRow& row) { seen += row.name.empty() ? 0 : 1; });
  EXPECT_EQ(seen, 501);
}

TEST(NamesTest, SourcesAreKeptInParts) {
  Names names;
  for (const char* text : {"a/b.yaml:17", "<stdin>:1", "no line", "odd:12x", ""}) {
    EXPECT_EQ(ToString(InternSource(text, names), names), text);
  }
  EXPECT_EQ(names.Intern("x"), names.Intern("x"));
  EXPECT_EQ(names.Intern(""), Names::kEmpty);
  EXPECT_FALSE(names.Find("y").valid());
}

objects::Pod PodOf(const std::string& meta, const std::string& spec = "") {
  return std::get<objects::Pod>(Read(Pod("p", meta, spec)).front());
}

TEST(PodTraitsTest, WhatIsPackedIsUnpacked) {
  std::string key = "what was there before";
  PackTraits(PodOf("labels: {fairlead.dev/workload: w, fairlead.dev/pod-set: s, "
                   "fairlead.dev/queue: q, kai.scheduler/queue: r, fairlead.dev/preemptible: "
                   "\"false\", yunikorn.apache.org/allow-preemption: \"false\"}, annotations: "
                   "{pod-group-name: g, fairlead.dev/allow-preemption: \"off\"}, " +
                       OfJob("j"),
                   "priorityClassName: c, priority: -5, preemptionPolicy: Never"),
             key);
  const PodTraits traits = UnpackTraits(key);
  EXPECT_EQ(traits.name_space, "a");
  EXPECT_EQ(traits.scheduler, "fairlead");
  EXPECT_EQ(traits.workload, "w");
  EXPECT_EQ(traits.pod_set, "s");
  EXPECT_EQ(traits.pod_group, "g");
  EXPECT_EQ(traits.queue, "q");
  EXPECT_EQ(traits.priority_class, "c");
  EXPECT_EQ(traits.job, "j");
  EXPECT_EQ(traits.job_uid, "u");
  EXPECT_EQ(traits.priority, -5);
  EXPECT_TRUE(traits.never_preempts);
  EXPECT_FALSE(traits.preemptible);
  EXPECT_EQ(traits.daemon_set, "");
  EXPECT_EQ(traits.allow_preemption, AllowPreemption::Word::kNo);
  EXPECT_EQ(traits.allow_preemption_invalid, "off");
  EXPECT_EQ(MembershipOf(traits), Membership::kByLabel);
  EXPECT_EQ(WorkloadNamed(traits), "w");
}

// No text can be shifted from one claim into the next.
TEST(PodTraitsTest, DifferentTraitsHaveDifferentKeys) {
  const std::vector<std::string> metas = {
      "",
      "labels: {fairlead.dev/workload: ab}",
      "labels: {fairlead.dev/workload: a, fairlead.dev/pod-set: b}",
      "labels: {fairlead.dev/pod-set: ab}",
      "labels: {fairlead.dev/queue: ab}",
      "annotations: {pod-group-name: ab}",
      OfJob("ab"),
      OfJob("a", "bu"),
      "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: ab, uid: u, "
      "controller: true}]",
      "labels: {fairlead.dev/allow-preemption: \"false\"}",
      "labels: {fairlead.dev/allow-preemption: \"true\"}",
      "labels: {fairlead.dev/allow-preemption: ab}",
  };
  std::vector<std::string> keys;
  for (const std::string& meta : metas) PackTraits(PodOf(meta), keys.emplace_back());
  PackTraits(PodOf("", "priority: 0"), keys.emplace_back());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(keys[i], keys[k]) << i << " " << k;
  }
}

TEST(NeedsPoolTest, WhatNobodyHoldsIsDropped) {
  NeedsPool pool;
  objects::PodNeeds kept;
  kept.request = {{"cpu", 7}};
  const state::NeedsPtr held = pool.Intern(kept);
  for (int i = 0; i < 5000; ++i) {
    objects::PodNeeds needs;
    needs.request = {{"memory", i}};
    EXPECT_EQ(pool.Intern(needs)->request, needs.request);
    EXPECT_EQ(pool.Intern(kept), held);
  }
  EXPECT_LE(pool.size(), 1025u);
}

}  // namespace
}  // namespace fairlead::intake
