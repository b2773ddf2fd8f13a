#include "bench/run_server.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace fairlead::bench {
namespace {

constexpr std::size_t kPiece = 128 << 10;  // of an answer at a time
constexpr int kVersion = 1000;             // of all there is
constexpr int kPodsOfOwner = 50;

Time MachineTime(std::chrono::nanoseconds since) {
  return {std::chrono::duration_cast<std::chrono::microseconds>(since).count()};
}

// The value of `name` in a query; empty: it is not there.
std::string_view Asked(std::string_view path, std::string_view name) {
  for (std::size_t at = path.find('?'); at != path.npos; at = path.find('&', at)) {
    const std::string_view rest = path.substr(++at);
    if (rest.starts_with(name) && rest.substr(name.size()).starts_with('=')) {
      const std::string_view value = rest.substr(name.size() + 1);
      return value.substr(0, value.find('&'));
    }
  }
  return {};
}

std::int64_t NumberOf(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

void RunServer::AddNode(std::int64_t i, std::string& out) {
  fmt::format_to(
      std::back_inserter(out),
      R"({{"metadata":{{"name":"node-{0}","uid":"{0:08x}-cccc-4bbb-8ccc-{0:012x}",)"
      R"("resourceVersion":"{1}","creationTimestamp":"2026-01-01T00:00:00Z","labels":{{)"
      R"("beta.kubernetes.io/arch":"amd64","beta.kubernetes.io/os":"linux",)"
      R"("kubernetes.io/arch":"amd64","kubernetes.io/hostname":"node-{0}",)"
      R"("kubernetes.io/os":"linux","node.kubernetes.io/instance-type":"c64",)"
      R"("topology.kubernetes.io/region":"r1","topology.kubernetes.io/zone":"r1-{2}"}},)"
      R"("annotations":{{"node.alpha.kubernetes.io/ttl":"0",)"
      R"("volumes.kubernetes.io/controller-managed-attach-detach":"true"}},"managedFields":[{{)"
      R"("manager":"kubelet","operation":"Update","apiVersion":"v1","time":)"
      R"("2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{{"f:status":{{)"
      R"("f:allocatable":{{"f:cpu":{{}},"f:memory":{{}}}},"f:capacity":{{"f:cpu":{{}},)"
      R"("f:memory":{{}}}},"f:conditions":{{"k:{{\"type\":\"Ready\"}}":{{)"
      R"("f:lastHeartbeatTime":{{}}}}}}}}}},"subresource":"status"}}]}},"spec":{{"podCIDR":)"
      R"("10.42.0.0/24","providerID":"x://{0}"}},"status":{{"capacity":{{"cpu":"64",)"
      R"("ephemeral-storage":"500Gi","hugepages-2Mi":"0","memory":"256Gi","pods":"110"}},)"
      R"("allocatable":{{"cpu":"64","ephemeral-storage":"460Gi","hugepages-2Mi":"0",)"
      R"("memory":"252Gi","pods":"110"}},"conditions":[{{"type":"MemoryPressure","status":)"
      R"("False","lastHeartbeatTime":"2026-01-01T00:00:00Z","lastTransitionTime":)"
      R"("2026-01-01T00:00:00Z","reason":"KubeletHasSufficientMemory","message":)"
      R"("kubelet has sufficient memory available"}},{{"type":"Ready","status":"True",)"
      R"("lastHeartbeatTime":"2026-01-01T00:00:00Z","lastTransitionTime":)"
      R"("2026-01-01T00:00:00Z","reason":"KubeletReady","message":)"
      R"("kubelet is posting ready status"}}],"addresses":[{{"type":"InternalIP","address":)"
      R"("10.0.0.1"}},{{"type":"Hostname","address":"node-{0}"}}],"nodeInfo":{{"machineID":)"
      R"("{0:032x}","kernelVersion":"6.1.0","osImage":"Debian GNU/Linux 12",)"
      R"("containerRuntimeVersion":"containerd://1.7.13","kubeletVersion":"v1.33.1",)"
      R"("operatingSystem":"linux","architecture":"amd64"}}}}}})",
      i, kVersion, i % 8);
}

// Of fifty pods each a ReplicaSet's or a StatefulSet's, one after the other; a hundred namespaces.
// A Job's would wait for that, which is not served.
void RunServer::AddPod(std::int64_t i, std::int64_t nodes, std::string& out) {
  const std::int64_t owner = i / kPodsOfOwner;
  const bool of_set = owner % 2 == 1;
  fmt::format_to(
      std::back_inserter(out),
      R"({{"metadata":{{"name":"train-{3}-x{0}","generateName":"train-{3}-",)"
      R"("namespace":"team-{4}","uid":"{0:08x}-aaaa-4bbb-8ccc-{0:012x}",)"
      R"("resourceVersion":"{1}","creationTimestamp":"2026-01-01T08:{2:02}:00Z","labels":{{)"
      R"("app":"train-{3}","{7}":"train-{3}","fairlead.dev/queue":"team-{4}"}},)"
      R"("ownerReferences":[{{"apiVersion":"{6}","kind":"{5}","name":"train-{3}","uid":)"
      R"("{3:08x}-1111-4222-8333-{3:012x}","controller":true,"blockOwnerDeletion":true}}],)"
      R"("managedFields":[{{"manager":"kube-controller-manager","operation":"Update",)"
      R"("apiVersion":"v1","time":"2026-01-01T08:00:00Z","fieldsType":"FieldsV1","fieldsV1":{{)"
      R"("f:metadata":{{"f:generateName":{{}},"f:labels":{{".":{{}},"f:app":{{}}}},)"
      R"("f:ownerReferences":{{".":{{}}}}}},"f:spec":{{"f:containers":{{)"
      R"("k:{{\"name\":\"main\"}}":{{".":{{}},"f:image":{{}},"f:resources":{{}}}}}}}}}}}}]}},)"
      R"("spec":{{"volumes":[{{"name":"token","projected":{{"sources":[{{)"
      R"("serviceAccountToken":{{"expirationSeconds":3607,"path":"token"}}}}]}}}}],)"
      R"("containers":[{{"name":"main","image":"registry.example.org/vision/train:2026.1",)"
      R"("command":["python3","-m","train"],"resources":{{"limits":{{"memory":"4Gi"}},)"
      R"("requests":{{"cpu":"{8}","memory":"4Gi"}}}},"volumeMounts":[{{"name":"token",)"
      R"("readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}}],)"
      R"("imagePullPolicy":"IfNotPresent"}}],"restartPolicy":"Never",)"
      R"("terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":)"
      R"("default","nodeName":"node-{9}","securityContext":{{}},"schedulerName":"fairlead",)"
      R"("tolerations":[{{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":)"
      R"("NoExecute","tolerationSeconds":300}}],"priority":0,"enableServiceLinks":true}},)"
      R"("status":{{"phase":"Running","conditions":[{{"type":"Ready","status":"True",)"
      R"("lastProbeTime":null,"lastTransitionTime":"2026-01-01T08:00:09Z"}},{{"type":)"
      R"("PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":)"
      R"("2026-01-01T08:00:01Z"}}],"hostIP":"10.0.0.1","podIP":"10.42.1.2","startTime":)"
      R"("2026-01-01T08:00:01Z","containerStatuses":[{{"name":"main","state":{{"running":{{)"
      R"("startedAt":"2026-01-01T08:00:08Z"}}}},"lastState":{{}},"ready":true,)"
      R"("restartCount":0,"image":"registry.example.org/vision/train:2026.1"}}],)"
      R"("qosClass":"Burstable"}}}})",
      i, kVersion, i % 60, owner, owner % 100, of_set ? "StatefulSet" : "ReplicaSet", "apps/v1",
      of_set ? "apps.kubernetes.io/pod-set" : "pod-template-hash", 1 + i % 4, i % nodes);
}

