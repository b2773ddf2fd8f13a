// Records line by line: what becomes of single objects, and what is no record.

#include "trace/record.h"

#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "account/bookkeeper.h"
#include "account/fold.h"
#include "account/jitter.h"
#include "trace/record_workload.h"
#include "unit/base/scratch_dir.h"
#include "virtual/world.h"

namespace fairlead::trace {
namespace {

using objects::Object;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using virtual_cluster::kArrivesAt;
using virtual_cluster::kRunDuration;

// A moment so many seconds after the start of them all.
std::string Stamp(int seconds) {
  return fmt::format("2026-01-01T{:02}:{:02}:{:02}Z", seconds / 3600, seconds / 60 % 60,
                     seconds % 60);
}

std::string Configured() {
  return fmt::format(R"({{"time":"{}","configuration":{{"apiVersion":"fairlead.dev/v1alpha1",)"
                     R"("kind":"SchedulerConfiguration"}}}})",
                     Stamp(0));
}
std::string Came(int at, std::string_view api, std::string_view kind, std::string_view object) {
  return fmt::format(R"({{"time":"{}","apiVersion":"{}","kind":"{}","object":{}}})", Stamp(at), api,
                     kind, object);
}
std::string Gone(int at, std::string_view kind, std::string_view name) {
  return fmt::format(R"({{"time":"{}","gone":{{"kind":"{}","namespace":"{}","name":"{}"}}}})",
                     Stamp(at), kind, kind == "Node" ? "" : "team", name);
}
std::string Round(int at) {
  return fmt::format(R"({{"round":"{}","decisions":0,"digest":"{}"}})", Stamp(at), "");
}
std::string Node(int at, std::string_view name, int cpus, std::string_view annotations = "") {
  return Came(at, "v1", "Node",
              fmt::format(R"({{"metadata":{{"name":"{}","annotations":{{{}}}}},)"
                          R"("status":{{"allocatable":{{"cpu":"{}","pods":"9"}}}}}})",
                          name, annotations, cpus));
}

struct PodLine {
  std::string name, uid = "u", labels, annotations, owner, node, phase = "Pending";
  std::string scheduler = "fairlead", deletion;
};
std::string Pod(int at, const PodLine& pod) {
  const auto quoted = [](std::string_view key, const std::string& value) {
    return value.empty() ? std::string() : fmt::format(R"(,"{}":"{}")", key, value);
  };
  std::string owners;
  if (!pod.owner.empty()) {
    const std::size_t slash = pod.owner.find('/');
    const std::string kind = pod.owner.substr(0, slash);
    owners =
        fmt::format(R"(,"ownerReferences":[{{"apiVersion":"{}","kind":"{}","name":"{}","uid":"o",)"
                    R"("controller":true}}])",
                    kind == "Job"          ? "batch/v1"
                    : kind == "Workload"   ? "fairlead.dev/v1alpha1"
                    : kind == "RayCluster" ? "ray.io/v1"
                                           : "apps/v1",
                    kind, pod.owner.substr(slash + 1));
  }
  return Came(at, "v1", "Pod",
              fmt::format(R"({{"metadata":{{"name":"{}","namespace":"team","uid":"{}",)"
                          R"("labels":{{{}}},"annotations":{{{}}}{}{}}},)"
                          R"("spec":{{"schedulerName":"{}","containers":[{{"name":"c"}}]{}}},)"
                          R"("status":{{"phase":"{}"}}}})",
                          pod.name, pod.uid, pod.labels, pod.annotations, owners,
                          quoted("deletionTimestamp", pod.deletion), pod.scheduler,
                          quoted("nodeName", pod.node), pod.phase));
}

std::string Workload(int at, std::string_view name, std::string_view uid, bool has_template) {
  return Came(
      at, "fairlead.dev/v1alpha1", "Workload",
      fmt::format(R"({{"metadata":{{"name":"{}","namespace":"team","uid":"{}"}},)"
                  R"("spec":{{"queueName":"q","podSets":[{{"name":"worker","count":1{}}}]}}}})",
                  name, uid,
                  has_template ? R"(,"template":{"spec":{"containers":[{"name":"c"}]}})" : ""));
}

std::string Job(int at, std::string_view name, std::string_view scheduler = "fairlead") {
  return Came(at, "batch/v1", "Job",
              fmt::format(R"({{"metadata":{{"name":"{}","namespace":"team"}},"spec":{{)"
                          R"("completions":2,"parallelism":2,"template":{{"spec":{{)"
                          R"("schedulerName":"{}","containers":[{{"name":"c"}}]}}}}}}}})",
                          name, scheduler));
}

class RecordTest : public ::testing::Test {
 protected:
  void Write(const std::vector<std::string>& lines, std::string_view rest = "") const {
    std::ofstream out(directory_ + "/record.jsonl");
    for (const std::string& line : lines) out << line << '\n';
    out << rest;
  }

