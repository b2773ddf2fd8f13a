#include "unit/engine/random_world.h"

#include <algorithm>
#include <iterator>

#include "state/cluster.h"

namespace fairlead::engine {
namespace {

constexpr const char* kQueues[] = {"a", "a-1", "a-2", "b", "b-1", "c"};
constexpr const char* kParents[] = {"", "a", "a", "", "b", ""};
constexpr const char* kLeaves[] = {"a-1", "a-2", "b-1", "c"};
constexpr const char* kDaemonQueue = "daemons";

}  // namespace

RandomWorld::RandomWorld(std::uint32_t seed, Kind kind) : random_(seed), kind_(kind) {
  for (int i = 0; i < 4; ++i) PutNode();
  for (const char* queue : kQueues) PutQueue(queue, true);
  if (contended()) PutBudget();
  if (moves()) PutConsolidation();
  if (timed()) PutConfiguration();
  if (timed()) PutWindow();
  if (!daemon_sets()) return;
  shows_reservations_ = Roll(2) == 0;
  PutConfiguration();
  queues_[kDaemonQueue] = state::QueueChange{.name = kDaemonQueue};
  Give(queues_[kDaemonQueue]);
}

template <typename Map>
typename Map::iterator RandomWorld::Any(Map& map) {
  return std::next(map.begin(), map.empty() ? 0 : Roll(static_cast<int>(map.size())));
}

std::vector<state::Change> RandomWorld::Step() {
  ++clock_s_;
  std::vector<std::string> ended;
  for (const auto& [name, pod] : pods_) {
    if (pod.terminating && Roll(3) == 0) ended.push_back(name);
  }
  for (const std::string& name : ended) EndPod(name);
  for (int i = 1 + Roll(3); i > 0; --i) {
    const int what = Roll(20);
    if (what < 5) AddPods();
    if (what >= 5 && what < 7) AddGang();
    if (what >= 7 && what < 9) ChangeGang();
    if (what >= 9 && what < 15) ChangePod();
    if (what == 15) PutNode();
    if (what == 16) ChangeNode();
    if (what == 17) RemoveNode();
    if (what == 18 && contended()) PutBudget();
    if (what == 19 || (what == 18 && !contended())) ChangeQueue();
  }
  if (daemon_sets()) ChangeDaemonSets();
  if (timed() && Roll(8) == 0) PutWindow();
  if (timed() && Roll(40) == 0) PutConfiguration();
  return std::exchange(given_, {});
}

std::vector<state::Change> RandomWorld::LetGo(Time now) {
  std::vector<std::string> gone, ended;
  for (const auto& [name, pod] : pods_) {
    if (pod.terminating) {
      gone.push_back(name);
    } else if (timed() && HasEnded(pod, now)) {
      ended.push_back(name);
    }
  }
  for (const std::string& name : gone) EndPod(name);
  for (const std::string& name : ended) RemovePod(name);
  return std::exchange(given_, {});
}

// By what is said of its workload.
bool RandomWorld::HasEnded(const state::PodChange& pod, Time now) const {
  if (pod.foreign || !pod.scheduled_time) return false;
  const auto gang = gangs_.find(pod.workload);
  if (!pod.solo && gang == gangs_.end()) return false;
  const state::RunTime& runs = pod.solo ? *pod.solo->run_time : *gang->second.traits.run_time;
  return runs.least() && *pod.scheduled_time + *runs.least() <= now;
}

std::vector<state::Change> RandomWorld::CarryOut(const Scheduler& scheduler, const Plan& plan) {
  const state::Cluster& cluster = scheduler.cluster();
  planned_at_ = plan.now;
  for (const Decision& decision : plan.decisions) {
    if (decision.type == DecisionType::kAdmit) {
      state::WorkloadChange& gang = gangs_.at(std::string(cluster.NameOf(decision.workload)));
      for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
        gang.pod_sets[i].admitted = plan.counts[decision.first_count + i];
      }
      Give(gang);
      continue;
    }
    if (decision.type == DecisionType::kLand) {
      if (!decision.pod.valid()) SetLandings(cluster, decision.workload);
      continue;
    }
    if (decision.type == DecisionType::kReserve && !decision.pod.valid()) {
      ShowReservation(scheduler, plan, decision);
      continue;
    }
    if (decision.type == DecisionType::kLend) {
      ShowLoan(scheduler, decision);
      continue;
    }
    state::PodChange& pod = pods_.at(std::string(cluster.pods().name(decision.pod)));
    if (decision.type == DecisionType::kEvict) {
      const bool of_gang = decision.action == policy::RoomAction::kConsolidate && !pod.solo;
      if (of_gang) gangs_.at(pod.workload).traits.moved_at = plan.now;
      if (of_gang) Give(gangs_.at(pod.workload));
      pod.terminating = true;
      evicted_.emplace(pod.name);
      Give(pod);
      continue;
    }
    if (decision.type == DecisionType::kNominate) {
      pod.nominated_node = decision.node.valid() ? cluster.nodes().name(decision.node) : "";
      Give(pod);
      continue;
    }
    if (decision.type == DecisionType::kReserve) {
      if (shows_reservations_) pod.reserved_time = decision.since;
      if (shows_reservations_) Give(pod);
      continue;
    }
    pod.nominated_node = "";
    if (!contended() && Roll(12) == 0) {
      Give(state::BindFailed{std::string(pod.name)});
      Give(pod);
      continue;
    }
    pod.state = state::PodState::kBound;
    pod.node = cluster.nodes().name(decision.node);
    pod.scheduled_time = plan.now;
    pod.gpu_device = decision.gpu_device;
    Give(pod);
  }
  // Starts are written down, as a live cluster's are.
  for (auto& [name, gang] : gangs_) {
    const state::WorkloadId w = state::FindWorkload(cluster, name);
    const bool started = w.valid() && cluster.workloads()[w].started();
    if (!started && !gang.pod_sets.empty() && gang.pod_sets.front().admitted > 0) {
      for (state::PodSetChange& set : gang.pod_sets) set.admitted = 0;
      Give(gang);
    }
    if (!started && gang.recorded_start) {
      gang.recorded_start.reset();
      Give(gang);
    }
    if (!started || gang.recorded_start == cluster.workloads()[w].start) continue;
    gang.recorded_start = cluster.workloads()[w].start;
    gang.traits.reservation.reset();
    Give(gang);
  }
  return std::exchange(given_, {});
}

