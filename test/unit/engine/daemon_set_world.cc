#include "unit/engine/daemon_set_world.h"

#include "unit/base/at.h"

namespace fairlead::engine {
namespace {

using Whose = DaemonSetWorld::Whose;

constexpr const char* kNode = "n0";
constexpr const char* kElsewhere = "n1";
constexpr const char* kQueue = "d";  // the DaemonSet's pod's

std::string QueueName(int queue) { return "q" + std::to_string(queue); }
std::string GangName(int gang) { return "s/g" + std::to_string(gang); }
std::string BudgetName(std::size_t budget) { return "s/budget" + std::to_string(budget); }

objects::ResourceList RequestOf(const Two& amounts) {
  objects::ResourceList list;
  if (amounts[0] > 0) list.emplace_back("cpu", 1000 * amounts[0]);
  if (amounts[1] > 0) list.emplace_back("memory", amounts[1]);
  return list;
}

objects::PodNeeds NeedsOf(const Two& size, bool port) {
  objects::PodNeeds needs;
  needs.request = RequestOf(size);
  if (port) needs.host_ports = {{.protocol = "TCP", .ip = "", .port = 80}};
  return needs;
}

state::NeedsPtr Shared(objects::PodNeeds needs) {
  return std::make_shared<const objects::PodNeeds>(std::move(needs));
}

state::PodChange Bound(std::string name, const Two& size, bool port, int scheduled_s) {
  state::PodChange pod{.name = std::move(name), .needs = Shared(NeedsOf(size, port))};
  pod.state = state::PodState::kBound;
  pod.node = kNode;
  pod.created = At(0);
  pod.scheduled_time = At(scheduled_s);
  return pod;
}

state::PodChange ChangeOf(const DaemonSetWorld& world, std::size_t p) {
  const DaemonSetWorld::Pod& pod = world.pods[p];
  state::PodChange change = Bound(NodePodName(p), pod.size, pod.port, pod.scheduled_s);
  change.created = At(pod.created_s);
  change.terminating = pod.terminating;
  change.opted_out = pod.opted_out;
  change.owns_pods = pod.owns_pods;
  change.foreign = pod.whose == Whose::kForeign;
  if (pod.whose == Whose::kDaemonSet) change.of_daemon_set = state::OfDaemonSet::kTrusted;
  change.is_static = pod.whose == Whose::kStatic;
  for (int budget : pod.budgets) {
    change.budgets.push_back(BudgetName(static_cast<std::size_t>(budget)));
  }
  change.priority = pod.gang == kUnset ? pod.priority : world.gangs[pod.gang].priority;
  if (pod.gang != kUnset) {
    change.workload = GangName(pod.gang);
    change.pod_set = pod.set;
  } else if (!change.foreign) {
    change.solo = state::WorkloadTraits{.queue = QueueName(pod.queue),
                                        .priority = pod.priority,
                                        .preemptible = pod.preemptible,
                                        .created = change.created};
  }
  return change;
}

void AddGang(const DaemonSetWorld& world, int g, std::vector<state::Change>& changes) {
  const DaemonSetWorld::Gang& gang = world.gangs[g];
  state::WorkloadChange change{.name = GangName(g)};
  change.traits = {.queue = QueueName(gang.queue),
                   .priority = gang.priority,
                   .preemptible = gang.preemptible,
                   .created = At(0)};
  change.resize = gang.anytime ? objects::Resize::kAnytime : objects::Resize::kAtAdmission;
  for (int s = 0; s < static_cast<int>(gang.sets.size()); ++s) {
    const DaemonSetWorld::Gang::Set& set = gang.sets[s];
    change.pod_sets.push_back({.name = "set" + std::to_string(s),
                               .count = CountOf(world, g, s),
                               .min_count = MinimumOf(world, g, s)});
    for (std::size_t p = 0; p < set.elsewhere_s.size(); ++p) {
      state::PodChange pod = Bound(GangName(g) + "-" + std::to_string(s) + "-" + std::to_string(p),
                                   {1, 1}, false, set.elsewhere_s[p]);
      pod.node = kElsewhere;
      pod.workload = change.name;
      pod.pod_set = s;
      pod.priority = gang.priority;
      changes.emplace_back(pod);
    }
  }
  changes.emplace_back(change);
}

void AddBudget(const DaemonSetWorld& world, std::size_t b, std::vector<state::Change>& changes) {
  const DaemonSetWorld::Budget& budget = world.budgets[b];
  state::BudgetChange change{.name = BudgetName(b)};
  auto part = [](int value) { return objects::IntOrPercent{.value = value, .percent = false}; };
  if (budget.status_allowed != kUnset) change.status_allowed = budget.status_allowed;
  if (budget.min_available != kUnset) change.min_available = part(budget.min_available);
  if (budget.max_unavailable != kUnset) change.max_unavailable = part(budget.max_unavailable);
  changes.emplace_back(change);
  for (int p = 0; p < budget.elsewhere; ++p) {
    state::PodChange pod = Bound(change.name + "-" + std::to_string(p), {1, 1}, false, 0);
    pod.node = kElsewhere;
    pod.budgets = {change.name};
    pod.solo = state::WorkloadTraits{.queue = QueueName(0)};
    changes.emplace_back(pod);
  }
}

void AddDaemonSetPod(const DaemonSetWorld& world, std::vector<state::Change>& changes) {
  objects::PodNeeds needs = NeedsOf(world.size, world.port);
  needs.required_terms = {
      {.labels = {}, .fields = {{"metadata.name", objects::Operator::kIn, {kNode}}}}};
  needs.has_required_terms = true;
  state::PodChange pod{.name = kDaemonSetPod, .needs = Shared(std::move(needs))};
  pod.of_daemon_set = state::OfDaemonSet::kTrusted;
  pod.priority = world.priority;
  pod.created = At(world.created_s);
  if (world.reserved_s != kUnset) pod.reserved_time = At(world.reserved_s);
  if (world.nominated) pod.nominated_node = kNode;
  pod.solo = state::WorkloadTraits{.queue = kQueue,
                                   .priority = world.priority,
                                   .never_preempts = world.never_preempts,
                                   .created = pod.created};
  changes.emplace_back(pod);
}

std::string AmountsText(const Two& amounts) {
  return std::to_string(amounts[0]) + "/" + std::to_string(amounts[1]);
}

std::string RuleText(const char* what, int value) {
  return value == kUnset ? "" : std::string(" ") + what + " " + std::to_string(value);
}

std::string PodText(const DaemonSetWorld::Pod& pod) {
  constexpr const char* kWhose[] = {"", " foreign", " of a DaemonSet", " static"};
  std::string text = AmountsText(pod.size) + kWhose[static_cast<int>(pod.whose)];
  text += " priority " + std::to_string(pod.priority) + " in " + QueueName(pod.queue);
  text += RuleText("of gang", pod.gang) + (pod.gang == kUnset ? "" : RuleText("set", pod.set));
  text += RuleText("scheduled", pod.scheduled_s) + RuleText("created", pod.created_s);
  if (pod.terminating) text += " terminating";
  if (pod.opted_out) text += " opted out";
  if (!pod.preemptible) text += " not preemptible";
  if (pod.owns_pods) text += " owner";
  if (pod.port) text += " port";
  for (int budget : pod.budgets) text += RuleText("under budget", budget);
  return text;
}

}  // namespace

std::string NodePodName(std::size_t p) { return "s/p" + std::to_string(p); }

int CountOf(const DaemonSetWorld& world, int gang, int set) {
  const DaemonSetWorld::Gang::Set& of = world.gangs[gang].sets[set];
  auto count = static_cast<int>(of.elsewhere_s.size());
  for (const DaemonSetWorld::Pod& pod : world.pods) {
    count += pod.gang == gang && pod.set == set ? 1 : 0;
  }
  return std::max(count, of.minimum);
}

int MinimumOf(const DaemonSetWorld& world, int gang, int set) {
  const DaemonSetWorld::Gang& of = world.gangs[gang];
  return of.anytime ? of.sets[set].minimum : CountOf(world, gang, set);
}

std::vector<state::Change> ChangesOf(const DaemonSetWorld& world) {
  objects::SchedulerConfiguration configuration;
  auto& rules = configuration.daemon_set_preemption;
  rules.victim_selection = world.rules.strategies;
  rules.single_max_deviation_percent = world.rules.deviation_percent;
  rules.multiple_max_victims = world.rules.victims;
  rules.start_delay = Duration::Seconds(world.rules.delay_s);
  rules.respect_min_runtime = world.rules.respect;

  std::vector<state::Change> changes;
  changes.emplace_back(state::ConfigurationChange{
      std::make_shared<const objects::SchedulerConfiguration>(configuration)});
  state::NodeChange node{.name = kNode, .allocatable = RequestOf(world.node)};
  if (world.pod_limit != kUnset) node.allocatable.Edit().emplace_back("pods", world.pod_limit);
  changes.emplace_back(node);
  changes.emplace_back(state::NodeChange{.name = kElsewhere, .allocatable = RequestOf({100, 100})});
  for (int q = 0; q < static_cast<int>(world.queues.size()); ++q) {
    const DaemonSetWorld::Queue& queue = world.queues[q];
    state::QueueChange change{.name = QueueName(q)};
    if (queue.parent != kUnset) change.parent = QueueName(queue.parent);
    if (queue.preempt_min_s != kUnset) {
      change.preempt_min_runtime = Duration::Seconds(queue.preempt_min_s);
    }
    changes.emplace_back(change);
  }
  state::QueueChange own{.name = kQueue};
  if (world.limited) own.limit = {{"pods", 0}};
  changes.emplace_back(own);
  for (int g = 0; g < static_cast<int>(world.gangs.size()); ++g) AddGang(world, g, changes);
  for (std::size_t b = 0; b < world.budgets.size(); ++b) AddBudget(world, b, changes);
  for (std::size_t p = 0; p < world.pods.size(); ++p) changes.emplace_back(ChangeOf(world, p));
  AddDaemonSetPod(world, changes);
  return changes;
}

std::string Tell(const DaemonSetWorld& world) {
  std::string text = "\n  node (cpu/memory) " + AmountsText(world.node);
  text += RuleText("pods", world.pod_limit);
  for (std::size_t q = 0; q < world.queues.size(); ++q) {
    text +=
        "\n  queue " + QueueName(static_cast<int>(q)) + RuleText("under", world.queues[q].parent);
    text += RuleText("protects for", world.queues[q].preempt_min_s);
  }
  for (std::size_t g = 0; g < world.gangs.size(); ++g) {
    const DaemonSetWorld::Gang& gang = world.gangs[g];
    text += "\n  gang " + std::to_string(g) + " in " + QueueName(gang.queue) + " priority " +
            std::to_string(gang.priority) + (gang.preemptible ? "" : " not preemptible") +
            (gang.anytime ? " elastic" : "");
    for (const auto& set : gang.sets) {
      text += "; at least " + std::to_string(set.minimum) + ", elsewhere since";
      for (int time : set.elsewhere_s) text += " " + std::to_string(time);
    }
  }
  for (const DaemonSetWorld::Budget& budget : world.budgets) {
    text += "\n  budget" + RuleText("allows", budget.status_allowed) +
            RuleText("min available", budget.min_available) +
            RuleText("max unavailable", budget.max_unavailable) +
            RuleText("elsewhere", budget.elsewhere);
  }
  for (std::size_t p = 0; p < world.pods.size(); ++p) {
    text += "\n  p" + std::to_string(p) + " " + PodText(world.pods[p]);
  }
  text += "\n  rules";
  for (objects::VictimSelection by : world.rules.strategies) {
    text += by == objects::VictimSelection::kSingle ? " single" : " multiple";
  }
  text += " deviation " + std::to_string(world.rules.deviation_percent) + " victims " +
          std::to_string(world.rules.victims) + " delay " + std::to_string(world.rules.delay_s) +
          (world.rules.respect ? " respects runtimes" : "");
  text += "\n  wants " + AmountsText(world.size) + " priority " + std::to_string(world.priority) +
          RuleText("created", world.created_s) + RuleText("reserved", world.reserved_s) +
          (world.port ? " port" : "") + (world.never_preempts ? " never preempts" : "") +
          (world.limited ? " at its limit" : "");
  return text;
}

}  // namespace fairlead::engine
