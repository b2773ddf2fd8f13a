#include "live/live_scheduler.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "drive/driver.h"
#include "effects/writes.h"
#include "intake/intake.h"
#include "jobs/job_kind.h"
#include "live/object_cache.h"
#include "live/queue_statuses.h"
#include "live/refusals.h"
#include "live/resources.h"
#include "live/template_pods.h"
#include "policy/typical_pods.h"

namespace fairlead::live {

constexpr Duration kAnotherLook = Duration::Seconds(30);
constexpr Duration kLearnsEvery = Duration::Seconds(86'400);

class LiveScheduler::Impl : private drive::Carrier {
 public:
  Impl(kube::Loop& loop, Options options, Callbacks callbacks)
      : loop_(loop),
        options_(std::move(options)),
        callbacks_(std::move(callbacks)),
        driver_(*this),
        writer_(
            loop, [this] { return MayWrite(); }, options_.writer, ProblemSink()),
        events_(loop, writer_, cache_, options_.configuration.scheduler_name, options_.identity,
                options_.seed),
        refusals_(loop, writer_, events_),
        admissions_(loop, writer_, cache_, ProblemSink()),
        template_pods_(loop, writer_, cache_, options_.configuration.scheduler_name, ProblemSink()),
        queue_statuses_(loop, writer_, cache_, driver_.scheduler()),
        executor_(loop, writer_, cache_, admissions_, events_,
                  {.on_failed =
                       [this](state::Change change) {
                         driver_.Fail(std::move(change));
                         WantRound();
                       },
                   .on_problem = ProblemSink()}),
        watch_(*this),
        timers_(loop) {
    driver_.AddObserver(&watch_);
    loop_.server_clock().OnSet([this] {
      if (state_ == State::kDeciding) WantRound();
    });
    for (const Watched& watched : AllWatched()) {
      feeds_.push_back(std::make_unique<Feed>(*this, watched));
    }
  }
  ~Impl() override {
    if (round_timer_ != 0) loop_.CancelTimer(round_timer_);
    if (next_round_timer_ != 0) loop_.CancelTimer(next_round_timer_);
    loop_.server_clock().OnSet({});
  }

  void Start() {
    if (!options_.lease) {
      Read();
      return;
    }
    state_ = State::kStandby;
    kube::LeaseOptions lease = *options_.lease;
    election_ = std::make_unique<kube::LeaderElection>(
        loop_, lease,
        kube::LeaderElection::Callbacks{
            .on_elected =
                [this] {
                  if (state_ != State::kStandby) return;
                  Tell("leading");
                  Read();
                },
            .on_lost = [this] { Lose(); },
            .on_leader = [this](const std::string& identity) { Tell("the leader is " + identity); },
            .on_problem = ProblemSink()});
    election_->Start();
  }

  // What was under way is not known any more, and the engine believes it done: it never leads
  // again.
  void Lose() {
    Halt();
    // Not from inside its own call. Whoever stops it has told the election so already.
    timers_.After({}, [this] {
      if (stopping_) return;
      election_->Stop([] {});
      if (callbacks_.on_lost) callbacks_.on_lost();
    });
  }

  void Stop(std::function<void()> done) {
    stopping_ = true;
    if (state_ != State::kDeciding) return Leave(std::move(done));
    queue_statuses_.WriteLast([this, done = std::move(done)]() mutable { Leave(std::move(done)); });
  }

  void Leave(std::function<void()> done) {
    Halt();
    if (election_ == nullptr) {
      done();
      return;
    }
    callbacks_.on_lost = nullptr;
    election_->Stop(std::move(done));
  }

  // A node that is there again and that nobody was told of yet.
  struct Returned {
    kube::Resource resource;
    objects::Object object;
    kube::ObjectRef ref;
    std::string json;
  };

  // One resource, in the version that the server has. It moves on to the next version where one is
  // absent, and stays at the last.
  class Feed : public kube::Sink {
   public:
    Feed(Impl& owner, const Watched& watched) : owner_(owner), watched_(watched) {}

    void Start() {
      moving_ = false;
      kube::Reflector::Options options;
      options.seed = owner_.options_.seed + version_ + 1;
      options.page = 5'000;
      // Another leader may have written until a moment ago, and the server's cache be behind.
      options.newest_first = true;
      options.dispensable = watched_.dispensable;
      options.streams_lists = watched_.many;
      reflector_ =
          std::make_unique<kube::Reflector>(owner_.loop_, watched_.In(watched_.versions[version_]),
                                            intake::AllDecoders(), *this, options);
      reflector_->Start();
    }
    void Stop() {
      if (reflector_) reflector_->Stop();
    }

    void Read(std::string_view json, const Text& key) override {
      json_ = json;
      key_ = key;
    }
    void Upsert(objects::Object object, const kube::ObjectRef& ref) override {
      owner_.Upsert(reflector_->resource(), object, ref, {json_, key_});
    }
    void Delete(const kube::ObjectRef& ref) override { owner_.Delete(reflector_->resource(), ref); }
    void Refuse(const kube::ObjectRef& ref, const std::vector<objects::Fault>& faults) override {
      for (const objects::Fault& fault : faults) {
        owner_.Complain(fmt::format("{} {} cannot be read: {}: {}", watched_.kind, ref.Key(),
                                    fault.field, fault.message));
      }
      if (!faults.empty()) owner_.refusals_.Tell(reflector_->resource(), ref, faults);
    }
    void Synced(std::size_t /*count*/) override {
      const bool ours = watched_.kind == "Workload" && watched_.group == "fairlead.dev";
      if (ours && owner_.state_ == State::kDeciding) owner_.admissions_.StopOrphans();
      owner_.WantRound();
    }
    void Reached(std::string_view version) override {
      if (watched_.kind == "Pod") owner_.template_pods_.PodsReached(version);
      owner_.WantRound();
    }
    void StateChanged(kube::ReflectorState state) override {
      if (state != kube::ReflectorState::kAbsent) return;
      if (version_ + 1 < watched_.versions.size()) {
        ++version_;
        moving_ = true;
        // Not from inside its own call.
        owner_.timers_.After({}, [this] { Start(); });
      } else if (watched_.required) {
        owner_.Complain(fmt::format("the server has no {}", reflector_->resource().ToString()));
      } else if (version_ > 0) {
        // It may be installed later, and not in the last of the versions.
        owner_.timers_.After(kAnotherLook, [this] {
          if (reflector_->state() != kube::ReflectorState::kAbsent) return;
          version_ = 0;
          Start();
        });
      }
    }
    void Problem(const std::string& message) override { owner_.Complain(message); }

    bool ready() const { return !moving_ && reflector_ && reflector_->synced(); }
    Cache cache() const {
      if (!reflector_) return {.resource = watched_.In(watched_.versions[0]).ToString()};
      return {.resource = reflector_->resource().ToString(),
              .state = reflector_->state(),
              .objects = reflector_->size(),
              .counts = reflector_->counts()};
    }

   private:
    Impl& owner_;
    const Watched& watched_;
    std::size_t version_ = 0;
    bool moving_ = false;    // to that version
    std::string_view json_;  // of what is told next, as the next
    Text key_;
    std::unique_ptr<kube::Reflector> reflector_;
  };

  std::function<void(const std::string&)> ProblemSink() {
    return [this](const std::string& message) { Complain(message); };
  }
  void Complain(const std::string& message) {
    if (callbacks_.on_problem) callbacks_.on_problem(message);
  }
  void Tell(const std::string& message) {
    if (callbacks_.on_news) callbacks_.on_news(message);
  }

  bool MayWrite() const {
    return state_ == State::kDeciding && (election_ == nullptr || election_->LeadsAt(loop_.Now()));
  }

  void Read() {
    state_ = State::kReading;
    driver_.Configure(Now(), options_.configuration);
    driver_.intake().KnowAllOwners();
    for (const auto& feed : feeds_) feed->Start();
  }

  void Halt() {
    state_ = State::kStopped;
    for (const auto& feed : feeds_) feed->Stop();
    writer_.Drop();
  }

  // The API server's, and so those of starts and transitions. It goes back where its clock is set.
  Time Now() { return now_ = loop_.WallNow(); }

  // What the server alone writes: when an object came, and when a pod got its node. (Other times,
  // of kubelets and in statuses, are whoever's who may write there.)
  void NoteWritten(const objects::Object& object) {
    std::optional<Time> written = objects::MetaOf(object).creation_time;
    const auto* pod = std::get_if<objects::Pod>(&object);
    if (pod != nullptr && !pod->is_static) written = std::max(written, pod->scheduled_time);
    if (written) loop_.server_clock().NoteWritten(*written, loop_.Now());
  }

  // As drive::ObjectNews has them.
  struct AsRead {
    std::string_view json;
    Text key;
  };

  // A node that went and came again has the pods that were bound to it in between: it is empty to
  // nobody before those bindings are seen.
  bool Parks(const kube::Resource& resource, const objects::Object& object,
             const kube::ObjectRef& ref, const AsRead& read) {
    if (!std::holds_alternative<objects::Node>(object)) return false;
    const auto gone = gone_nodes_.find(ref.name);
    if (gone == gone_nodes_.end()) return false;
    if (executor_.MayBind(ref.name)) {
      gone->second = Returned{resource, object, ref, std::string(read.json)};
      return true;
    }
    gone_nodes_.erase(gone);
    return false;
  }

  void ReturnNodes() {
    std::erase_if(gone_nodes_, [this](auto& gone) {
      if (executor_.MayBind(gone.first)) return false;
      if (const auto& node = gone.second) {
        TakeIn(node->resource, &node->object, node->ref, {node->json, {}});
      }
      return true;
    });
  }

  // `object` null: it went.
  void TakeIn(const kube::Resource& resource, const objects::Object* object,
              const kube::ObjectRef& ref, const AsRead& read) {
    const std::string api_version = resource.ApiVersion();
    driver_.Take({.time = Now(),
                  .kind = objects::QualifiedKind(resource.kind, resource.group),
                  .name_space = ref.name_space,
                  .name = ref.name,
                  .object = object,
                  .api_version = api_version,
                  .json = read.json,
                  .key = read.key});
  }

  void Upsert(const kube::Resource& resource, const objects::Object& object,
              const kube::ObjectRef& ref, const AsRead& read) {
    if (!news_since_) news_since_ = loop_.Now();
    NoteWritten(object);
    if (Parks(resource, object, ref, read)) return;
    TakeIn(resource, &object, ref, read);
    cache_.Upsert(object, ref, resource.ApiVersion());
    refusals_.Readable(object, ref);
    if (const auto* pod = std::get_if<objects::Pod>(&object)) {
      if (!pod->spec.node_name.empty()) executor_.Bound(ref.Key());
      NoteReplicasOf(ref);
    } else if (std::holds_alternative<objects::Workload>(object)) {
      NoteReplicas(ref.Key());
    } else if (std::holds_alternative<objects::PersistentVolumeClaim>(object)) {
      executor_.ClaimChanged(ref.Key());
    } else if (std::holds_alternative<objects::PersistentVolume>(object)) {
      executor_.VolumeChanged(ref.Key());
    } else if (state_ == State::kDeciding && jobs::KindOf(object) != nullptr) {
      admissions_.StopIfOrphan(ref.Key());
    }
  }

  void Delete(const kube::Resource& resource, const kube::ObjectRef& ref) {
    TakeIn(resource, nullptr, ref, {});
    if (resource.kind == "Node") gone_nodes_.erase(ref.name);
    if (resource.kind == "Node" && executor_.MayBind(ref.name)) gone_nodes_[ref.name].reset();
    if (resource.kind == "Node") executor_.NodeGone(ref.name);
    if (resource.kind == "Pod") {
      executor_.Gone(ref.Key());
      NoteReplicasOf(ref);
    } else if (resource.kind == "Workload") {
      // A dialect's of the same name is another.
      const CachedObject* held = cache_.Find("Workload", ref.Key());
      if (held != nullptr && held->ref.uid == ref.uid) admissions_.Forget(ref.Key(), ref.uid);
      NoteReplicas(ref.Key());
    } else if (jobs::FindKind(resource.kind) != nullptr) {
      admissions_.ForgetJob(ref.Key(), ref.uid);
    }
    cache_.Remove(resource, ref);
    if (resource.kind == "PersistentVolumeClaim") executor_.ClaimChanged(ref.Key());
    if (resource.kind == "PersistentVolume") executor_.VolumeChanged(ref.Key());
  }

  void NoteReplicasOf(const kube::ObjectRef& pod) {
    if (std::string owner = cache_.OwnerOf(pod.Key()); !owner.empty()) NoteReplicas(owner);
  }
  void NoteReplicas(const std::string& workload) { replicas_due_.push_back(workload); }

  void WantRound() {
    if (round_timer_ != 0 || state_ == State::kStopped) return;
    round_timer_ = loop_.After({}, [this] {
      round_timer_ = 0;
      Round();
    });
  }

  bool Listed() const {
    return std::all_of(feeds_.begin(), feeds_.end(),
                       [](const auto& feed) { return feed->ready(); });
  }

  void Round() {
    if (state_ == State::kReading && Listed()) {
      state_ = State::kDeciding;
      Tell("all is read");
      admissions_.Recover();
    }
    if (!MayWrite()) return;
    CheckClock();
    if (!knows_pods_) LearnTypicalPods();
    driver_.Instant(Now());
    news_since_.reset();
    for (const std::string& workload : std::exchange(replicas_due_, {})) {
      template_pods_.Sync(workload);
    }
    SetNextRound(driver_.next_round());
  }

  // Where placement is by typical pods and the configuration names none: those that are there,
  // once a day anew.
  void LearnTypicalPods() {
    knows_pods_ = true;
    if (!objects::LacksTypicalPods(options_.configuration)) return;
    if (driver_.rounds() == 0) driver_.TakeNews(Now());
    objects::SchedulerConfiguration learned = options_.configuration;
    learned.typical_pods = policy::KindsOfPods(driver_.scheduler().cluster()).Popular();
    driver_.Configure(Now(), learned);
    timers_.After(kLearnsEvery, [this] {
      knows_pods_ = false;
      WantRound();
    });
  }

  void Happen(Time /*now*/) override { ReturnNodes(); }
  void Carry(effects::Write&& write) override {
    const bool binds = std::holds_alternative<effects::BindPod>(write);
    executor_.Do(std::move(write));
    if (news_since_ && binds) reaction_.Add(loop_.Now() - *news_since_);
  }

  // How long deciding takes, and that queues are no longer what they were.
  class Watch : public drive::Observer {
   public:
    explicit Watch(Impl& owner) : owner_(owner) {}
    void OnChanges(Time /*now*/, std::span<const state::Change> /*changes*/) override {
      owner_.queue_statuses_.Touch();
    }
    void OnDeciding(Time /*now*/) override { began_ = owner_.loop_.Now(); }
    void OnRound(const engine::Scheduler& /*scheduler*/, const engine::Plan& plan) override {
      owner_.deciding_.Add(owner_.loop_.Now() - began_);
      if (!plan.decisions.empty()) owner_.queue_statuses_.Touch();
    }

   private:
    Impl& owner_;
    Time began_;
  };

  Duration ClockAhead() const { return loop_.server_clock().Ahead(loop_.Now(), loop_.LocalNow()); }
  void CheckClock() {
    const std::string text = clock_complaint_.About(ClockAhead());
    if (!text.empty()) Complain(text);
  }

  void SetNextRound(std::optional<Time> at) {
    if (next_round_timer_ != 0) loop_.CancelTimer(next_round_timer_);
    next_round_timer_ = 0;
    if (!at) return;
    const Duration wait = std::max(Duration{.us = 1'000}, loop_.UntilWall(*at));
    next_round_timer_ = loop_.After(wait, [this] {
      next_round_timer_ = 0;
      Round();
    });
  }

 private:
  friend class LiveScheduler;

  kube::Loop& loop_;
  Options options_;
  Callbacks callbacks_;
  State state_ = State::kStopped;
  bool knows_pods_ = false;  // the typical ones, of today
  bool stopping_ = false;
  Time now_;
  drive::Driver driver_;
  ObjectCache cache_{driver_.intake()};
  Writer writer_;
  Events events_;
  Refusals refusals_;
  Admissions admissions_;
  TemplatePods template_pods_;
  QueueStatuses queue_statuses_;
  Executor executor_;
  std::vector<std::unique_ptr<Feed>> feeds_;
  std::unique_ptr<kube::LeaderElection> election_;
  std::map<std::string, std::optional<Returned>> gone_nodes_;  // and what has come again
  std::optional<Time> news_since_;  // the first of what the next round is to decide on
  kube::ClockComplaint clock_complaint_;
  kube::Histogram deciding_, reaction_;
  std::vector<std::string> replicas_due_;
  kube::TimerId round_timer_ = 0, next_round_timer_ = 0;
  Watch watch_;
  OwnTimers timers_;
};

LiveScheduler::LiveScheduler(kube::Loop& loop, Options options, Callbacks callbacks)
    : impl_(std::make_unique<Impl>(loop, std::move(options), std::move(callbacks))) {}
LiveScheduler::~LiveScheduler() = default;
void LiveScheduler::AddObserver(drive::Observer* observer) { impl_->driver_.AddObserver(observer); }
void LiveScheduler::Start() { impl_->Start(); }
void LiveScheduler::SetMedianDurations(std::map<std::string, Duration> by_queue) {
  impl_->queue_statuses_.SetMedianDurations(std::move(by_queue));
}
void LiveScheduler::Stop(std::function<void()> done) { impl_->Stop(std::move(done)); }
LiveScheduler::State LiveScheduler::state() const { return impl_->state_; }
Time LiveScheduler::now() const { return impl_->now_; }
Duration LiveScheduler::clock_ahead() const { return impl_->ClockAhead(); }
const engine::Scheduler& LiveScheduler::scheduler() const { return impl_->driver_.scheduler(); }
const intake::Intake& LiveScheduler::intake() const { return impl_->driver_.intake(); }
const Writer& LiveScheduler::writer() const { return impl_->writer_; }
const Executor& LiveScheduler::executor() const { return impl_->executor_; }
const Events& LiveScheduler::events() const { return impl_->events_; }
const kube::Histogram& LiveScheduler::deciding() const { return impl_->deciding_; }
const kube::Histogram& LiveScheduler::reaction() const { return impl_->reaction_; }

std::vector<LiveScheduler::Cache> LiveScheduler::caches() const {
  std::vector<Cache> all;
  for (const auto& feed : impl_->feeds_) all.push_back(feed->cache());
  return all;
}

}  // namespace fairlead::live