RunServer::RunServer(World world) : world_(world) {}

// --- The loop ------------------------------------------------------------------------------------

Time RunServer::Now() const {
  return MachineTime(std::chrono::steady_clock::now().time_since_epoch());
}
Time RunServer::LocalNow() const {
  return MachineTime(std::chrono::system_clock::now().time_since_epoch());
}

kube::TimerId RunServer::After(Duration delay, std::function<void()> fn) {
  const Time at = Now() + delay;
  times_.emplace(++last_timer_, at);
  timers_.emplace(std::pair(at, last_timer_), std::move(fn));
  return last_timer_;
}

void RunServer::CancelTimer(kube::TimerId timer) {
  const auto found = times_.find(timer);
  if (found == times_.end()) return;
  timers_.erase({found->second, timer});
  times_.erase(found);
}

void RunServer::Post(std::function<void()> fn) {
  {
    const MutexLock lock(mutex_);
    posted_.push_back(std::move(fn));
  }
  wake_.NotifyOne();
}

void RunServer::Stop() {
  {
    const MutexLock lock(mutex_);
    stops_ = true;
  }
  wake_.NotifyOne();
}

void RunServer::Run() {
  for (;;) {
    std::vector<std::function<void()>> posted;
    {
      MutexLock lock(mutex_);
      if (stops_) return;
      posted.swap(posted_);
    }
    for (const auto& fn : posted) fn();
    if (RunNext() || !posted.empty()) continue;
    const Duration idle =
        timers_.empty() ? Duration::Seconds(1) : timers_.begin()->first.first - Now();
    MutexLock lock(mutex_);
    if (stops_ || !posted_.empty() || idle.us <= 0) continue;
    wake_.WaitUntil(lock, ConditionVariable::Clock::now() + std::chrono::microseconds(idle.us));
  }
}