// As the cluster shows them.
void RandomWorld::SetLandings(const state::Cluster& cluster, state::WorkloadId w) {
  const objects::Landings* held = cluster.workloads().landings(w);
  RareOptional<objects::Landings> shown;
  if (held != nullptr) shown = *held;
  if (cluster.workloads()[w].solo()) {
    state::PodChange& pod = pods_.at(std::string(cluster.NameOf(w)));
    pod.solo->landings = std::move(shown);
    Give(pod);
  } else {
    state::WorkloadChange& gang = gangs_.at(std::string(cluster.NameOf(w)));
    gang.traits.landings = std::move(shown);
    Give(gang);
  }
}

// Of whom it is; null: it is gone.
state::WorkloadTraits* RandomWorld::TraitsOf(const std::string& workload) {
  const auto gang = gangs_.find(workload);
  if (gang != gangs_.end()) return &gang->second.traits;
  const auto pod = pods_.find(workload);
  return pod == pods_.end() || !pod->second.solo ? nullptr : pod->second.solo.operator->();
}

void RandomWorld::ShowReservation(const Scheduler& scheduler, const Plan& plan,
                                  const Decision& decision) {
  const state::Cluster& cluster = scheduler.cluster();
  const std::string name(cluster.NameOf(decision.workload));
  state::WorkloadTraits* traits = TraitsOf(name);
  if (traits == nullptr) return;
  std::map<std::string, std::int32_t> pods;
  for (std::uint32_t i = 0; i < decision.node_count; ++i) {
    ++pods[cluster.nodes().name(plan.nodes[decision.first_node + i])];
  }
  traits->reservation.reset();
  if (!pods.empty()) {
    objects::Reservation shown{.at = decision.at, .nodes = {}, .pods = {}, .since = decision.since};
    for (const auto& [node, count] : pods) {
      shown.nodes.push_back(node);
      if (decision.node_count > 1) shown.pods.push_back(count);
    }
    traits->reservation = std::move(shown);
  }
  gangs_.contains(name) ? Give(gangs_.at(name)) : Give(pods_.at(name));
}

