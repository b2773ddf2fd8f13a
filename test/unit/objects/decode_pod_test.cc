#include <string>

#include <gtest/gtest.h>

#include "unit/objects/read.h"

namespace fairlead::objects {
namespace {

using Strings = std::vector<std::string>;

std::string PodWith(const std::string& rest) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n" + rest;
}

TEST(DecodePod, ReadsMetadata) {
  const Pod pod = ReadOne<Pod>(R"(apiVersion: v1
kind: Pod
metadata:
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"kind":"Pod"}'
    fairlead.dev/run-duration: 5m
  creationTimestamp: "1970-01-01T00:00:05Z"
  deletionTimestamp: null
  generateName: w-
  labels: {b: "2", a: "1", c: null}
  managedFields: [{manager: kubectl}]
  name: w-0
  namespace: vision
  uid: u0
)");
  EXPECT_EQ(pod.meta.Key(), "vision/w-0");
  EXPECT_EQ(pod.meta.uid, "u0");
  EXPECT_EQ(pod.meta.source, "in.yaml:1");
  EXPECT_EQ(pod.meta.labels, (Labels{{"a", "1"}, {"b", "2"}, {"c", ""}}));
  EXPECT_EQ(pod.meta.annotations, (Labels{{"fairlead.dev/run-duration", "5m"}}));
  EXPECT_EQ(pod.meta.creation_time, Time{5'000'000});
  EXPECT_EQ(pod.meta.deletion_time, std::nullopt);
  EXPECT_EQ(pod.meta.Controller(), nullptr);
}

TEST(DecodePod, ReadsStatus) {
  const Pod pod = ReadOne<Pod>(R"(apiVersion: v1
kind: Pod
metadata:
  annotations: {kubernetes.io/config.mirror: "0123"}
  creationTimestamp: "2026-01-01T00:00:00Z"
  name: w-0
  ownerReferences:
  - {apiVersion: batch/v1, controller: true, kind: Job, name: w, uid: u1}
spec: {nodeName: n1, schedulerName: fairlead, priorityClassName: high, priority: 1000,
       preemptionPolicy: Never, schedulingGates: [{name: x}], terminationGracePeriodSeconds: 30}
status:
  phase: Running
  nominatedNodeName: n2
  startTime: "1970-01-01T00:00:03Z"
  conditions:
  - {type: Ready, status: "True", lastTransitionTime: "1970-01-01T00:00:04Z"}
  - {type: PodScheduled, status: "True", lastTransitionTime: "1970-01-01T00:00:01Z"}
  - {type: fairlead.dev/NodeReserved, status: "True", lastTransitionTime: "1970-01-01T00:00:02Z"}
  containerStatuses:
  - {name: a, state: {terminated: {finishedAt: "1970-01-01T00:00:06Z"}}}
  - {name: b, state: {terminated: {finishedAt: "1970-01-01T00:00:05Z"}}}
  - {name: c, state: {running: {startedAt: "1970-01-01T00:00:03Z"}}}
)");
  EXPECT_TRUE(pod.is_static);
  ASSERT_NE(pod.meta.Controller(), nullptr);
  EXPECT_EQ(pod.meta.Controller()->name, "w");
  EXPECT_EQ(pod.spec.node_name, "n1");
  EXPECT_EQ(pod.spec.needs.node_name, "");
  EXPECT_EQ(pod.spec.scheduler_name, "fairlead");
  EXPECT_EQ(pod.spec.priority_class_name, "high");
  EXPECT_EQ(pod.spec.priority, 1000);
  EXPECT_TRUE(pod.spec.never_preempts);
  EXPECT_TRUE(pod.spec.gated);
  EXPECT_EQ(pod.spec.grace_seconds, 30);
  EXPECT_EQ(pod.phase, PodPhase::kRunning);
  EXPECT_TRUE(pod.ready);
  EXPECT_EQ(pod.nominated_node, "n2");
  EXPECT_EQ(pod.scheduled_time, Time{1'000'000});
  EXPECT_EQ(pod.node_reserved_time, Time{2'000'000});
  EXPECT_EQ(pod.start_time, Time{3'000'000});
  EXPECT_EQ(pod.finish_time, Time{6'000'000});
}