// A timer that is due, an answer to what was sent, or the next piece of one. False: there was none.
bool RunServer::RunNext() {
  if (!timers_.empty() && timers_.begin()->first.first <= Now()) {
    auto timer = timers_.extract(timers_.begin());
    times_.erase(timer.key().second);
    timer.mapped()();
    return true;
  }
  if (!sent_.empty()) {
    const auto answer = std::move(sent_.front().second);
    sent_.pop_front();
    answer();
    return true;
  }
  if (due_.empty()) return false;
  const kube::CallId id = due_.front();
  due_.pop_front();
  GoOn(id);
  return true;
}

// --- The server ----------------------------------------------------------------------------------

kube::CallId RunServer::Send(kube::Request request, std::function<void(kube::Response)> fn) {
  const kube::CallId id = ++last_call_;
  const bool reads = request.method == kube::Method::kGet;
  sent_.emplace_back(id, [fn = std::move(fn), reads] {
    fn({.status = 200, .body = reads ? R"({"resources":[]})" : "{}"});
  });
  return id;
}

kube::CallId RunServer::Open(kube::Request request, kube::Stream& stream) {
  const kube::CallId id = ++last_call_;
  const std::string_view path = request.path;
  Answer answer{.stream = &stream};
  answer.is_list = Asked(path, "watch") != "true";
  answer.api_version = "v1";
  if (path.starts_with("/api/v1/pods?")) {
    answer.kind = "Pod";
    answer.total = world_.pods;
  } else if (path.starts_with("/api/v1/nodes?")) {
    answer.kind = "Node";
    answer.total = world_.nodes;
    if (!answer.is_list) node_watch_ = id;
  }
  const bool streams = world_.watch_lists && Asked(path, "sendInitialEvents") == "true";
  if (answer.is_list) {
    answer.next = NumberOf(Asked(path, "continue"));
    const std::int64_t limit = NumberOf(Asked(path, "limit"));
    answer.end = limit == 0 ? answer.total : std::min(answer.total, answer.next + limit);
  } else if (streams) {
    answer.end = answer.total;
  } else {
    answer.is_told = true;
  }
  answers_.emplace(id, std::move(answer));
  due_.push_back(id);
  return id;
}

void RunServer::Cancel(kube::CallId call) {
  answers_.erase(call);
  std::erase(due_, call);
  std::erase_if(sent_, [&](const auto& each) { return each.first == call; });
}

std::string RunServer::Bookmark(const Answer& answer, bool ends_list) const {
  return fmt::format(R"({{"type":"BOOKMARK","object":{{"kind":"{}","apiVersion":"{}","metadata":{{)"
                     R"("resourceVersion":"{}"{}}}}}}})"
                     "\n",
                     answer.kind, answer.api_version, kVersion,
                     ends_list ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : "");
}

// One piece of it.
void RunServer::GoOn(kube::CallId id) {
  const auto found = answers_.find(id);
  if (found == answers_.end()) return;
  Answer& answer = found->second;
  kube::Stream* const stream = answer.stream;
  if (!std::exchange(answer.has_begun, true)) {
    due_.push_back(id);
    return stream->OnHeaders(200, std::nullopt);
  }
  if (answer.is_told) {
    if (!answer.is_list) return;
    answers_.erase(found);
    return stream->OnEnd(kube::Outcome::kAnswered, "");
  }
  piece_.clear();
  if (answer.is_list && answer.next % 5'000 == 0) {
    const std::string more =
        answer.end < answer.total ? fmt::format(R"(,"continue":"{}")", answer.end) : std::string();
    piece_ = fmt::format(
        R"({{"kind":"{}List","apiVersion":"{}","metadata":{{"resourceVersion":"{}"{}}},"items":[)",
        answer.kind, answer.api_version, kVersion, more);
  }
  while (piece_.size() < kPiece && answer.next < answer.end) {
    if (!answer.is_list) piece_ += R"({"type":"ADDED","object":)";
    if (answer.kind == "Pod") {
      AddPod(answer.next, world_.nodes, piece_);
    } else {
      AddNode(answer.next, piece_);
    }
    ++answer.next;
    if (!answer.is_list) {
      piece_ += "}\n";
    } else if (answer.next < answer.end) {
      piece_ += ',';
    }
  }
  if (answer.next >= answer.end) {
    answer.is_told = true;
    piece_ += answer.is_list ? "]}\n" : Bookmark(answer, true);
  }
  due_.push_back(id);
  stream->OnBytes(piece_);
}

void RunServer::SayNothingNew(int times, std::function<void(Duration)> then) {
  const auto watch = answers_.find(node_watch_);
  Answer& answer = watch->second;
  std::chrono::nanoseconds spent{};
  for (int i = 0; i < times; ++i) {
    std::string line = Bookmark(answer, false);
    line.replace(line.find(fmt::format("\"{}\"", kVersion)) + 1, 4, std::to_string(2'000 + i));
    answer.stream->OnBytes(line);
    const auto began = std::chrono::steady_clock::now();
    while (!timers_.empty() && timers_.begin()->first.first <= Now()) RunNext();
    spent += std::chrono::steady_clock::now() - began;
  }
  then({std::chrono::duration_cast<std::chrono::microseconds>(spent).count()});
}

}  // namespace fairlead::bench
