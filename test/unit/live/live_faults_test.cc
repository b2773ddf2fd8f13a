// Live schedulers under seeded schedules of faults, of the network and their own: requests that are
// lost, refused, or carried out without an answer; watches that break off, or fall silent; versions
// that are compacted; processes that are killed and started again, with and without a lease.
//
// Volumes are made, given, refused, or not for long; claims go.
//
// Clocks are wrong and are set, of processes and of the server; Workloads are deleted; pods that
// have a node cannot be read.
//
// At every moment no node is over what it has, and nobody goes who is protected. Once the faults
// are over everybody runs who can, and who starts anew has nothing to add.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/explain/report.h"
#include "kube/backoff.h"
#include "objects/read/json_fields.h"
#include "unit/engine/soak.h"
#include "unit/jobs/any_job.h"
#include "unit/live/any_jobs.h"
#include "unit/live/fake_storage.h"
#include "unit/live/live_world.h"
#include "unit/live/misreads.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::TextAt;

constexpr std::uint64_t kLiveSchedules = 950;  // in `make test`
constexpr int kNodeCount = 4, kCpus = 4;

// What the schedules did, so that nobody believes in a schedule that does nothing.
struct ScheduleTotals {
  std::uint64_t bindings = 0, evictions = 0, evictions_refused = 0, kills = 0, sleeps = 0;
  std::uint64_t template_pods = 0, gangs_running = 0, orphans = 0;
  std::uint64_t clocks = 0, closed = 0, read = 0, broken = 0, moves = 0;
  std::uint64_t volumes_made = 0, volumes_given = 0, volumes_refused = 0, claims_judged = 0;
  JobTotals jobs;
};

void AddUp(const std::map<std::string, std::uint64_t>& from,
           std::map<std::string, std::uint64_t>& into) {
  for (const auto& [kind, count] : from) into[kind] += count;
}
void AddUp(const JobTotals& from, JobTotals& into) {
  AddUp(from.running, into.running);
  AddUp(from.fewer, into.fewer);
  AddUp(from.waiting, into.waiting);
  AddUp(from.let_go, into.let_go);
  AddUp(from.stopped, into.stopped);
  into.ended += from.ended;
  into.withdrawn += from.withdrawn;
}

class Story {
 public:
  explicit Story(std::uint64_t seed)
      : seed_(seed),
        random_(seed),
        faults_(kube::Faults::Some(random_, 120)),
        lease_(seed % 3 == 0),
        themes_(random_.Next()) {
    world_.loud = std::getenv("FAIRLEAD_SEED") != nullptr;
    for (int n = 0; n < kNodeCount; ++n) world_.AddNode("n" + std::to_string(n), kCpus);
    if (IsProtected()) {
      ProtectDefault();
    } else {
      world_.AddQueue("default", 0);
    }
    world_.AddQueue("sure", kNodeCount * kCpus / 2);
    if (Has(Theme::kGrace)) world_.SetGrace(random_.Between({}, Duration::Seconds(5)));
    if (Has(Theme::kQuotas)) AddQuota();
    if (Has(Theme::kMoves)) LetMove();
    if (Has(Theme::kVolumes)) storage_.emplace(world_, random_);
    processes_.push_back(&Begin());
    if (lease_ && Has(Theme::kSpare)) processes_.push_back(&Begin());
  }

  void Tell(ScheduleTotals& totals) {
    for (int step = 0; step < 40; ++step) {
      Change();
      Run(random_.Between({}, Duration::Seconds(step % 8 == 0 ? 40 : 3)));
      if (::testing::Test::HasFatalFailure()) return;
    }
    if (!world_.api.IsServed("workloads")) ServeWorkloads();
    jobs_.ServeAll();
    world_.RefuseEvictions(false);
    faults_ = {};
    for (LiveWorld::Process* process : processes_) process->loop->faults = {};
    CalmDown();
    if (storage_ && storage_->totals().refused > 1) {
      // A node is passed over for an hour at most where no volume could be had for pods like these.
      Run(Duration::Seconds(3600));
      CalmDown();
    }
    Run(furthest_);
    if (::testing::Test::HasFatalFailure()) return;
    Judge();
    totals.bindings += world_.api.bindings();
    totals.evictions += world_.api.evictions();
    totals.evictions_refused += world_.api.evictions_refused();
    totals.kills += kills_;
    totals.sleeps += sleeps_;
    AddUp(jobs_.totals(), totals.jobs);
    totals.template_pods += template_pods_;
    totals.gangs_running += gangs_running_;
    totals.orphans += orphans_;
    totals.clocks += clocks_;
    totals.moves += moves_;
    totals.closed += misreads_.closed();
    totals.read += misreads_.read();
    totals.broken += Broken();
    if (!storage_) return;
    totals.volumes_made += storage_->totals().made;
    totals.volumes_given += storage_->totals().given;
    totals.volumes_refused += storage_->totals().refused;
    totals.claims_judged += storage_->totals().judged;
  }

