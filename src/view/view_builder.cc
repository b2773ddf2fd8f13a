// How rows are read from the engine's tables, and published. What is not here: reasons
// (view_builder_reasons.cc), pods that ended (view_builder_ended.cc), queues
// (view_builder_queues.cc).

#include "view/view_builder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/quantity.h"
#include "engine/explain/explain.h"
#include "policy/queue_order.h"

namespace fairlead::view {

using state::NodeId;
using state::PodId;
using state::WorkloadId;

namespace {

constexpr std::string_view kUnschedulableTaint = "node.kubernetes.io/unschedulable";

Name MakeName(std::string_view text) { return std::make_shared<const std::string>(text); }

// The name that the row has, where it is still right: else a new one.
Name Keep(const Name& had, std::string_view text) {
  return had != nullptr && *had == text ? had : MakeName(text);
}

void Add(AmountRow& into, const AmountRow* row, std::int64_t sign) {
  if (row == nullptr) return;
  if (into.size() < row->size()) into.resize(row->size());
  for (std::size_t i = 0; i < row->size(); ++i) into[i] += sign * (*row)[i];
}

bool SameAmounts(const std::shared_ptr<const AmountRow>& a,
                 const std::shared_ptr<const AmountRow>& b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

bool Same(const NodeRow& a, const NodeRow& b) {
  return a.name == b.name && a.labels == b.labels && a.pods == b.pods && a.state == b.state &&
         SameAmounts(a.allocatable, b.allocatable) && SameAmounts(a.allocated, b.allocated);
}

bool Same(const PodRow& a, const PodRow& b) { return a == b; }

bool Same(const WorkloadRow& a, const WorkloadRow& b) {
  const bool sets = a.sets == b.sets || (a.sets && b.sets && *a.sets == *b.sets);
  return sets && SameAmounts(a.asks, b.asks) &&
         std::tie(a.name, a.kind, a.reason, a.created, a.served, a.run, a.started, a.queue, a.user,
                  a.priority, a.wanted, a.running, a.admitted, a.state, a.waits, a.live,
                  a.hopeless) == std::tie(b.name, b.kind, b.reason, b.created, b.served, b.run,
                                          b.started, b.queue, b.user, b.priority, b.wanted,
                                          b.running, b.admitted, b.state, b.waits, b.live,
                                          b.hopeless);
}

PodState StateOf(const state::Pod& pod) {
  if (pod.placed()) {
    if (pod.claims()) return PodState::kClaiming;
    if (pod.leaves()) return PodState::kLeaving;
    return pod.placement == state::Placement::kAssumed ? PodState::kStarting : PodState::kRunning;
  }
  if (pod.terminating) return PodState::kLeaving;
  return pod.gated ? PodState::kGated : PodState::kPending;
}

}  // namespace

ViewBuilder::ViewBuilder(const engine::Scheduler& scheduler)
    : scheduler_(scheduler), cluster_(scheduler.cluster()) {
  scheduler.marks().Watch();
}

void ViewBuilder::OnChanges(std::span<const state::Change> changes) {
  touched_ = true;
  for (const state::Change& change : changes) {
    if (const auto* pod = std::get_if<state::PodChange>(&change)) {
      const bool ended = pod->state == state::PodState::kFinished && !pod->foreign;
      if (ended) {
        EndPod(*pod);
      } else {
        DropEndedPod(pod->name);
      }
    } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
      if (removal->kind == state::RowKind::kPod) DropEndedPod(removal->name);
      if (removal->kind == state::RowKind::kQueue) queues_changed_ = true;
    } else if (std::holds_alternative<state::QueueChange>(change)) {
      queues_changed_ = true;
    }
  }
}

void ViewBuilder::OnRound(const engine::Plan& plan) {
  touched_ = true;
  for (const engine::Decision& decision : plan.decisions) {
    using engine::DecisionType;
    tables_.totals.bound += decision.type == DecisionType::kBind ? 1 : 0;
    tables_.totals.evicted += decision.type == DecisionType::kEvict ? 1 : 0;
    const bool admits = decision.type == DecisionType::kAdmit && !decision.withdrawn;
    tables_.totals.admitted += admits ? 1 : 0;
  }
}

// What was there before anybody watched.
state::Marks::Taken ViewBuilder::Everything() const {
  state::Marks::Taken all;
  for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) all.reshaped.emplace_back(i);
  for (std::uint32_t i = 0; i < cluster_.pods().size(); ++i) all.pods.emplace_back(i);
  for (std::uint32_t i = 0; i < cluster_.workloads().size(); ++i) all.workloads.emplace_back(i);
  return all;
}