void RandomWorld::ShowLoan(const Scheduler& scheduler, const Decision& decision) {
  const std::string name(scheduler.cluster().NameOf(decision.workload));
  state::WorkloadTraits* traits = TraitsOf(name);
  if (traits == nullptr) return;
  traits->loan.reset();
  if (decision.at) {
    traits->loan =
        objects::Loan{.holder = std::string(scheduler.cluster().NameOf(decision.beneficiary)),
                      .until = *decision.at};
  }
  gangs_.contains(name) ? Give(gangs_.at(name)) : Give(pods_.at(name));
}

// One of two; now and then one goes.
void RandomWorld::PutWindow() {
  objects::Window window;
  window.meta.name = "w" + std::to_string(Roll(2));
  if (windows_.erase(window.meta.name) > 0 && Roll(3) == 0) {
    return Give(state::Removal{state::RowKind::kWindow, window.meta.name});
  }
  if (Roll(2) == 0) {
    window.node_selector = {{"zone", Roll(2) == 0 ? "x" : "y"}};
  } else {
    window.nodes = {"n" + std::to_string(Roll(8))};
  }
  window.from = Time{} + Duration::Seconds(std::max<std::int64_t>(0, clock_s_ - 5 + Roll(20)));
  if (Roll(4) != 0) window.until = window.from + Duration::Seconds(1 + Roll(20));
  if (Roll(3) == 0) window.queues = {kQueues[Roll(6)]};
  if (Roll(2) == 0) window.at_begin = objects::AtBegin::kEvict;
  const state::WindowChange change{.window = window};
  windows_[window.meta.name] = change;
  Give(change);
}

std::vector<state::Change> RandomWorld::All() {
  std::vector<state::Change> all;
  for (const auto& [name, node] : nodes_) all.emplace_back(node);
  for (const auto& [name, queue] : queues_) all.emplace_back(queue);
  for (const auto& [name, gang] : gangs_) all.emplace_back(gang);
  for (const auto& [name, pod] : pods_) all.emplace_back(pod);
  for (const auto& [name, budget] : budgets_) all.emplace_back(budget);
  for (const auto& [name, window] : windows_) all.emplace_back(window);
  if (configuration_.configuration != nullptr) all.emplace_back(configuration_);
  std::mt19937 order(static_cast<std::uint32_t>(clock_s_));
  std::shuffle(all.begin(), all.end(), order);
  return all;
}

// Nodes
// --------------------------------------------------------------------------------------------

void RandomWorld::PutNode() {
  state::NodeChange node;
  node.name = "n" + std::to_string(Roll(8));
  node.allocatable = {{"cpu", 1000 * (2 + Roll(7))}, {"memory", 8 << (Roll(3))}};
  if (Roll(2) == 0) node.allocatable.Edit().emplace_back("nvidia.com/gpu", 1000 * (1 + Roll(4)));
  if (Roll(4) == 0) node.allocatable.Edit().emplace_back("pods", 1 + Roll(4));
  std::ranges::sort(node.allocatable.Edit());
  if (Roll(2) == 0) node.labels = {{"zone", Roll(2) == 0 ? "x" : "y"}};
  if (Roll(6) == 0) node.taints = {{"kept", "", objects::TaintEffect::kNoSchedule}};
  nodes_[node.name] = node;
  Give(node);
}