 private:
  // What a story is about besides pods and jobs; each is in half of them.
  enum class Theme : std::uint8_t {
    kTemplates,
    kGangs,
    kBudgets,
    kNodes,
    kEdits,
    kQuotas,
    kGrace,
    kSpare,
    kSleep,
    kDefinitions,
    kOrphans,
    kClocks,
    kProtected,
    kMisreads,
    kVolumes,
    kMoves,
  };
  bool Has(Theme theme) const { return (themes_ >> static_cast<int>(theme) & 1) != 0; }
  bool IsProtected() const { return Has(Theme::kClocks) && Has(Theme::kProtected); }
  bool OneIn(std::uint64_t n) { return random_.Below(n) == 0; }
  std::string Numbered(const char* stem, std::uint64_t n) {
    return stem + std::to_string(random_.Below(n));
  }

  LiveWorld::Process& Begin() {
    LiveWorld::Process& process = misreads_.Start(seed_ * 1000 + ++started_, lease_);
    process.loop->faults = faults_;
    jobs_.held_rooms().Follow(process);
    if (Has(Theme::kClocks) && OneIn(2)) process.loop->wall_ahead = Skew();
    return process;
  }

  void Replace(LiveWorld::Process*& process) {
    world_.Kill(*process);
    jobs_.held_rooms().ProcessEnded();
    // What it had sent arrives before its successor reads: nothing fences a binding.
    world_.Run(faults_.slowest);
    process = &Begin();
  }

  void CalmDown() {
    for (int i = 0; i < 10; ++i) {
      if (storage_) storage_->Answer();
      Run(Duration::Seconds(50));
    }
  }

  void Run(Duration duration) {
    world_.Run(duration);
    for (LiveWorld::Process*& process : processes_) {
      if (process->lost) Replace(process);
    }
  }

  LiveWorld::Process*& AnyProcess() { return processes_[random_.Below(processes_.size())]; }

  void Change() {
    if (storage_) {
      for (int i = 0; i < 3; ++i) storage_->Change();
    }
    switch (random_.Below(20)) {
      case 0: {
        const std::string key = "team/" + Numbered("p", 20);
        if (world_.Pod(key) != nullptr) world_.Delete("pods", key);
        return;
      }
      case 1:
        return world_.api.Compact();
      case 2:
      case 3:
        return jobs_.Add();
      case 4:
        if (OneIn(2)) return;
        ++kills_;
        Replace(AnyProcess());
        return world_.Run(random_.Between({}, Duration::Seconds(20)));
      case 5:
        if (!Has(Theme::kTemplates)) break;
        return AddGang(Numbered("t", 2), true);
      case 6:
        if (!Has(Theme::kGangs)) break;
        return AddGang(Numbered("g", 2), false);
      case 7:
        if (!Has(Theme::kBudgets)) break;
        return ToggleBudget();
      case 8:
        if (!Has(Theme::kNodes)) break;
        return ToggleNode();
      case 9:
        if (!Has(Theme::kEdits)) break;
        return jobs_.Change();
      case 10:
        if (!Has(Theme::kQuotas)) break;
        return AddQuotaPod();
      case 11:
        if (!Has(Theme::kSleep)) break;
        ++sleeps_;
        return AnyProcess()->loop->Sleep(random_.Between({}, Duration::Seconds(40)));
      case 12:
        if (!Has(Theme::kDefinitions)) break;
        return ToggleDefinition();
      case 13:
        if (!Has(Theme::kTemplates) && !Has(Theme::kGangs)) break;
        return DeleteGang();
      case 14:
        if (!Has(Theme::kOrphans)) break;
        orphans_ += jobs_.DeleteWorkload() ? 1 : 0;
        return;
      case 15:
        if (!Has(Theme::kClocks)) break;
        ++clocks_;
        return SetClock();
      case 16:
      case 17:
        if (!Has(Theme::kMisreads)) break;
        return misreads_.Change();
      default:
        break;
    }
    AddPod();
  }