TEST(DecodePod, SinceWhenItHasNoGates) {
  const auto with = [](std::string_view condition) {
    return ReadOne<Pod>(PodWith("status: {conditions: [{type: PodScheduled, " +
                                std::string(condition) +
                                ", lastTransitionTime: '1970-01-01T00:00:02Z'}]}\n"));
  };
  const Pod gated = with("status: 'False', reason: SchedulingGated");
  EXPECT_TRUE(gated.gates_told);
  EXPECT_FALSE(gated.ungated_time);
  const Pod ungated = with("status: 'False', reason: Ungated");
  EXPECT_FALSE(ungated.gates_told);
  EXPECT_EQ(ungated.ungated_time, Time{2'000'000});
  for (const char* other : {"status: 'False', reason: Unschedulable", "status: 'True'"}) {
    EXPECT_FALSE(with(other).gates_told || with(other).ungated_time) << other;
  }
}

TEST(DecodePod, HasKubernetesDefaults) {
  const Pod pod = ReadOne<Pod>(PodWith("spec: {schedulerName: ''}\nstatus: {phase: ''}\n"));
  EXPECT_EQ(pod.meta.name_space, "default");
  EXPECT_EQ(pod.spec.scheduler_name, "default-scheduler");
  EXPECT_EQ(pod.phase, PodPhase::kPending);
  EXPECT_EQ(pod.spec.needs, PodNeeds());
  EXPECT_FALSE(pod.ready || pod.spec.gated || pod.spec.never_preempts || pod.is_static);
  EXPECT_EQ(pod.spec.priority, std::nullopt);
}