void RandomWorld::ChangeNode() {
  if (nodes_.empty()) return;
  state::NodeChange& node = Any(nodes_)->second;
  if (Roll(2) == 0) {
    node.schedulable = !node.schedulable;
  } else {
    node.ready = !node.ready;
  }
  Give(node);
}

void RandomWorld::RemoveNode() {
  if (nodes_.empty()) return;
  const std::string name = Any(nodes_)->first;
  nodes_.erase(name);
  Give(state::Removal{state::RowKind::kNode, name});
  if (hidden() && Roll(2) == 0) return;
  std::vector<std::string> there;
  for (const auto& [pod_name, pod] : pods_) {
    if (pod.node == name) there.push_back(pod_name);
  }
  for (const std::string& pod : there) RemovePod(pod);
}

// Queues
// -------------------------------------------------------------------------------------------

void RandomWorld::PutQueue(const std::string& name, bool fresh) {
  const auto at = std::find(std::begin(kQueues), std::end(kQueues), name) - std::begin(kQueues);
  state::QueueChange queue;
  queue.name = name;
  queue.parent = kParents[at];
  if (!fresh && Roll(6) == 0) queue.parent = kQueues[Roll(6)];  // a cycle, or another branch
  if (!fresh && Roll(12) == 0) queue.parent = "nowhere";
  if (Roll(3) == 0) queue.guaranteed.emplace_back("cpu", 500 * Roll(12));
  if (Roll(3) == 0) queue.guaranteed.emplace_back("nvidia.com/gpu", 1000 * Roll(4));
  if (Roll(3) == 0) queue.limit.emplace_back("cpu", 500 * Roll(20));
  if (Roll(4) == 0) queue.limit.emplace_back("nvidia.com/gpu", 500 * Roll(8));
  if (Roll(8) == 0) queue.limit.emplace_back("pods", Roll(8));
  queue.weight.milli = std::int64_t{500} * Roll(5);
  queue.priority = Roll(3);
  queue.active = Roll(10) != 0;
  queue.created = Time{Roll(3)};
  if (contended()) PutContendedQueue(queue);
  if (users()) LimitUsers(queue);
  queues_[name] = queue;
  Give(queue);
}

void RandomWorld::PutContendedQueue(state::QueueChange& queue) {
  queue.parent =
      kParents[std::find(std::begin(kQueues), std::end(kQueues), queue.name) - std::begin(kQueues)];
  queue.active = true;
  if (Roll(3) != 0) queue.limit.clear();
  if (queue.guaranteed.empty() && Roll(2) == 0) queue.guaranteed = {{"cpu", 1000 * Roll(6)}};
  if (Roll(3) == 0) queue.reclaim_min_runtime = Duration::Seconds(std::int64_t{10} * Roll(4));
  if (Roll(3) == 0) queue.preempt_min_runtime = Duration::Seconds(std::int64_t{10} * Roll(4));
  if (Roll(3) == 0) queue.max_loss = LossBounds();
  if (Roll(3) == 0) queue.repeat_protection = Duration::Seconds(std::int64_t{10} * Roll(4));
  if (Roll(4) == 0) queue.lend = 25 * Roll(4);
  if (Roll(3) == 0) queue.order = objects::WorkOrder::kShortestFirst;
  if (Roll(3) == 0) queue.ageing = Duration::Seconds(1 + Roll(20));
}

void RandomWorld::LimitUsers(state::QueueChange& queue) {
  for (int limits = Roll(3); limits > 0; --limits) {
    objects::UserLimit limit;
    using Each = objects::UserLimit::Each;
    const int whom = Roll(4);
    limit.each = whom == 0 ? Each::kUser : whom == 1 ? Each::kGroup : Each::kNamed;
    if (whom == 2) limit.users = {"ada", "bob"};
    if (whom == 3) limit.groups = {"vision"};
    if (Roll(2) == 0) limit.max.emplace_back("cpu", 500 * (1 + Roll(12)));
    if (Roll(3) == 0) limit.max.emplace_back("nvidia.com/gpu", 500 * Roll(6));
    if (Roll(3) == 0) limit.max_running = Roll(4);
    if (Roll(2) == 0) limit.max_waiting = 1 + Roll(3);
    queue.user_limits.push_back(limit);
  }
}