  void AddPod() {
    const std::string name = Numbered("p", 20);
    if (world_.Pod("team/" + name) != nullptr) return;
    boost::json::object labels{{"fairlead.dev/queue", OneIn(2) ? "sure" : "default"}};
    if (Has(Theme::kBudgets) && OneIn(2)) labels["app"] = Numbered("a", 2);
    world_.AddPod(name, 1 + static_cast<int>(random_.Below(2)), {{"labels", std::move(labels)}},
                  "team", ClaimFor(Numbered("c", 8)));
  }

  // A claim, which two pods may name, or none.
  std::string ClaimFor(std::string name) {
    if (!storage_ || OneIn(3)) return "";
    storage_->NeedClaim(name);
    return name;
  }

  void AddGang(const std::string& name, bool has_template) {
    if (!world_.api.IsServed("workloads")) return;
    if (world_.api.Find("workloads", "team/" + name) != nullptr) return;
    const int count = 2 + static_cast<int>(random_.Below(3));
    world_.AddWorkload(
        name, {.count = count, .min_count = OneIn(2) ? count : 1, .has_template = has_template});
    if (has_template) return;
    for (int i = 0; i < count; ++i) {
      const std::string pod = name + "-" + std::to_string(i);
      if (world_.Pod("team/" + pod) != nullptr) continue;
      world_.AddPod(
          pod, 1,
          {{"labels", {{"fairlead.dev/workload", name}, {"fairlead.dev/pod-set", "worker"}}}},
          "team", ClaimFor(pod));
    }
  }

  void DeleteGang() {
    const std::string key = "team/" + Numbered(OneIn(2) ? "t" : "g", 2);
    if (world_.api.Find("workloads", key) != nullptr) world_.Delete("workloads", key);
  }

