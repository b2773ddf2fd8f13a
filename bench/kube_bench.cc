// A list of the API server's, as it comes over the network, to typed objects in a sink.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "intake/intake.h"
#include "kube/reflector.h"

namespace fairlead::bench {
namespace {

// One running pod as the API server sends it, about 3 KB, managed fields included.
std::string PodJson(std::int64_t i) {
  return fmt::format(
      R"({{"metadata":{{"name":"train-{0}-x7k2p","generateName":"train-{0}-",)"
      R"("namespace":"vision",)"
      R"("uid":"{0:08x}-aaaa-4bbb-8ccc-{0:012x}","resourceVersion":"{1}",)"
      R"("creationTimestamp":"2026-01-01T08:{2:02}:00Z","labels":{{"app":"train",)"
      R"("batch.kubernetes.io/job-name":"train-{0}","fairlead.dev/queue":"vision"}},)"
      R"("annotations":{{"cni.example.org/ips":"[\"10.42.1.2/32\"]"}},"ownerReferences":[)"
      R"({{"apiVersion":"batch/v1","kind":"Job","name":"train-{0}","uid":"{0:08x}-1111-4222-8333-)"
      R"({0:012x}","controller":true,"blockOwnerDeletion":true}}],"managedFields":[{{"manager":)"
      R"("kube-controller-manager","operation":"Update","apiVersion":"v1","time":)"
      R"("2026-01-01T08:00:00Z","fieldsType":"FieldsV1",)"
      R"("fieldsV1":{{"f:metadata":{{"f:annotations":)"
      R"({{".":{{}},"f:cni":{{}}}},"f:generateName":{{}},"f:labels":{{".":{{}},"f:app":{{}},)"
      R"("f:job":{{}}}},)"
      R"("f:ownerReferences":{{".":{{}}}}}},)"
      R"("f:spec":{{"f:containers":{{"k:{{\"name\":\"main\"}}":{{)"
      R"(".":{{}},"f:args":{{}},"f:command":{{}},"f:env":{{}},"f:image":{{}},)"
      R"("f:imagePullPolicy":{{}},)"
      R"("f:name":{{}},"f:resources":{{}},"f:volumeMounts":{{}}}}}},"f:dnsPolicy":{{}}}}}}}}]}},)"
      R"("spec":{{"volumes":[{{"name":"token","projected":{{"sources":[{{"serviceAccountToken":)"
      R"({{"expirationSeconds":3607,"path":"token"}}}},{{"configMap":{{"name":"kube-root-ca.crt",)"
      R"("items":[{{"key":"ca.crt","path":"ca.crt"}}]}}}}]}}}}],"containers":[{{"name":"main",)"
      R"("image":"registry.example.org/vision/train:2026.1","command":["python3","-m","train"],)"
      R"("args":["--epochs=90","--data=/mnt/data"],"env":[{{"name":"MASTER_ADDR","value":)"
      R"("train-{0}-0.train"}}],"resources":{{"limits":{{"nvidia.com/gpu":"1"}},)"
      R"("requests":{{"cpu":)"
      R"("8","memory":"64Gi","nvidia.com/gpu":"1"}}}},"volumeMounts":[{{"name":"token",)"
      R"("readOnly":)"
      R"(true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}}],)"
      R"("terminationMessagePath":"/dev/termination-log","imagePullPolicy":"IfNotPresent"}}],)"
      R"("restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",)"
      R"("nodeSelector":{{"pool":"gpu"}},"serviceAccountName":"default","nodeName":"node-{3}",)"
      R"("securityContext":{{}},"schedulerName":"fairlead",)"
      R"("tolerations":[{{"key":"nvidia.com/gpu",)"
      R"("operator":"Exists","effect":"NoSchedule"}}],"priority":0,"enableServiceLinks":true}},)"
      R"("status":{{"phase":"Running","conditions":[{{"type":"Ready","status":"True",)"
      R"("lastProbeTime":null,"lastTransitionTime":"2026-01-01T08:00:09Z"}},)"
      R"({{"type":"PodScheduled",)"
      R"("status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T08:00:01Z"}}],)"
      R"("hostIP":"10.0.0.1","podIP":"10.42.1.2","podIPs":[{{"ip":"10.42.1.2"}}],"startTime":)"
      R"("2026-01-01T08:00:01Z","containerStatuses":[{{"name":"main","state":{{"running":)"
      R"({{"startedAt":"2026-01-01T08:00:08Z"}}}},"lastState":{{}},"ready":true,"restartCount":0,)"
      R"("image":"registry.example.org/vision/train:2026.1",)"
      R"("imageID":"registry.example.org/vision/)"
      R"(train@sha256:0f5d6e","containerID":"containerd://7f3c{0:060x}","started":true}}],)"
      R"("qosClass":"Burstable"}}}})",
      i, i + 1000, i % 60, i % 5000);
}

// Hands the reflector what the benchmark wants it to read.
class Feed : public kube::Loop {
 public:
  Time Now() const override { return {}; }
  Time LocalNow() const override { return {}; }
  kube::TimerId After(Duration, std::function<void()>) override { return 1; }
  void CancelTimer(kube::TimerId) override {}
  kube::CallId Send(kube::Request, std::function<void(kube::Response)>) override { return 1; }
  kube::CallId Open(kube::Request, kube::Stream& to) override {
    stream = &to;
    return 1;
  }
  void Cancel(kube::CallId) override {}

  kube::Stream* stream = nullptr;
};

class Count : public kube::Sink {
 public:
  void Upsert(objects::Object object, const kube::ObjectRef&) override {
    benchmark::DoNotOptimize(object);
  }
  void Delete(const kube::ObjectRef&) override {}
  void Refuse(const kube::ObjectRef&, const std::vector<objects::Fault>&) override { ++refused; }
  void Synced(std::size_t count) override { synced = count; }
  void Reached(std::string_view) override {}

  std::size_t synced = 0, refused = 0;
};

void BM_ListPods(benchmark::State& state) {
  const std::int64_t pods = state.range(0);
  std::string list =
      R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"99"},"items":[)";
  for (std::int64_t i = 0; i < pods; ++i) list += (i == 0 ? "" : ",") + PodJson(i);
  list += "]}\n";
  constexpr std::size_t kPiece = 256 << 10;
  for (auto _ : state) {
    Feed feed;
    Count count;
    kube::Reflector reflector(feed, {.plural = "pods", .kind = "Pod"}, intake::AllDecoders(), count,
                              {});
    reflector.Start();
    feed.stream->OnHeaders(200, std::nullopt);
    for (std::size_t at = 0; at < list.size(); at += kPiece) {
      feed.stream->OnBytes(std::string_view(list).substr(at, kPiece));
    }
    feed.stream->OnEnd(kube::Outcome::kAnswered, "");
    if (count.synced != static_cast<std::size_t>(pods) || count.refused != 0) {
      state.SkipWithError("not all pods were read");
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(list.size()));
  state.SetItemsProcessed(state.iterations() * pods);
}
BENCHMARK(BM_ListPods)->Arg(50'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fairlead::bench