// One in five is nobody.
objects::SubmitterPtr RandomWorld::Somebody() {
  static const objects::SubmitterPtr kWho[] = {
      nullptr,
      std::make_shared<const objects::Submitter>(
          objects::Submitter{.user = "ada", .groups = {"vision"}}),
      std::make_shared<const objects::Submitter>(
          objects::Submitter{.user = "bob", .groups = {"speech", "vision"}}),
      std::make_shared<const objects::Submitter>(
          objects::Submitter{.user = "eve", .groups = {"speech"}}),
      std::make_shared<const objects::Submitter>(objects::Submitter{.user = "kim", .groups = {}}),
  };
  return kWho[Roll(5)];
}

objects::MaxLoss RandomWorld::LossBounds() {
  objects::MaxLoss max;
  for (auto* bound : {&max.by_guarantee, &max.by_share}) {
    if (Roll(4) == 0) continue;
    *bound = {.grace = Duration::Seconds(std::int64_t{10} * Roll(4)),
              .waited_percent = 100 * Roll(4)};
    if (Roll(2) == 0) (*bound)->deadline = Duration::Seconds(std::int64_t{10} * Roll(6));
  }
  return max;
}

void RandomWorld::PutConsolidation() {
  objects::SchedulerConfiguration configuration;
  configuration.consolidation = {.enabled = true,
                                 .cooldown = Duration::Seconds(std::int64_t{5} * Roll(4))};
  configuration.pods_timeout = Duration::Seconds(2 + Roll(20));
  configuration_.configuration =
      std::make_shared<const objects::SchedulerConfiguration>(configuration);
  Give(configuration_);
}

void RandomWorld::PutBudget() {
  state::BudgetChange budget{.name = "s/budget" + std::to_string(Roll(2))};
  const objects::IntOrPercent amount{.value = Roll(3), .percent = false};
  (Roll(2) == 0 ? budget.min_available : budget.max_unavailable) = amount;
  budgets_[budget.name] = budget;
  Give(budget);
}

void RandomWorld::ChangeQueue() {
  const std::string name = kQueues[Roll(6)];
  if (hidden() && Roll(4) == 0 && queues_.erase(name) > 0) {
    Give(state::Removal{state::RowKind::kQueue, name});
  } else {
    PutQueue(name, Roll(2) == 0);
  }
}

// Pods and workloads
// ---------------------------------------------------------------------------------

const char* RandomWorld::Leaf() { return kLeaves[kind_ == Kind::kOneQueue ? 3 : Roll(4)]; }

state::NeedsPtr RandomWorld::Needs() {
  objects::PodNeeds needs;
  needs.request = {{"cpu", 500 * (1 + Roll(6))}};
  if (Roll(3) == 0) needs.request.emplace_back("memory", 1 + Roll(12));
  const int gpu = Roll(5);
  if (gpu == 0) needs.request.emplace_back("nvidia.com/gpu", 1000 * (1 + Roll(2)));
  if (gpu == 1) needs.gpu_milli = 100 * (1 + Roll(10));
  std::sort(needs.request.begin(), needs.request.end());
  if (Roll(5) == 0) needs.node_selector = {{"zone", Roll(2) == 0 ? "x" : "y"}};
  if (Roll(8) == 0) needs.host_ports = {{.protocol = "TCP", .ip = "", .port = 80 + Roll(2)}};
  if (Roll(6) == 0) needs.tolerations = {{.key = "", .exists = true}};
  if (Roll(10) == 0) {
    objects::Requirement field{
        "metadata.name", objects::Operator::kIn, {"n" + std::to_string(Roll(8))}};
    needs.required_terms = {{.labels = {}, .fields = {field}}};
    needs.has_required_terms = true;
  }
  if (Roll(30) == 0) needs.rare.Edit().unsupported_field = "spec.volumes";
  if (Roll(12) == 0) {
    needs.rare.Edit().one_pod_claims = {"s/c" + std::to_string(Roll(3))};
  }
  return std::make_shared<const objects::PodNeeds>(std::move(needs));
}