TEST(DecodePod, ReadsWhatItNeedsOfANode) {
  const PodNeeds needs = ReadOne<Pod>(PodWith(R"(spec:
  nodeSelector: {disk: ssd, arch: arm}
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - {key: zone, operator: In, values: [b, a, b]}
          - {key: gen, operator: Gt, values: ["3"]}
          - {key: old, operator: DoesNotExist}
          matchFields:
          - {key: metadata.name, operator: In, values: [n1]}
        - {}
  tolerations:
  - {key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
  - {key: b, value: c, effect: ""}
  - {operator: Exists}
)"))
                             .spec.needs;
  EXPECT_EQ(needs.node_selector, (Labels{{"arch", "arm"}, {"disk", "ssd"}}));
  EXPECT_TRUE(needs.has_required_terms);
  const NodeSelectorTerm term{.labels = {{"zone", Operator::kIn, {"a", "b"}},
                                         {"gen", Operator::kGt, {"3"}},
                                         {"old", Operator::kDoesNotExist, {}}},
                              .fields = {{"metadata.name", Operator::kIn, {"n1"}}}};
  EXPECT_EQ(needs.required_terms, (std::vector<NodeSelectorTerm>{term, {}}));
  EXPECT_EQ(needs.tolerations,
            (std::vector<Toleration>{
                {.key = "a", .exists = true, .value = "", .effect = TaintEffect::kNoExecute},
                {.key = "b", .exists = false, .value = "c", .effect = std::nullopt},
                {.key = "", .exists = true, .value = "", .effect = std::nullopt}}));
  EXPECT_EQ(needs.rare->unsupported_field, "");
}

TEST(DecodePod, ReadsHostPorts) {
  const std::string containers = R"(
  containers:
  - ports: [{containerPort: 80, hostPort: 8080}, {containerPort: 53, protocol: UDP}]
  - ports:
    - {containerPort: 80, hostPort: 8080, hostIP: 10.0.0.1}
    - {containerPort: 81, hostPort: 8080}
  initContainers:
  - {restartPolicy: Always, ports: [{containerPort: 9, hostPort: 90}]}
  - {ports: [{containerPort: 9, hostPort: 91}]}
)";
  EXPECT_EQ(ReadOne<Pod>(PodWith("spec:" + containers)).spec.needs.host_ports,
            (std::vector<HostPort>{{"TCP", "", 90}, {"TCP", "", 8080}, {"TCP", "10.0.0.1", 8080}}));
  EXPECT_EQ(ReadOne<Pod>(PodWith("spec:\n  hostNetwork: true" + containers)).spec.needs.host_ports,
            (std::vector<HostPort>{
                {"TCP", "", 90}, {"TCP", "", 8080}, {"TCP", "10.0.0.1", 8080}, {"UDP", "", 53}}));
}

TEST(DecodePod, NamesWhatIsNotHonouredYet) {
  const std::string required = "requiredDuringSchedulingIgnoredDuringExecution: ";
  struct Case {
    std::string spec, unsupported;
  };
  const Case cases[] = {
      {"affinity: {podAffinity: {" + required + "[{topologyKey: a}]}}", ""},
      {"affinity: {podAntiAffinity: {" + required + "[{topologyKey: a}]}}", ""},
      {"affinity: {podAntiAffinity: {" + required + "[]}, podAffinity: null}", ""},
      {"topologySpreadConstraints: [{topologyKey: a}]", ""},
      {"volumes: [{name: a, emptyDir: {}}, {name: b, persistentVolumeClaim: {claimName: \"\"}}]",
       "spec.volumes.persistentVolumeClaim"},
      {"volumes: [{ephemeral: {volumeClaimTemplate: {}}}]", "spec.volumes.ephemeral"},
      {"volumes: [{name: a, configMap: {name: x}}, {name: b, hostPath: {path: /}}]", ""},
      {"resourceClaims: [{name: a}]", "spec.resourceClaims"},
      {"resourceClaims: []", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.spec);
    const PodNeeds needs = ReadOne<Pod>(PodWith("spec: {" + c.spec + "}\n")).spec.needs;
    EXPECT_EQ(needs.rare->unsupported_field, c.unsupported);
  }
}

TEST(DecodePod, ReadsWhatItWouldRatherHave) {
  const Preferences preferences = ReadOne<Pod>(R"(apiVersion: v1
kind: Pod
metadata: {name: p, labels: {app: db}}
spec:
  affinity:
    nodeAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - {weight: 7, preference: {matchExpressions: [{key: disk, operator: Exists}]}}
      - {weight: 1}
    podAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm: {topologyKey: zone, labelSelector: {}, matchLabelKeys: [app]}
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - {weight: 3, podAffinityTerm: {topologyKey: host, namespaces: [b]}}
  topologySpreadConstraints:
  - {topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {a: b}}}
  - {topologyKey: rack}
)")
                                      .spec.needs.rare->preferences;
  ASSERT_EQ(preferences.nodes.size(), 2U);
  EXPECT_EQ(preferences.nodes[0].weight, 7);
  EXPECT_EQ(preferences.nodes[0].term.labels.at(0).key, "disk");
  EXPECT_EQ(preferences.nodes[1].term, NodeSelectorTerm());
  ASSERT_EQ(preferences.affinity.size(), 1U);
  EXPECT_EQ(preferences.affinity[0].weight, 100);
  EXPECT_EQ(preferences.affinity[0].term.selector.requirements,
            (std::vector<Requirement>{{.key = "app", .op = Operator::kIn, .values = {"db"}}}));
  ASSERT_EQ(preferences.anti_affinity.size(), 1U);
  EXPECT_TRUE(preferences.anti_affinity[0].term.selects_nothing);
  EXPECT_EQ(preferences.anti_affinity[0].term.name_spaces, Strings{"b"});
  ASSERT_EQ(preferences.spread.size(), 1U);
  EXPECT_EQ(preferences.spread[0].topology_key, "zone");
}