// Returns whether they are others than before.
bool ViewBuilder::TakeTopologies(std::vector<objects::KnownTopology> known) {
  const state::DomainTrees& trees = cluster_.trees();
  std::vector<Topology> topologies;
  for (objects::KnownTopology& each : known) {
    Topology& topology = topologies.emplace_back(Topology{{std::move(each)}});
    for (std::uint32_t t = 0; t < trees.size(); ++t) {
      topology.asked_for |= trees[state::TreeId(t)].levels() == topology.levels;
    }
  }
  if (topologies == *topologies_) return false;
  topologies_ = std::make_shared<const std::vector<Topology>>(std::move(topologies));
  return true;
}

// Returns whether they are others than before. They are few.
bool ViewBuilder::TakeWindowsAndKeptRoom() {
  std::vector<KeptRoom> kept;
  for (const WorkloadId w : cluster_.workloads().WithReservation()) {
    kept.push_back({{*cluster_.workloads().reservation(w)}, std::string(cluster_.NameOf(w))});
  }
  std::ranges::sort(kept, {}, &KeptRoom::workload);
  const bool same = kept == *kept_ && cluster_.windows().all() == *windows_;
  if (same) return false;
  kept_ = std::make_shared<const std::vector<KeptRoom>>(std::move(kept));
  windows_ = std::make_shared<const std::vector<objects::Window>>(cluster_.windows().all());
  return true;
}

std::shared_ptr<const View> ViewBuilder::Publish(Time now, const Status& status,
                                                 std::vector<objects::KnownTopology> topologies) {
  if (std::exchange(touched_, false)) {
    SyncResources();
    state::Marks::Taken taken = scheduler_.marks().Take();
    if (std::exchange(first_, false)) taken = Everything();
    for (const NodeId n : taken.reshaped) ReadNode(n, true);
    for (const NodeId n : taken.nodes) ReadNode(n, false);
    for (const PodId p : taken.pods) ReadPod(p);
    for (const WorkloadId w : taken.workloads) ReadWorkload(w);
    // How a queue orders its work decides when each of it is served.
    if (queues_changed_) {
      for (const std::uint32_t w : std::vector(pending_)) ReadWorkload(WorkloadId(w));
    }
    ReadQueues();
    stale_ = pending_.size();
  }
  if (reasons_due()) RefreshReasons(now);
  const bool changed = nodes_.changed() || pods_.changed() || workloads_.changed() ||
                       ended_pods_.rows.changed() || ended_workloads_.rows.changed() ||
                       queues_.changed() || published_ == nullptr;
  if (changed) {
    tables_.nodes = nodes_.Publish();
    tables_.pods = pods_.Publish();
    tables_.workloads = workloads_.Publish();
    tables_.ended_pods = ended_pods_.rows.Publish();
    tables_.ended_workloads = ended_workloads_.rows.Publish();
    tables_.queues = queues_.Publish();
    published_ = std::make_shared<const Tables>(tables_);
  }
  const bool others = TakeTopologies(std::move(topologies));
  const bool ahead = TakeWindowsAndKeptRoom();
  if (changed || others || ahead || status != status_) ++version_;
  status_ = status;
  return std::make_shared<const View>(View{.now = now,
                                           .version = version_,
                                           .status = status_,
                                           .tables = published_,
                                           .topologies = topologies_,
                                           .windows = windows_,
                                           .kept = kept_});
}

// Amounts --------------------------------------------------------------------------------------

