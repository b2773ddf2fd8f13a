#include "unit/virtual/run.h"

#include <utility>

#include <gmock/gmock.h>

#include "intake/intake.h"

namespace fairlead::virtual_cluster {
namespace {

std::string Joined(std::string text, std::string_view more) {
  if (!more.empty()) text.append(", ").append(more);
  return text;
}

}  // namespace

std::vector<objects::Object> Read(std::string_view yaml) {
  objects::Manifest manifest;
  objects::ReadText(yaml, "test.yaml", intake::AllDecoders(), manifest);
  for (const objects::Fault& fault : manifest.faults) ADD_FAILURE() << fault.ToString();
  EXPECT_THAT(manifest.warnings, testing::IsEmpty());
  return std::move(manifest.objects);
}

Time Begin() { return *ParseTime("2026-01-01T00:00:00Z"); }

void EventLines::OnEvent(const drive::Event& event) {
  std::string line = FormatDuration(event.time - Begin());
  line.append(" ").append(ToString(event.type));
  const bool about_workload =
      event.type == drive::EventType::kAdmit || event.type == drive::EventType::kStop;
  if (about_workload) {
    line.append(" ").append(event.workload);
  } else if (!event.pod.empty()) {
    line.append(" ").append(event.pod);
  } else {
    line.append(" ").append(event.kind).append(" ").append(event.object);
  }
  if (!event.node.empty()) line.append(" ").append(event.node);
  if (!event.action.empty()) line.append(" ").append(event.action);
  if (!event.beneficiary.empty()) line.append(" for ").append(event.beneficiary);
  for (const engine::PodSetCount& set : event.pod_sets) {
    line.append(" ").append(set.name).append("=").append(std::to_string(set.count));
  }
  lines_.push_back(std::move(line));
}

std::vector<std::string> EventLines::Take() { return std::exchange(lines_, {}); }

Simulated::Simulated(std::string_view yaml, const Delays& delays)
    : cluster({.start = Begin(), .delays = delays}) {
  cluster.AddObserver(&lines);
  Submit(yaml);
}

void Simulated::Submit(std::string_view yaml) {
  const auto submitted = cluster.Submit(Read(yaml));
  if (submitted) return;
  for (const objects::Fault& fault : submitted.error()) ADD_FAILURE() << fault.ToString();
}

std::vector<std::string> Simulated::Until(std::int64_t seconds) {
  cluster.RunUntil(Begin() + Duration::Seconds(seconds));
  return lines.Take();
}

std::vector<std::string> Simulated::ToIdle() {
  // Nothing in the tests lasts a day: one that does not come to rest fails here.
  EXPECT_TRUE(cluster.RunToIdle(Begin() + Duration::Seconds(86'400)));
  return lines.Take();
}

std::vector<std::string> Simulated::Pods() const {
  std::vector<std::string> all;
  for (const PodFinal& pod : cluster.FinalState().pods) {
    all.push_back(pod.pod + " " + std::string(objects::ToString(pod.phase)) +
                  (pod.node.empty() ? "" : " " + pod.node));
  }
  return all;
}

std::vector<std::string> Simulated::Workloads() const {
  std::vector<std::string> all;
  for (const WorkloadFinal& workload : cluster.FinalState().workloads) {
    std::string line = workload.workload + " " + std::string(ToString(workload.state));
    for (const PodSetFinal& set : workload.pod_sets) {
      line += " " + set.name + " " + std::to_string(set.running) + "/" + std::to_string(set.count);
    }
    all.push_back(std::move(line));
  }
  return all;
}

std::string Object(std::string_view api_version, std::string_view kind, std::string_view name,
                   std::string_view meta, std::string_view spec) {
  std::string text = "{apiVersion: ";
  text.append(api_version).append(", kind: ").append(kind).append(", metadata: {name: ");
  text.append(Joined(std::string(name), meta)).append("}, spec: {").append(spec);
  return text + "}}\n---\n";
}

std::string Queue(std::string_view name, std::string_view spec) {
  return Object("fairlead.dev/v1alpha1", "Queue", name, "", spec);
}

std::string Node(std::string_view name, std::string_view allocatable, std::string_view meta,
                 std::string_view spec) {
  std::string text = "{apiVersion: v1, kind: Node, metadata: {name: ";
  text.append(Joined(std::string(name), meta)).append("}, spec: {").append(spec);
  text.append("}, status: {allocatable: {pods: 110, ").append(allocatable);
  return text + "}}}\n---\n";
}

std::string Pod(std::string_view name, std::string_view cpu, std::string_view meta,
                std::string_view spec) {
  std::string body = "schedulerName: fairlead, containers: [{name: c, resources: {requests: {cpu: ";
  body.append(cpu).append("}}}]");
  return Object("v1", "Pod", name, Joined("namespace: a", meta), Joined(body, spec));
}

std::string Template(std::string_view cpu, std::string_view annotations) {
  std::string text = "{metadata: {annotations: {";
  text.append(annotations).append("}}, spec: {schedulerName: fairlead, containers: [{name: c, ");
  text.append("resources: {requests: {cpu: ").append(cpu);
  return text + "}}}]}}";
}

void ExpectRoomIsHeldBehind(Simulated& run, const std::string& first, const std::string& queue) {
  const std::string starts = first + " Pending n1";
  run.Until(5);
  EXPECT_THAT(run.Pods(), testing::ElementsAre(starts));
  run.Submit(Pod("other", "2", "labels: {fairlead.dev/queue: " + queue + "}"));
  run.Until(880);
  EXPECT_THAT(run.Pods(), testing::ElementsAre("a/other Pending", starts));
}

}  // namespace fairlead::virtual_cluster