void RandomWorld::AddPods() {
  const state::NeedsPtr needs = Needs();
  for (int i = 1 + Roll(3); i > 0; --i) {
    state::PodChange pod;
    pod.name = "s/p" + std::to_string(made_++ % 97);
    if (const std::string name(pod.name); pods_.contains(name)) RemovePod(name);
    pod.uid = Uid(std::to_string(made_));
    pod.needs = needs;
    pod.created = Time{Roll(100)};
    if (Roll(10) == 0 && !nodes_.empty()) {
      pod.foreign = true;
      // Nobody tells which device others share: whoever sees it first may guess otherwise.
      auto whole = std::make_shared<objects::PodNeeds>(*needs);
      whole->gpu_milli = 0;
      pod.needs = whole;
      pod.state = state::PodState::kBound;
      pod.node = Any(nodes_)->first;
    } else {
      pod.gated = Roll(10) == 0;
      pod.solo = state::WorkloadTraits{.queue = Leaf(),
                                       .priority = Roll(3),
                                       .preemptible = Roll(5) != 0,
                                       .created = pod.created};
      pod.priority = pod.solo->priority;
      if (contended()) SayHowLong(*pod.solo.operator->());
      if (users()) pod.solo->submitter = Somebody();
    }
    if (contended() && Roll(5) == 0) pod.budgets = {"s/budget" + std::to_string(Roll(2))};
    if (daemon_sets()) pod.opted_out = Roll(6) == 0;
    if (daemon_sets()) pod.owns_pods = Roll(6) == 0;
    if (daemon_sets()) pod.is_static = Roll(15) == 0;
    if (moves()) {
      pod.created = Now();
      if (pod.solo) pod.solo->created = pod.created;
      pod.may_move = !pod.foreign && Roll(4) != 0;
      if (pod.may_move) pod.made_by = "ReplicaSet/s/r" + std::to_string(Roll(5));
    }
    pods_.insert_or_assign(std::string(pod.name), pod);
    Give(pod);
  }
}

void RandomWorld::SayHowLong(state::WorkloadTraits& traits) {
  if (Roll(4) == 0) traits.run_time.Edit().checkpoint_every = Duration::Seconds(3 + Roll(20));
  traits.stops = Roll(3);
  if (Roll(3) == 0) traits.run_time.Edit().expected = Duration::Seconds(1 + Roll(100));
  if (!timed()) return;
  if (Roll(2) == 0) traits.run_time.Edit().limit = Duration::Seconds(1 + Roll(60));
  // Short enough to go before what is promised, and often wrong.
  if (Roll(2) == 0) traits.run_time.Edit().expected = Duration::Seconds(1 + Roll(8));
}

void RandomWorld::AddGang() {
  state::WorkloadChange gang;
  gang.name = "g/w" + std::to_string(made_++ % 31);
  if (gangs_.contains(gang.name)) RemoveGang(gang.name);
  gang.uid = std::to_string(made_);
  gang.traits = {.queue = Leaf(),
                 .priority = Roll(3),
                 .preemptible = Roll(5) != 0,
                 .active = Roll(10) != 0,
                 .created = Time{Roll(100)}};
  if (contended()) SayHowLong(gang.traits);
  if (users()) gang.traits.submitter = Somebody();
  if (Roll(2) == 0) gang.resize = objects::Resize::kAnytime;
  for (int sets = 1 + Roll(2); sets > 0; --sets) {
    state::PodSetChange set{.name = "set" + std::to_string(sets), .count = 1 + Roll(4)};
    set.min_count = 1 + Roll(set.count);
    if (hidden() && Roll(3) == 0) set.expected_needs = Needs();
    gang.pod_sets.push_back(set);
  }
  gangs_[gang.name] = gang;
  Give(gang);
  for (int i = 0; i < static_cast<int>(gang.pod_sets.size()); ++i) {
    for (int k = gang.pod_sets[i].count - Roll(2); k > 0; --k) AddGangPod(gang, i);
  }
}