  RecordedWorkload Read() const {
    auto recorded = ReadRecordedWorkload(directory_);
    if (recorded) return std::move(*recorded);
    ADD_FAILURE() << recorded.error().message;
    return {};
  }

  // "Kind name, arrives, lasts", of all but the configuration.
  static std::vector<std::string> Shown(const std::vector<Object>& objects) {
    std::vector<std::string> shown;
    for (const Object& object : objects) {
      if (std::holds_alternative<objects::SchedulerConfiguration>(object)) continue;
      const objects::Meta& meta = objects::MetaOf(object);
      const auto text = [](const objects::Labels& from, std::string_view key) {
        const std::string* found = objects::FindLabel(from, key);
        return found == nullptr ? std::string("-") : *found;
      };
      std::string lasts = text(meta.annotations, kRunDuration);
      if (const auto* job = std::get_if<objects::Job>(&object)) {
        lasts = text(job->pod_template.annotations, kRunDuration);
      } else if (const auto* of_row = std::get_if<objects::JobObject>(&object)) {
        lasts = text(of_row->pod_sets.front().pod_template.annotations, kRunDuration);
      } else if (const auto* workload = std::get_if<objects::Workload>(&object)) {
        const auto& from = workload->pod_sets.front().pod_template;
        if (from) lasts = text(from->annotations, kRunDuration);
      }
      shown.push_back(fmt::format("{} {}, {}, {}", objects::KindOf(object), meta.name,
                                  text(meta.annotations, kArrivesAt), lasts));
    }
    return shown;
  }

  std::string Problem() const {
    const auto replay = ReplayRecord(directory_, nullptr);
    const auto workload = ReadRecordedWorkload(directory_);
    EXPECT_FALSE(replay);
    EXPECT_FALSE(workload);
    if (replay || workload) return {};
    EXPECT_EQ(replay.error().message, workload.error().message);
    return workload.error().message.substr(directory_.size() + 1);
  }