// Columns are only ever added: rows that are too short for a new one have nothing of it.
void ViewBuilder::SyncResources() {
  const state::ResourceTable& resources = cluster_.resources();
  const auto known = [&] { return columns_.empty() ? 0U : columns_.back().value() + 1; };
  if (known() == resources.size()) return;
  for (std::uint32_t r = known(); r < resources.size(); ++r) {
    if (!state::IsInternal(state::ResourceId(r))) columns_.emplace_back(r);
  }
  std::vector<Resource> shown;
  for (const state::ResourceId r : resources.SortedByName()) {
    const auto at = std::lower_bound(columns_.begin(), columns_.end(), r);
    shown.push_back({.name = resources.name(r),
                     .scale = ScaleOf(resources.name(r)) == Scale::kMilli ? 1000 : 1,
                     .column = static_cast<std::size_t>(at - columns_.begin())});
  }
  tables_.resources = std::make_shared<const std::vector<Resource>>(std::move(shown));
  queues_changed_ = true;
}

AmountRow ViewBuilder::ToRow(const state::Amounts& amounts) const {
  AmountRow row(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) row[c] = AmountOf(amounts, columns_[c]);
  return row;
}

AmountRow ViewBuilder::ToRow(const std::int64_t* amounts) const {
  AmountRow row(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) row[c] = amounts[columns_[c].value()];
  return row;
}

// Rows -----------------------------------------------------------------------------------------

template <typename Row>
void ViewBuilder::Replace(RowTable<Row>& rows, std::uint32_t i, Row row) {
  rows.Reach(i);
  const Row& had = rows[i];
  if (Same(had, row)) return;
  Count(had, -1);
  Count(row, +1);
  rows.Set(i, std::move(row));
}

Name ViewBuilder::NodeName(NodeId n) {
  if (!n.valid()) return nullptr;
  if (n.value() >= node_names_.size()) node_names_.resize(cluster_.nodes().size());
  Name& name = node_names_[n.value()];
  if (name == nullptr) name = MakeName(cluster_.nodes().name(n));
  return name;
}

// Kinds and queues are few: their names live as long as the builder.
Name ViewBuilder::Interned(std::string_view text) const {
  Name& name = names_[std::string(text)];
  if (name == nullptr) name = MakeName(text);
  return name;
}

Name ViewBuilder::QueueName(state::QueueId q) const {
  if (!q.valid()) return nullptr;
  if (q.value() >= queue_names_.size()) queue_names_.resize(cluster_.queues().size());
  Name& name = queue_names_[q.value()];
  if (name == nullptr) name = Interned(cluster_.queues()[q].name);
  return name;
}

// What takes room there now. Where nobody leaves and nobody has claims, that is what is not free.
std::shared_ptr<const AmountRow> ViewBuilder::AllocatedOn(NodeId n) const {
  const state::NodeTable& nodes = cluster_.nodes();
  AmountRow row(columns_.size());
  if (!nodes.in_turnover(n)) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::size_t r = columns_[c].value();
      row[c] = nodes.allocatable(n)[r] - nodes.later(n)[r];
    }
    return std::make_shared<const AmountRow>(std::move(row));
  }
  state::Amounts sum;
  for (const PodId p : nodes.pods(n)) {
    const state::Pod& pod = cluster_.pods()[p];
    if (pod.stay() != state::Stay::kComes) AddTo(sum, cluster_.shapes()[pod.shape].request, 1);
  }
  return std::make_shared<const AmountRow>(ToRow(sum));
}

void ViewBuilder::ReadNode(NodeId n, bool reshaped) {
  const state::NodeTable& nodes = cluster_.nodes();
  nodes_.Reach(n.value());
  if (!nodes.exists(n)) return Replace(nodes_, n.value(), NodeRow());
  NodeRow row = nodes_[n.value()];
  if (reshaped || !row.in_use()) {
    row.name = NodeName(n);
    row.allocatable = std::make_shared<const AmountRow>(ToRow(nodes.allocatable(n)));
    row.labels = std::make_shared<const objects::Labels>(nodes.labels(n));
    const auto& taints = nodes.taints(n);
    const bool cordoned = std::any_of(taints.begin(), taints.end(), [](const auto& taint) {
      return taint.key == kUnschedulableTaint;
    });
    const bool takes_nobody = cordoned || !nodes.misread_pod(n).empty();
    row.state = nodes.in_service(n) ? NodeState::kReady
                : takes_nobody      ? NodeState::kUnschedulable
                                    : NodeState::kNotReady;
  }
  row.allocated = AllocatedOn(n);
  row.pods = 0;
  for (const PodId p : nodes.pods(n)) {
    const state::Pod& pod = cluster_.pods()[p];
    row.pods += pod.claims() || pod.expected ? 0 : 1;
  }
  Replace(nodes_, n.value(), std::move(row));
}