void RandomWorld::AddGangPod(const state::WorkloadChange& gang, int set) {
  state::PodChange pod;
  pod.name = gang.name + "-" + std::to_string(made_++);
  pod.needs = Needs();
  pod.uid = Uid(std::to_string(made_));
  // Pods of one set usually ask the same.
  for (const auto& [name, other] : pods_) {
    if (other.workload == gang.name && other.pod_set == set && Roll(4) != 0)
      pod.needs = other.needs;
  }
  pod.workload = gang.name;
  pod.pod_set = set;
  pod.gated = Roll(15) == 0;
  if (moves()) pod.created = Now();
  if (moves()) pod.may_move = true;
  pods_.insert_or_assign(std::string(pod.name), pod);
  Give(pod);
}

void RandomWorld::ChangeGang() {
  if (gangs_.empty()) return;
  state::WorkloadChange& gang = Any(gangs_)->second;
  state::PodSetChange& set =
      gang.pod_sets[static_cast<std::size_t>(Roll(static_cast<int>(gang.pod_sets.size())))];
  switch (Roll(6)) {
    case 0:
      return RemoveGang(std::string(gang.name));
    case 1:
      gang.traits.active = !gang.traits.active;
      if (gang.traits.active) gang.traits.waits_anew = Now();
      break;
    case 2:
      gang.traits.queue = Leaf();
      break;
    case 3:
      set.count = 1 + Roll(4);
      set.min_count = 1 + Roll(set.count);
      break;
    case 4:
      gang.traits.hold = gang.traits.hold ? std::nullopt : std::optional(state::Reason{});
      break;
    default:
      return AddGangPod(gang, Roll(static_cast<int>(gang.pod_sets.size())));
  }
  Give(gang);
}

void RandomWorld::ChangePod() {
  if (pods_.empty()) return;
  state::PodChange& pod = Any(pods_)->second;
  const int what = Roll(6);
  if (what < 2) return RemovePod(std::string(pod.name));
  if (what == 2 && pod.state == state::PodState::kBound) {
    if (!pod.foreign && !pod.solo) ++gangs_.at(pod.workload).pod_sets[pod.pod_set].succeeded;
    if (!pod.foreign && !pod.solo) Give(gangs_.at(pod.workload));
    pod.state = state::PodState::kFinished;
    Give(pod);
    pods_.erase(std::string(pod.name));
    return;
  }
  if (what == 3) pod.terminating = true;
  if (what == 4) {
    if (pod.gated) pod.ungated = Now();
    pod.gated = pod.state == state::PodState::kPending && !pod.gated;
  }
  if (what == 5 && pod.solo) pod.solo->priority = pod.priority = Roll(3);
  if (what == 5 && pod.solo && users()) pod.solo->submitter = Somebody();
  Give(pod);
}

// Who was evicted comes back: a pod of its own under its name, a gang's under another.
void RandomWorld::EndPod(const std::string& name) {
  state::PodChange pod = pods_.at(name);
  const bool comes_back = evicted_.erase(name) > 0 && contended();
  RemovePod(name);
  if (!comes_back || (!pod.solo && !gangs_.contains(pod.workload))) return;
  if (!pod.solo) pod.name = pod.workload + "-" + std::to_string(made_++);
  pod.uid = Uid(std::to_string(made_++));
  pod.state = state::PodState::kPending;
  pod.node = pod.nominated_node = "";
  pod.gpu_device = -1;
  pod.terminating = false;
  pod.scheduled_time.reset();
  if (moves()) pod.created = Now();
  if (pod.solo) pod.solo->landings.reset();
  if (pod.solo) pod.solo->loan.reset();
  pods_.insert_or_assign(std::string(pod.name), pod);
  Give(pod);
}