  const ScratchDir scratch_;
  const std::string directory_ = scratch_.path();
};

TEST_F(RecordTest, SaysWhatIsNoRecord) {
  EXPECT_EQ(Problem(), "record.jsonl cannot be read");
  const std::string expected = "expected a record that `fairlead run --record` wrote";
  Write({});
  EXPECT_EQ(Problem(), "record.jsonl: found no line, " + expected);
  Write({Configured(), Node(1, "n1", 4)});
  EXPECT_EQ(Problem(), "record.jsonl: found no round, " + expected);
  Write({Configured(), "round"});
  EXPECT_EQ(Problem(), "record.jsonl:2: found no JSON object, expected one a line");
  Write({Configured(), R"({"time":"2026-01-01T00:00:01Z","object":{}})"});
  EXPECT_THAT(Problem(), HasSubstr("record.jsonl:2: "));
  Write({Configured(), R"({"time":"2026-01-01T00:00:01Z"})"});
  EXPECT_EQ(Problem(), "record.jsonl:2: found none of configuration, object, gone, failed, round");
  Write({Configured(), R"({"time":"2026-01-01T00:00:01Z","gone":{"kind":"Pod"}})"});
  EXPECT_EQ(Problem(), "record.jsonl:2: gone: expected kind, namespace and name");
  Write({Configured(), R"({"failed":{}})"});
  EXPECT_EQ(Problem(), "record.jsonl:2: failed: expected BindFailed or EvictFailed");
  Write({Configured(), R"({"failed":{"BindFailed":"a/p","refusal":7}})"});
  EXPECT_EQ(Problem(), "record.jsonl:2: failed: refusal: expected an object");
  Write({Configured(), R"({"failed":{"BindFailed":"a/p","refusal":{"node":"n"}}})"});
  EXPECT_THAT(Problem(), HasSubstr("record.jsonl:2: time: "));
  Write({Configured(), Came(1, "v1", "Node", R"({"metadata":{"name":"n","labels":7}})")});
  EXPECT_EQ(Problem(),
            "record.jsonl:2: Node n: metadata.labels: found number 7, expected a mapping");
}

// The clock of the API server was set back: time stands still until it is there again.
TEST_F(RecordTest, TimeMayGoBack) {
  Write({Configured(), Node(1, "n1", 4), Round(10), Round(30), Node(15, "n2", 7), Round(15),
         Node(32, "n3", 7), Round(40)});
  const RecordedWorkload read = Read();
  EXPECT_EQ(read.end - read.start, Duration::Seconds(30));
  EXPECT_THAT(Shown(read.objects),
              ElementsAre("Node n1, -, -", "Node n2, 20s, -", "Node n3, 22s, -"));
  const auto replay = ReplayRecord(directory_, nullptr);
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->rounds, 4);
  EXPECT_EQ(FormatTime(replay->end), Stamp(40));
}

TEST_F(RecordTest, SaysThatItIsCutOff) {
  Write({Configured(), Node(1, "n1", 4), Round(2)}, R"({"round":"2026)");
  EXPECT_THAT(Read().warnings, ElementsAre("record: the last line is cut off and left out"));
  EXPECT_TRUE(ReplayRecord(directory_, nullptr)->cut_off);
  Write({Configured(), Node(1, "n1", 4), Round(2)});
  EXPECT_THAT(Read().warnings, IsEmpty());
  EXPECT_FALSE(ReplayRecord(directory_, nullptr)->cut_off);
}

// What nothing is decided by is no change of a node, and what is there before the first round no
// arrival.
TEST_F(RecordTest, NodesComeChangeAndGo) {
  Write({Configured(), Node(1, "n1", 4), Node(2, "n1", 5), Node(2, "other", 1),
         Gone(3, "Node", "other"), Round(10), Node(20, "n1", 5, R"("seen":"now")"), Round(20),
         Node(30, "n1", 6), Node(30, "n2", 7), Round(30), Gone(40, "Node", "n1"), Round(40),
         Node(50, "n1", 6), Round(50)});
  const RecordedWorkload read = Read();
  EXPECT_EQ(read.end - read.start, Duration::Seconds(40));
  EXPECT_THAT(Shown(read.objects), ElementsAre("Node n1, -, -", "Node n2, 20s, -"));
  EXPECT_THAT(Shown(read.changes),
              ElementsAre("Node n1, 20s, -", "Node n1, 30s, -", "Node n1, 40s, -"));
  EXPECT_TRUE(std::get<objects::Node>(read.changes[1]).unschedulable);
  EXPECT_FALSE(std::get<objects::Node>(read.changes[2]).unschedulable);
  EXPECT_THAT(read.warnings, ElementsAre(HasSubstr("1 node went")));
}

TEST_F(RecordTest, PodsThatNobodyMakesAnewComeThemselves) {
  const PodLine web{.name = "web-0", .uid = "u1", .owner = "StatefulSet/web"};
  PodLine bound = web, again = web;
  bound.node = again.node = "n1";
  bound.phase = again.phase = "Running";
  again.uid = "u2";
  Write({Configured(), Node(0, "n1", 4), Round(0), Pod(5, web), Round(5), Pod(10, bound),
         Gone(25, "Pod", "web-0"), Round(25), Pod(30, again), Round(60)});
  // The second one is not seen to end: such a pod never does.
  const RecordedWorkload read = Read();
  EXPECT_THAT(Shown(read.objects),
              ElementsAre("Node n1, -, -", "Pod web-0, 5s, 15s", "Pod web-0-again-2, 30s, -"));
  EXPECT_TRUE(std::get<objects::Pod>(read.objects.back()).spec.node_name.empty());
  EXPECT_THAT(read.warnings, IsEmpty());
}

TEST_F(RecordTest, PodsOfOthersComeToTheirNodes) {
  PodLine system{.name = "dns", .scheduler = "default-scheduler"};
  PodLine waits{.name = "waits", .scheduler = "default-scheduler"};
  PodLine made{.name = "made", .owner = "Job/theirs", .scheduler = "default-scheduler"};
  PodLine bound = system;
  bound.node = made.node = "n1";
  Write({Configured(), Node(0, "n1", 4), Round(0), Job(1, "theirs", "default-scheduler"),
         Pod(5, system), Pod(5, waits), Pod(6, made), Round(6), Pod(8, bound),
         Gone(26, "Pod", "made"), Round(30)});
  const RecordedWorkload read = Read();
  EXPECT_THAT(Shown(read.objects),
              ElementsAre("Node n1, -, -", "Pod dns, 8s, -", "Pod made, 6s, 20s"));
  EXPECT_EQ(std::get<objects::Pod>(read.objects[2]).spec.node_name, "n1");
}

// Pods of a template are not there twice. What was told to end is cut off, whatever it says of it.
TEST_F(RecordTest, TemplatesLastAsTheirPodsDid) {
  const auto pod = [](int at, const std::string& name, std::string phase,
                      std::string deletion = "") {
    return Pod(at, {.name = name,
                    .uid = name,
                    .owner = "Job/j",
                    .node = "n1",
                    .phase = std::move(phase),
                    .deletion = std::move(deletion)});
  };
  const auto of_gang = [](int at, std::string phase) {
    return Pod(at, {.name = "g-worker-0",
                    .labels = R"("fairlead.dev/workload":"g","fairlead.dev/pod-set":"worker")",
                    .annotations = R"("pod-group-name":"group")",
                    .owner = "Workload/g",
                    .node = "n1",
                    .phase = std::move(phase)});
  };
  Write({Configured(), Node(0, "n1", 4), Round(0), Job(1, "j"), Workload(1, "g", "w", true),
         Job(2, "later"), Round(2), pod(10, "j-0", "Running"), pod(10, "j-1", "Running"),
         of_gang(10, "Running"), pod(11, "j-0", "Failed", Stamp(11)), pod(12, "j-2", "Running"),
         pod(30, "j-1", "Succeeded"), pod(42, "j-2", "Succeeded"), Round(50)});
  const RecordedWorkload read = Read();
  // (20 s + 30 s) / 2; the gang was seen for 40 s, and the job that never ran has its kind's
  // median.
  EXPECT_THAT(Shown(read.objects), ElementsAre("Node n1, -, -", "Job j, 1s, 25s",
                                               "Workload g, 1s, 40s", "Job later, 2s, 25s"));
  const auto& gang = std::get<objects::Workload>(read.objects[3]);
  EXPECT_EQ(*objects::FindLabel(gang.pod_sets[0].pod_template->annotations, "pod-group-name"),
            "group");
  EXPECT_THAT(read.warnings, ElementsAre(HasSubstr("1 job or pod was not over"),
                                         HasSubstr("1 job or pod never ran")));
}

// A RayJob's pods are a RayCluster's that it made; both are made anew.
TEST_F(RecordTest, PodsOfAMadeJobAreItsMakers) {
  const std::string cluster = R"("headGroupSpec":{"template":{"spec":{"schedulerName":"fairlead",)"
                              R"("containers":[{"name":"c"}]}}})";
  const auto head = [](int at, std::string phase) {
    return Pod(at, {.name = "c-head",
                    .labels = R"("ray.io/group":"headgroup")",
                    .owner = "RayCluster/c",
                    .node = "n1",
                    .phase = std::move(phase)});
  };
  Write({Configured(), Node(0, "n1", 4), Round(0),
         Came(1, "ray.io/v1", "RayJob",
              R"({"metadata":{"name":"j","namespace":"team"},"spec":{"rayClusterSpec":{)" +
                  cluster + "}}}"),
         Came(2, "ray.io/v1", "RayCluster",
              R"({"metadata":{"name":"c","namespace":"team","ownerReferences":[{"apiVersion":)"
              R"("ray.io/v1","kind":"RayJob","name":"j","uid":"j","controller":true}]},"spec":{)" +
                  cluster + "}}"),
         head(10, "Running"), head(30, "Succeeded"), Round(50)});
  EXPECT_THAT(Shown(Read().objects), ElementsAre("Node n1, -, -", "RayJob j, 1s, 20s"));
}

std::string PodGroup(int at, std::string_view api_version, std::string_view name) {
  return Came(at, api_version, "PodGroup",
              fmt::format(R"({{"metadata":{{"name":"{}","namespace":"team"}},)"
                          R"("spec":{{"minMember":1}}}})",
                          name));
}

// Groups of different systems may have one name: which of them went is said, but by old records,
// which knew KAI's alone. Pods of a group are no template's.
TEST_F(RecordTest, GroupsAreKnownBySystem) {
  constexpr std::string_view kKai = "scheduling.run.ai/v2alpha2",
                             kCoscheduling = "scheduling.x-k8s.io/v1alpha1",
                             kVolcano = "scheduling.volcano.sh/v1beta1";
  Write({Configured(), Node(0, "n1", 4), PodGroup(0, kCoscheduling, "g"),
         PodGroup(0, kVolcano, "g"), PodGroup(0, kKai, "h"), PodGroup(0, kVolcano, "h"),
         Gone(0, "PodGroup.scheduling.x-k8s.io", "g"), Gone(0, "PodGroup", "h"), Round(0),
         PodGroup(4, kCoscheduling, "later"),
         Pod(5, {.name = "p", .annotations = R"("scheduling.k8s.io/group-name":"g")"}), Round(5)});
  const RecordedWorkload read = Read();
  EXPECT_THAT(Shown(read.objects),
              ElementsAre("Node n1, -, -", "PodGroup g, -, -", "PodGroup h, -, -",
                          "PodGroup later, 4s, -", "Pod p, 5s, -"));
  for (const std::size_t i : {2u, 3u}) {
    EXPECT_EQ(std::get<objects::PodGroup>(read.objects[i]).api, objects::GroupApi::kVolcano);
  }
}

// Kubernetes' own controllers name the group on the pods, not in their template.
TEST_F(RecordTest, TemplatesGetTheGroupOfTheirPods) {
  Write({Configured(), Node(0, "n1", 4), Round(0), Job(1, "j"), Round(1),
         Came(2, "v1", "Pod",
              R"({"metadata":{"name":"j-0","namespace":"team","uid":"u","ownerReferences":[)"
              R"({"apiVersion":"batch/v1","kind":"Job","name":"j","uid":"o","controller":true}]},)"
              R"("spec":{"schedulerName":"fairlead","containers":[{"name":"c"}],)"
              R"("schedulingGroup":{"podGroupName":"j-group"}}})"),
         Round(2)});
  const RecordedWorkload read = Read();
  ASSERT_EQ(read.objects.size(), 3u);
  EXPECT_EQ(std::get<objects::Job>(read.objects[2]).pod_template.spec.rare->scheduling_group,
            "j-group");
}

// A name that is used again: the pods of each belong to their own.
TEST_F(RecordTest, PodsJoinTheWorkloadOfTheirTime) {
  const auto pod = [](int at, const std::string& name) {
    return Pod(at, {.name = name, .uid = name, .labels = R"("fairlead.dev/workload":"g")"});
  };
  Write({Configured(), Round(0), Workload(1, "g", "w1", false), pod(2, "a"), Round(2),
         Gone(3, "Workload", "g"), Gone(3, "Pod", "a"), Workload(5, "g", "w2", false), pod(6, "b"),
         Round(6)});
  const RecordedWorkload read = Read();
  EXPECT_THAT(Shown(read.objects), ElementsAre("Workload g, 1s, -", "Pod a, 2s, -",
                                               "Workload g-again-2, 5s, -", "Pod b, 6s, -"));
  const auto label = [&](std::size_t i) {
    return *objects::FindLabel(objects::MetaOf(read.objects[i]).labels, "fairlead.dev/workload");
  };
  EXPECT_EQ(label(2), "g");
  EXPECT_EQ(label(4), "g-again-2");
  EXPECT_THAT(read.warnings,
              ElementsAre(HasSubstr("2 jobs and pods never ran: nor did anything else")));
}

// Seeds move work, and what belongs together by the same time.
TEST_F(RecordTest, SeedsMoveWorkAndNotNodes) {
  Write({Configured(), Round(0), Workload(1, "g", "w1", false),
         Pod(1, {.name = "a", .uid = "a", .labels = R"("fairlead.dev/workload":"g")"}),
         Pod(1, {.name = "b", .uid = "b", .labels = R"("fairlead.dev/workload":"g")"}),
         Pod(1, {.name = "alone"}), Node(2, "n1", 4), Round(3)});
  RecordedWorkload read = Read();
  account::Jitter(read.objects, 7, Duration::Seconds(100'000));
  std::map<std::string, std::string> arrives;
  for (const Object& object : read.objects) {
    const objects::Meta& meta = objects::MetaOf(object);
    if (const auto* at = objects::FindLabel(meta.annotations, kArrivesAt)) arrives[meta.name] = *at;
  }
  EXPECT_EQ(arrives["n1"], "2s");
  EXPECT_NE(arrives["g"], "1s");
  EXPECT_EQ(arrives["a"], arrives["g"]);
  EXPECT_EQ(arrives["b"], arrives["g"]);
  EXPECT_NE(arrives["alone"], arrives["g"]);
}

// A real cluster may refuse an eviction for good: the pod stays, and nothing was lost.
TEST_F(RecordTest, AnEvictionThatFailedIsNone) {
  const Time start = *ParseTime(Stamp(0));
  account::Fold fold;
  account::Bookkeeper books(fold);
  state::NodeChange node{.name = "n1", .allocatable = {{"cpu", 4000}}};
  auto needs = std::make_shared<objects::PodNeeds>();
  needs->request = {{"cpu", 1000}};
  state::PodChange pod{.name = "team/p", .needs = needs};
  pod.solo.emplace();
  pod.state = state::PodState::kBound;
  pod.node = "n1";
  fold.OnChanges(start, std::vector<state::Change>{node, pod});
  fold.OnEvent({.time = start + Duration::Seconds(5),
                .type = drive::EventType::kEvict,
                .pod = "team/p",
                .action = "Reclaim"});
  fold.OnChanges(start + Duration::Seconds(9),
                 std::vector<state::Change>{state::EvictFailed{.pod = "team/p"}});
  const account::Ledger ledger = books.Take(start + Duration::Seconds(60));
  ASSERT_EQ(ledger.stays.size(), 1U);
  EXPECT_EQ(ledger.start, start);
  EXPECT_EQ(ledger.stays[0].evicted, Time::Max());
  EXPECT_EQ(ledger.stays[0].how, account::StayEnd::kRuns);
}

}  // namespace
}  // namespace fairlead::trace