void ViewBuilder::ReadPod(PodId p) {
  pods_.Reach(p.value());
  const bool gone = p.value() >= cluster_.pods().size() || !cluster_.pods()[p].in_use ||
                    cluster_.pods()[p].expected;
  if (gone) return Replace(pods_, p.value(), PodRow());
  const state::Pod& pod = cluster_.pods()[p];
  const PodRow& had = pods_[p.value()];
  PodRow row;
  row.name = Keep(had.name, cluster_.pods().name(p));
  if (!pod.foreign) {
    const state::Workload& workload = cluster_.workloads()[pod.workload];
    row.workload = workload.solo() ? row.name : Keep(had.workload, cluster_.NameOf(pod.workload));
    row.workload_row = pod.workload.value();
  }
  row.node_name = NodeName(pod.node);
  row.node = pod.node.valid() ? pod.node.value() : kNone;
  row.request = RequestOf(pod.shape);
  row.state = StateOf(pod);
  Replace(pods_, p.value(), std::move(row));
}

std::shared_ptr<const AmountRow> ViewBuilder::RequestOf(state::ShapeId s) const {
  if (std::exchange(sweeps_, cluster_.shapes().sweeps()) != cluster_.shapes().sweeps()) {
    requests_.clear();
  }
  if (s.value() >= requests_.size()) requests_.resize(cluster_.shapes().size());
  std::shared_ptr<const AmountRow>& request = requests_[s.value()];
  if (request == nullptr) {
    request = std::make_shared<const AmountRow>(ToRow(cluster_.shapes()[s].request));
  }
  return request;
}

// Of those that are there and those that are expected; the row that it had where that is the same.
std::shared_ptr<const AmountRow> ViewBuilder::AsksOf(const state::Gang& gang,
                                                     const WorkloadRow& had) const {
  AmountRow sum;
  for (const state::PodSet& set : gang.sets) {
    for (const PodId p : set.pods) {
      if (cluster_.pods()[p].expected) continue;  // counted with those that are missing
      Add(sum, RequestOf(cluster_.pods()[p].shape).get(), +1);
    }
    if (!set.expected_shape.valid()) continue;
    const auto there =
        std::ranges::count_if(set.pods, [&](PodId p) { return !cluster_.pods()[p].expected; });
    const std::int64_t missing = set.asked - set.succeeded - there;
    if (missing > 0) Add(sum, RequestOf(set.expected_shape).get(), missing);
  }
  if (had.asks != nullptr && *had.asks == sum) return had.asks;
  return std::make_shared<const AmountRow>(std::move(sum));
}

void ViewBuilder::ReadSets(const state::Gang& gang, WorkloadRow& row) const {
  std::vector<SetRow> sets;
  std::int64_t asked = 0;
  bool all_succeeded = !gang.sets.empty();
  bool any_admitted = false;
  for (const state::PodSet& set : gang.sets) any_admitted |= set.admitted > 0;
  std::int32_t admitted = 0;
  for (const state::PodSet& set : gang.sets) {
    SetRow& shown = sets.emplace_back();
    shown.name = set.name;
    shown.count = set.asked;
    shown.admitted = set.admitted;
    for (const PodId p : set.pods) {
      const state::Pod& pod = cluster_.pods()[p];
      shown.running += pod.live() && !pod.expected ? 1 : 0;
    }
    const std::int32_t due = any_admitted ? set.admitted : set.asked;
    all_succeeded &= set.succeeded >= due;
    asked += due;
    admitted += set.admitted;
    row.wanted += set.asked;
    row.running += shown.running;
  }
  if (any_admitted) row.admitted = admitted;
  // A job asks for what is left to run: of one that is complete, nothing.
  const bool of_job = gang.kind != "Workload" && gang.kind != "PodGroup";
  const bool done = gang.known && all_succeeded && (asked > 0 || of_job) && row.running == 0;
  row.state = done && !row.waits ? WorkloadState::kFinished
              : any_admitted     ? WorkloadState::kAdmitted
                                 : WorkloadState::kPending;
  row.sets = std::make_shared<const std::vector<SetRow>>(std::move(sets));
}