// DaemonSets
// ---------------------------------------------------------------------------------------

void RandomWorld::PutConfiguration() {
  constexpr auto kSingle = objects::VictimSelection::kSingle;
  constexpr auto kMultiple = objects::VictimSelection::kMultiple;
  const std::vector<std::vector<objects::VictimSelection>> orders = {
      {kMultiple}, {kMultiple}, {kSingle}, {kSingle, kMultiple}, {kMultiple, kSingle}};
  objects::SchedulerConfiguration configuration;
  if (timed()) {
    configuration.backfill = {.reservations = Roll(5),
                              .after = Duration::Seconds(1 + Roll(4)),
                              .drain_after = Duration::Seconds(1 + Roll(10)),
                              .max_drained_percent = 25 * Roll(5)};
  }
  auto& rules = configuration.daemon_set_preemption;
  rules.victim_selection = orders[static_cast<std::size_t>(Roll(5))];
  rules.single_max_deviation_percent = 25 * Roll(9);
  rules.multiple_max_victims = Roll(2) == 0 ? 16 : 1 + Roll(4);
  rules.start_delay = Duration::Seconds(std::int64_t{2} * Roll(4));
  rules.respect_min_runtime = Roll(3) != 0;
  rules.enabled = Roll(8) != 0;
  configuration_.configuration =
      std::make_shared<const objects::SchedulerConfiguration>(configuration);
  Give(configuration_);
}

void RandomWorld::ChangeDaemonSets() {
  if (Roll(2) == 0) PutDaemonSetPod();
  if (Roll(40) == 0) PutConfiguration();
}

// One a node and DaemonSet: the one before it goes.
void RandomWorld::PutDaemonSetPod() {
  const std::string node = "n" + std::to_string(Roll(8));
  state::PodChange pod;
  pod.name = "d/" + node + "-" + std::to_string(Roll(2));
  if (const std::string name(pod.name); pods_.contains(name)) RemovePod(name);
  if (Roll(4) == 0) return;
  pod.uid = Uid(std::to_string(made_++));
  objects::PodNeeds needs;
  needs.request = {{"cpu", 500 * (1 + Roll(5))}};
  if (Roll(3) == 0) needs.request.emplace_back("memory", 1 + Roll(8));
  if (Roll(5) == 0) needs.host_ports = {{.protocol = "TCP", .ip = "", .port = 80 + Roll(2)}};
  if (Roll(3) != 0) needs.tolerations = {{.key = "", .exists = true}};
  if (Roll(8) == 0) needs.gpu_milli = 100 * (1 + Roll(10));
  needs.required_terms = {
      {.labels = {}, .fields = {{"metadata.name", objects::Operator::kIn, {node}}}}};
  needs.has_required_terms = true;
  pod.needs = std::make_shared<const objects::PodNeeds>(std::move(needs));
  pod.of_daemon_set = state::OfDaemonSet::kTrusted;
  pod.created = Time{} + Duration::Seconds(clock_s_);
  pod.solo = state::WorkloadTraits{.queue = Roll(3) == 0 ? Leaf() : kDaemonQueue,
                                   .priority = Roll(4),
                                   .preemptible = Roll(5) != 0,
                                   .never_preempts = Roll(12) == 0,
                                   .created = pod.created};
  pod.priority = pod.solo->priority;
  pods_.insert_or_assign(std::string(pod.name), pod);
  Give(pod);
}

void RandomWorld::RemovePod(const std::string& name) {
  evicted_.erase(name);
  pods_.erase(name);
  Give(state::Removal{state::RowKind::kPod, name});
}

void RandomWorld::RemoveGang(const std::string& name) {
  std::vector<std::string> there;
  for (const auto& [pod_name, pod] : pods_) {
    if (pod.workload == name) there.push_back(pod_name);
  }
  for (const std::string& pod : there) RemovePod(pod);
  gangs_.erase(name);
  Give(state::Removal{state::RowKind::kWorkload, name});
}

}  // namespace fairlead::engine