TEST(DecodePod, FaultsOfPreferences) {
  const std::string preferred = "preferredDuringSchedulingIgnoredDuringExecution: ";
  struct Case {
    std::string spec, fault;
  };
  const Case cases[] = {
      {"affinity: {nodeAffinity: {" + preferred + "[{weight: 101}]}}",
       "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: "
       "found number 101, expected a whole number from 1 to 100"},
      {"affinity: {nodeAffinity: {" + preferred + "[{}]}}",
       "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: "
       "found none, expected a number from 1 to 100"},
      {"affinity: {podAffinity: {" + preferred + "[{weight: 1}]}}",
       "spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]."
       "podAffinityTerm: found none, expected a term"},
      {"topologySpreadConstraints: [{whenUnsatisfiable: ScheduleAnyway}]",
       "spec.topologySpreadConstraints[0].topologyKey: found none, expected the key of a node "
       "label"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.spec);
    const Strings faults = FaultsOf(PodWith("spec: {" + c.spec + "}\n"));
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_TRUE(faults[0].ends_with(c.fault)) << faults[0];
  }
}

// The API server merges matchLabelKeys into the selector; a file has them unmerged, and what was
// merged already is not merged twice.
TEST(DecodePod, MergesLabelKeysIntoSelectors) {
  const std::string required = "requiredDuringSchedulingIgnoredDuringExecution: ";
  const auto needs_of = [](const std::string& spec) {
    return ReadOne<Pod>(
               "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: db, v: "
               "one}}, spec: {" +
               spec + "}}\n")
        .spec.needs;
  };
  const std::string keys = "matchLabelKeys: [v, gone], mismatchLabelKeys: [app]";
  const PodNeeds merged = needs_of("affinity: {podAntiAffinity: {" + required +
                                   "[{topologyKey: z, labelSelector: {}, " + keys + "}]}}");
  ASSERT_EQ(merged.rare->anti_affinity.size(), 1U);
  EXPECT_EQ(
      merged.rare->anti_affinity[0].selector.requirements,
      (std::vector<Requirement>{{"v", Operator::kIn, {"one"}}, {"app", Operator::kNotIn, {"db"}}}));
  const PodNeeds twice =
      needs_of("affinity: {podAntiAffinity: {" + required +
               "[{topologyKey: z, labelSelector: {matchExpressions: [{key: v, operator: In, "
               "values: [one]}, {key: app, operator: NotIn, values: [db]}]}, " +
               keys + "}]}}");
  EXPECT_EQ(twice.rare->anti_affinity, merged.rare->anti_affinity);
  const PodNeeds spread = needs_of(
      "topologySpreadConstraints: [{topologyKey: z, maxSkew: 2, minDomains: 3, "
      "whenUnsatisfiable: DoNotSchedule, nodeAffinityPolicy: Ignore, nodeTaintsPolicy: Honor, "
      "labelSelector: {matchLabels: {app: db}}, matchLabelKeys: [v]}]");
  ASSERT_EQ(spread.rare->spread.size(), 1U);
  const SpreadConstraint& constraint = spread.rare->spread[0];
  EXPECT_EQ(constraint.selector.requirements.size(), 2U);
  EXPECT_EQ(constraint.max_skew, 2);
  EXPECT_EQ(constraint.min_domains, 3);
  EXPECT_FALSE(constraint.honors_affinity);
  EXPECT_TRUE(constraint.honors_taints);
}

TEST(DecodePod, GeneratesNamesInTheOrderOfTheInput) {
  const std::string pod = "---\n{apiVersion: v1, kind: Pod, metadata: {generateName: w-}}\n";
  const Manifest manifest = Read(pod + pod);
  ASSERT_EQ(manifest.objects.size(), 2u);
  EXPECT_EQ(MetaOf(manifest.objects[0]).Key(), "default/w-00000");
  EXPECT_EQ(MetaOf(manifest.objects[1]).Key(), "default/w-00001");
}

TEST(DecodePod, IgnoresFieldsItDoesNotKnow) {
  ReadOne<Pod>(PodWith("spec: {newField: 1, containers: [{newField: {a: 1}}]}\nmore: [1]\n"));
}