WorkloadRow ViewBuilder::RowOf(WorkloadId w) const {
  const state::Workload& workload = cluster_.workloads()[w];
  const WorkloadRow& had = workloads_[w.value()];
  WorkloadRow row;
  row.created = workload.created;
  row.queue = QueueName(workload.queue);
  row.priority = workload.priority;
  row.served = policy::ServedAt(cluster_, w);
  row.run = cluster_.workloads().run_time(w).least();
  const state::SubmitterId submitter = cluster_.workloads().submitter(w);
  if (submitter.valid())
    row.user = Interned(cluster_.queues().accounts().submitter(submitter).user);
  row.waits = engine::IsPending(cluster_, w);
  row.live = workload.live > 0;
  if (workload.started()) row.started = workload.start;
  if (workload.solo()) {
    const state::Pod& pod = cluster_.pods()[workload.only_pod];
    row.name = pods_[workload.only_pod.value()].name;
    row.kind = Interned("Pod");
    row.wanted = 1;
    row.asks = RequestOf(pod.shape);
    row.running = pod.live() ? 1 : 0;
    const bool runs = pod.placed() && !pod.claims();
    row.state = runs ? WorkloadState::kRunning : WorkloadState::kPending;
    if (!runs) row.started.reset();
    return row;
  }
  const state::Gang& gang = cluster_.workloads().gang(w);
  row.name = Keep(had.name, gang.name);
  row.kind = Interned(gang.known ? std::string_view(gang.kind) : "Workload");
  ReadSets(gang, row);
  row.asks = AsksOf(gang, had);
  const bool finished = row.state == WorkloadState::kFinished;
  if (row.running > 0 && workload.started()) row.state = WorkloadState::kRunning;
  if (finished && !row.started) row.started = gang.recorded_start;
  return row;
}

void ViewBuilder::ReadWorkload(WorkloadId w) {
  workloads_.Reach(w.value());
  WorkloadRow row;
  const bool is_there = w.value() < cluster_.workloads().size() && cluster_.workloads()[w].in_use &&
                        !cluster_.workloads()[w].is_landing;
  if (is_there) row = RowOf(w);
  const bool pending =
      row.in_use() && row.state != WorkloadState::kRunning && row.state != WorkloadState::kFinished;
  NotePending(w.value(), pending);
  const WorkloadRow& had = workloads_[w.value()];
  if (pending && had.name == row.name) {
    row.reason = had.reason;
    row.hopeless = had.hopeless;
  }
  Replace(workloads_, w.value(), std::move(row));
}

// Totals ---------------------------------------------------------------------------------------

void ViewBuilder::Count(const NodeRow& row, std::int64_t sign) {
  if (!row.in_use()) return;
  Totals& totals = tables_.totals;
  totals.nodes += sign;
  if (row.state == NodeState::kReady) totals.nodes_ready += sign;
  Add(totals.allocatable, row.allocatable.get(), sign);
  Add(totals.allocated, row.allocated.get(), sign);
}

void ViewBuilder::Count(const PodRow& row, std::int64_t sign) {
  if (!row.in_use()) return;
  Totals& totals = tables_.totals;
  if (row.foreign()) {
    totals.pods_foreign += sign;
  } else if (row.state == PodState::kFinished) {
    totals.pods_finished += sign;
  } else if (row.node != kNone && row.state != PodState::kClaiming) {
    totals.pods_running += sign;
  } else {
    totals.pods_pending += sign;
  }
}

void ViewBuilder::Count(const WorkloadRow& row, std::int64_t sign) {
  if (row.in_use()) tables_.totals.workloads[static_cast<std::size_t>(row.state)] += sign;
}

}  // namespace fairlead::view