  // Of an hour at most, either way.
  Duration Skew() {
    return Duration{.us = random_.Between({}, Duration::Seconds(7200)).us - 3'600'000'000};
  }

  void SetClock() {
    switch (random_.Below(3)) {
      case 0:
        AnyProcess()->loop->wall_ahead = OneIn(2) ? Duration{} : Skew();
        return;
      case 1:
        world_.api.clock_ahead = random_.Between({.us = -2'000'000}, Duration::Seconds(2));
        return;
      default: {
        // Wrong for a moment.
        const Duration before = std::exchange(world_.api.clock_ahead, Skew());
        furthest_ = std::max(furthest_, world_.api.clock_ahead);
        AddPod();
        Run(random_.Between({}, Duration::Seconds(4)));
        world_.api.clock_ahead = before;
      }
    }
  }

  // For longer than a story lasts, whatever the clocks say of it.
  void ProtectDefault() {
    world_.api.Put("queues", {{"metadata", {{"name", "default"}}},
                              {"spec",
                               {{"guaranteed", {{"cpu", "0"}}},
                                {"preemptMinRuntime", "4h"},
                                {"reclaimMinRuntime", "4h"}}}});
    world_.api.on_eviction = [this](const std::string& key) {
      const boost::json::value* labels = At(world_.Pod(key)->at("metadata"), "labels");
      if (!key.starts_with("team/p") || labels == nullptr) return;
      if (TextAt(*labels, "fairlead.dev/queue") != "default") return;
      ADD_FAILURE() << key << " is protected, and was evicted";
    };
  }

  // Counts those who do.
  void LetMove() {
    world_.configuration.consolidation = {.enabled = true, .cooldown = Duration::Seconds(5)};
    if (IsProtected()) return;
    world_.api.on_eviction = [this](const std::string& key) {
      const boost::json::value* conditions = At(world_.Pod(key)->at("status"), "conditions");
      if (conditions == nullptr) return;
      for (const boost::json::value& each : conditions->as_array()) {
        moves_ += TextAt(each, "message").starts_with("Consolidate") ? 1 : 0;
      }
    };
  }

  void ToggleBudget() {
    if (OneIn(2)) return world_.RefuseEvictions(OneIn(2));
    const std::string app = Numbered("a", 2);
    if (world_.api.Find("poddisruptionbudgets", "team/" + app) != nullptr) {
      world_.Delete("poddisruptionbudgets", "team/" + app);
    } else {
      world_.AddBudget(app, static_cast<int>(random_.Below(3)));
    }
  }

  void ToggleNode() {
    const std::string name = Numbered("n", kNodeCount);
    if (world_.api.Find("nodes", name) == nullptr) {
      world_.AddNode(name, kCpus);
    } else if (world_.api.All("nodes").size() > 2) {
      world_.RemoveNode(name);
    }
  }

  void AddQuota() {
    world_.api.Put("elasticquotas", {{"metadata", {{"name", "q"}, {"namespace", "lab"}}},
                                     {"spec", {{"min", {{"cpu", "4"}}}, {"max", {{"cpu", "6"}}}}}});
  }

  void AddQuotaPod() {
    const std::string name = Numbered("q", 6);
    if (world_.Pod("lab/" + name) == nullptr) world_.AddPod(name, 2, {}, "lab");
  }

  void ServeWorkloads() { world_.api.Serve({"fairlead.dev/v1alpha1", "Workload", "workloads"}); }

  void ToggleDefinition() {
    if (!world_.api.IsServed("workloads")) return ServeWorkloads();
    if (OneIn(3) && jobs_.ToggleDefinition()) return;
    if (OneIn(3)) return world_.api.Withdraw("workloads");
    if (world_.api.IsServed("elasticquotas")) return world_.api.Withdraw("elasticquotas");
    world_.api.Serve({"scheduling.x-k8s.io/v1alpha1", "ElasticQuota", "elasticquotas"});
    if (Has(Theme::kQuotas)) AddQuota();
  }

  // It is quiet, and a newcomer has nothing to add.
  void Judge() {
    int leaders = 0;
    for (const LiveWorld::Process* process : processes_) {
      leaders += process->scheduler->state() == LiveScheduler::State::kDeciding ? 1 : 0;
    }
    ASSERT_EQ(leaders, 1);
    const auto before = Newest(Written());
    world_.Run(Duration::Seconds(120));
    ASSERT_EQ(Newest(Written()), before) << "it does not come to rest";
    JudgeWorkloads();
    jobs_.JudgeAtRest();
    const std::uint64_t bindings = world_.api.bindings();
    const std::uint64_t evictions = world_.api.evictions();
    const auto decided = Newest(Decided());
    for (LiveWorld::Process* process : processes_) {
      if (world_.loud) TellPending(*process);
      world_.Kill(*process);
    }
    world_.Run(Duration::Seconds(1));
    processes_ = {&Begin()};
    world_.Run(Duration::Seconds(120));
    ASSERT_EQ(world_.api.bindings(), bindings) << "a newcomer binds what the old one did not";
    ASSERT_EQ(world_.api.evictions(), evictions) << "a newcomer evicts what the old one did not";
    ASSERT_EQ(Newest(Decided()), decided) << "a newcomer writes";
  }

  static void TellPending(const LiveWorld::Process& process) {
    const engine::Scheduler& scheduler = process.scheduler->scheduler();
    for (const auto& pending : engine::ReportPending(scheduler, process.scheduler->now())) {
      for (const state::Reason& reason : pending.reasons) {
        fmt::print(stderr, "pending {} {}: {}\n", pending.workload, state::ToString(reason.code),
                   reason.message);
      }
    }
  }

  // What is written to carry decisions out; and whatever is written.
  std::vector<std::string> Decided() const {
    std::vector<std::string> plurals = {"pods", "workloads", "elasticquotas", "persistentvolumes",
                                        "persistentvolumeclaims"};
    for (std::string& plural : jobs_.Plurals()) plurals.push_back(std::move(plural));
    return plurals;
  }
  std::vector<std::string> Written() const {
    std::vector<std::string> plurals = Decided();
    plurals.insert(plurals.end(), {"queues", "events"});
    return plurals;
  }

  // By kind the newest version of any object, and how many there are.
  std::map<std::string, std::pair<std::uint64_t, std::size_t>> Newest(
      const std::vector<std::string>& plurals) {
    std::map<std::string, std::pair<std::uint64_t, std::size_t>> newest;
    for (const std::string& plural : plurals) {
      auto& [version, count] = newest[plural];
      for (const auto& [key, object] : world_.api.All(plural)) {
        const std::string text = TextAt(object.at("metadata"), "resourceVersion");
        version = std::max<std::uint64_t>(version, std::stoull(text));
        ++count;
      }
    }
    return newest;
  }

  // Workloads that lacked pods for a while, which could not be placed.
  std::uint64_t Broken() {
    const auto was_broken = [](const boost::json::value& condition) {
      return TextAt(condition, "type") == objects::kBrokenCondition;
    };
    std::uint64_t broken = 0;
    for (const auto& [key, workload] : world_.api.All("workloads")) {
      const boost::json::value* status = workload.if_contains("status");
      const boost::json::value* list = status == nullptr ? nullptr : At(*status, "conditions");
      broken += list != nullptr && std::ranges::any_of(list->as_array(), was_broken) ? 1 : 0;
    }
    return broken;
  }

  // Of a Workload with a template there are as many pods as it says.
  void JudgeWorkloads() {
    const std::map<std::string, int> live = world_.LivePodsByOwner();
    for (const auto& [key, workload] : world_.api.All("workloads")) {
      if (jobs_.Find(key) != nullptr) continue;
      const boost::json::value* status = workload.if_contains("status");
      const boost::json::value* admission = status == nullptr ? nullptr : At(*status, "admission");
      const std::int64_t admitted =
          admission == nullptr ? 0
                               : admission->at("podSetAssignments").at(0).at("count").as_int64();
      if (At(workload.at("spec").at("podSets").at(0), "template") == nullptr) {
        gangs_running_ += admitted > 0 ? 1 : 0;
        continue;
      }
      const auto pods = live.find(TextAt(workload.at("metadata"), "uid"));
      ASSERT_EQ(pods == live.end() ? 0 : pods->second, admitted) << key;
      template_pods_ += static_cast<std::uint64_t>(admitted);
    }
  }

  const std::uint64_t seed_;
  Random random_;
  kube::Faults faults_;
  const bool lease_;
  const std::uint64_t themes_;
  // The server's clock was ahead by so much for a moment: who started then is protected until it
  // has come to that.
  Duration furthest_;
  LiveWorld world_;
  std::optional<FakeStorage> storage_;
  AnyJobs jobs_{world_, random_, !Has(Theme::kOrphans) && !Has(Theme::kDefinitions)};
  Misreads misreads_{world_, random_, faults_.slowest};
  std::vector<LiveWorld::Process*> processes_;
  std::uint64_t started_ = 0, kills_ = 0, sleeps_ = 0, orphans_ = 0, clocks_ = 0, moves_ = 0;
  std::uint64_t template_pods_ = 0, gangs_running_ = 0;
};

void ExpectEveryKind(JobTotals& jobs, std::uint64_t schedules) {
  std::uint64_t fewer = 0;
  for (const objects::JobRow* row : jobs::DrawnRows()) {
    SCOPED_TRACE(row->kind);
    EXPECT_GE(jobs.running[row->kind], schedules / 80);
    EXPECT_GE(jobs.waiting[row->kind], schedules / 80);
    if (row->is_let_go_by_pods()) continue;
    EXPECT_GE(jobs.stopped[row->kind], schedules / 250);
    if (row->is_generic()) fewer += jobs.fewer[row->kind];
  }
  EXPECT_GE(fewer, schedules / 80);
  EXPECT_GE(jobs.fewer["Job"], schedules / 20);
  EXPECT_GE(jobs.ended, schedules / 40);
  EXPECT_GE(jobs.withdrawn, schedules / 20);
}

TEST(LiveFaults, NothingIsLostAndNoNodeIsOverbooked) {
  ScheduleTotals totals;
  const engine::Seeds seeds = engine::SeedsOf(kLiveSchedules);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    SCOPED_TRACE("FAIRLEAD_SEED=" + std::to_string(seed));
    Story(seed).Tell(totals);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
  if (!engine::IsCounted()) return;
  // The schedules do what they are for: each bound is at most half of what a run of 250 counts.
  const std::uint64_t schedules = seeds.last;
  EXPECT_GT(totals.bindings, 6 * schedules);
  EXPECT_GT(totals.evictions, schedules / 10);
  EXPECT_GT(totals.kills, schedules / 2);
  EXPECT_GT(totals.sleeps, schedules / 2);
  ExpectEveryKind(totals.jobs, schedules);
  EXPECT_GT(totals.template_pods, schedules / 17);
  EXPECT_GT(totals.gangs_running, schedules / 20);
  EXPECT_GT(totals.orphans, schedules / 20);
  EXPECT_GT(totals.clocks, schedules / 2);
  EXPECT_GT(totals.moves, schedules / 60);
  EXPECT_GT(totals.closed, schedules / 3);
  EXPECT_GT(totals.read, schedules / 17);
  EXPECT_GT(totals.broken, schedules / 100);
  EXPECT_GT(totals.volumes_made, schedules / 9);
  EXPECT_GT(totals.volumes_given, schedules / 9);
  EXPECT_GT(totals.claims_judged, schedules / 5);
  if (schedules < kLiveSchedules) return;  // too few for what is rare
  EXPECT_GT(totals.evictions_refused, schedules / 200);
  EXPECT_GT(totals.volumes_refused, schedules / 50);
}

}  // namespace
}  // namespace fairlead::live