TEST(DecodePod, ReportsWrongTypesAndValues) {
  struct Case {
    std::string text;
    Strings faults;
  };
  const auto pod = [](const std::string& metadata) {
    return "{apiVersion: v1, kind: Pod, metadata: {" + metadata + "}}";
  };
  const Case cases[] = {
      {"{apiVersion: v1, kind: Pod}",
       {"in.yaml:1: Pod: metadata.name: found none, expected a name"}},
      {pod("name: ''"), {"in.yaml:1: Pod: metadata.name: found none, expected a name"}},
      {pod("name: 5"),
       {"in.yaml:1: Pod default/5: metadata.name: found number 5, expected a string (in YAML, in "
        "quotes)"}},
      {pod("name: My_Pod"),
       {"in.yaml:1: Pod default/My_Pod: metadata.name: found \"My_Pod\", expected a name of "
        "lower-case letters, digits, - and ., at most 253"}},
      {pod("name: a, namespace: -b"),
       {"in.yaml:1: Pod -b/a: metadata.namespace: found \"-b\", expected a name of lower-case "
        "letters, digits, - and ., at most 253"}},
      {pod("name: a, labels: {x: true, y: 1}"),
       {"in.yaml:1: Pod default/a: metadata.labels.x: found boolean true, expected a string (in "
        "YAML, in quotes)",
        "in.yaml:1: Pod default/a: metadata.labels.y: found number 1, expected a string (in YAML, "
        "in quotes)"}},
      {pod("name: a, labels: [x]"),
       {"in.yaml:1: Pod default/a: metadata.labels: found a list, expected a mapping"}},
      {pod("name: a, annotations: {fairlead.dev/arrives-at: soon, fairlead.dev/run-duration: -5s}"),
       {"in.yaml:1: Pod default/a: metadata.annotations.fairlead.dev/arrives-at: found \"soon\", "
        "expected a duration such as 1h30m, 45s or 0s",
        "in.yaml:1: Pod default/a: metadata.annotations.fairlead.dev/run-duration: found \"-5s\", "
        "expected a duration that is not negative"}},
      {pod("name: a, creationTimestamp: today"),
       {"in.yaml:1: Pod default/a: metadata.creationTimestamp: found \"today\", expected a time "
        "such as 2026-01-31T12:00:00Z"}},
      {PodWith("spec: {containers: {}}"),
       {"in.yaml:4: Pod default/p: spec.containers: found a mapping, expected a list"}},
      {PodWith("spec: {containers: [x]}"),
       {"in.yaml:4: Pod default/p: spec.containers[0]: found \"x\", expected a mapping"}},
      {PodWith("spec: {priority: high, nodeName: 3, hostNetwork: 'true'}"),
       {"in.yaml:4: Pod default/p: spec.nodeName: found number 3, expected a string (in YAML, in "
        "quotes)",
        "in.yaml:4: Pod default/p: spec.priority: found \"high\", expected a whole number from "
        "-2147483648 to 2147483647",
        "in.yaml:4: Pod default/p: spec.hostNetwork: found \"true\", expected true or false"}},
      {PodWith("spec: {priority: 2147483648}"),
       {"in.yaml:4: Pod default/p: spec.priority: found number 2147483648, expected a whole number "
        "from -2147483648 to 2147483647"}},
      {PodWith("spec: {priority: 1.5}"),
       {"in.yaml:4: Pod default/p: spec.priority: found number 1.5, expected a whole number from "
        "-2147483648 to 2147483647"}},
      {PodWith("spec: {preemptionPolicy: Always}\nstatus: {phase: Sleeping}"),
       {"in.yaml:4: Pod default/p: spec.preemptionPolicy: found \"Always\", expected "
        "PreemptLowerPriority or Never",
        "in.yaml:5: Pod default/p: status.phase: found \"Sleeping\", expected Pending, Running, "
        "Succeeded, Failed or Unknown"}},
      {PodWith(
           "spec:\n  tolerations:\n  - {key: a, operator: Maybe, effect: Never}\n  - {value: x}"),
       {"in.yaml:6: Pod default/p: spec.tolerations[0].operator: found \"Maybe\", expected Equal "
        "or "
        "Exists",
        "in.yaml:6: Pod default/p: spec.tolerations[0].effect: found \"Never\", expected "
        "NoSchedule, PreferNoSchedule or NoExecute"}},
      {PodWith("spec:\n  tolerations:\n  - {value: x}"),
       {"in.yaml:6: Pod default/p: spec.tolerations[0].operator: found none with an empty key, "
        "expected Exists"}},
      {PodWith("spec: {containers: [{ports: [{containerPort: 80, hostPort: 70000}]}]}"),
       {"in.yaml:4: Pod default/p: spec.containers[0].ports[0].hostPort: found number 70000, "
        "expected a whole number from 0 to 65535"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(FaultsOf(c.text), c.faults);
    EXPECT_TRUE(Read(c.text).objects.empty());
  }
}

TEST(DecodePod, ReportsWrongAffinity) {
  const auto pod = [](const std::string& terms) {
    return PodWith(
        "spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {" +
        terms + "}}}}");
  };
  const std::string path =
      "in.yaml:4: Pod default/p: "
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  struct Case {
    std::string text, fault;
  };
  const auto term = [&](const std::string& expression) {
    return pod("nodeSelectorTerms: [{matchExpressions: [{" + expression + "}]}]");
  };
  const std::string expression = path + "[0].matchExpressions[0].";
  const Case cases[] = {
      {pod(""), path + ": found none, expected one or more"},
      {pod("nodeSelectorTerms: []"), path + ": found none, expected one or more"},
      {term("operator: In"), expression + "key: found none, expected a name"},
      {term("key: a"), expression + "operator: found none, expected one such as In"},
      {term("key: a, operator: Is"),
       expression + "operator: found \"Is\", expected In, NotIn, Exists, DoesNotExist, Gt or Lt"},
      {term("key: a, operator: In"), expression + "values: found none, expected one or more"},
      {term("key: a, operator: Exists, values: [b]"),
       expression + "values: found some, expected none with this operator"},
      {term("key: a, operator: Gt, values: [b]"),
       expression + "values: found something else, expected one whole number"},
      {term("key: a, operator: In, values: [1]"),
       expression + "values[0]: found number 1, expected a string (in YAML, in quotes)"},
      {pod("nodeSelectorTerms: [{matchFields: [{key: spec.x, operator: In, values: [a]}]}]"),
       path + "[0].matchFields[0].key: found \"spec.x\", expected metadata.name"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(FaultsOf(c.text), Strings{c.fault});
  }
}

TEST(DecodePod, ShowsTheFirstFaultsOfMany) {
  std::string labels;
  for (int i = 0; i < 100; ++i) labels += "x" + std::to_string(i) + ": 1, ";
  const Strings faults =
      FaultsOf("{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {" + labels + "}}}");
  ASSERT_EQ(faults.size(), 20u);
  EXPECT_EQ(faults.back(),
            "in.yaml:1: Pod default/a: found more faults than are shown here, expected none");
}

// Inputs on which a careless reader takes quadratic time. They are large enough to show it.
TEST(DecodePod, IsNotSlowOnLargeObjects) {
  constexpr int kMany = 100'000;
  std::string fields, resources, containers;
  for (int i = 0; i < kMany; ++i) {
    const std::string number = std::to_string(i);
    fields += "x" + number + ": 1, ";
    resources += "r" + number + ": 1, ";
    if (i < 2000) containers += "{resources: {limits: {r" + number + ": 1}}}, ";
  }
  const std::string pod = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [";
  EXPECT_EQ(FaultsOf(pod + "{resources: {limits: {" + resources + "}}}]}}"),
            (Strings{"in.yaml:1: Pod default/a: spec.containers[0].resources.limits: found 100000 "
                     "resources, expected at most 1000"}));
  EXPECT_EQ(FaultsOf(pod + containers + "]}}"),
            (Strings{"in.yaml:1: Pod default/a: spec.containers[1000]: found more than 1000 "
                     "resources up to here, expected fewer"}));
  EXPECT_EQ(
      FaultsOf("{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: q}, spec: {" +
               fields + "}}")
          .size(),
      20u);
}

}  // namespace
}  // namespace fairlead::objects
