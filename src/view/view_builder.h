#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/name_map.h"
#include "engine/plan/plan.h"
#include "engine/scheduler.h"
#include "state/change.h"
#include "state/cluster.h"
#include "view/view.h"

namespace fairlead::engine {
class Explainer;
}

namespace fairlead::view {

// Keeps what is published, from the engine's own tables: rows by the engine's numbers, brought up
// to date where its marks say that something changed. Only what the engine drops, pods that ended
// and are still there, is kept from the changes themselves.
//
//   ViewBuilder builder(scheduler);
//   builder.OnChanges(changes);           // before the engine has them
//   builder.OnRound(plan);
//   auto view = builder.Publish(now, status);
//
// Invariants:
//   - after Publish every row says what the engine's tables say, as if all were read anew.
//   - a reason may be as old as some publications: kLooksPerPublish bounds what looking for them
//     costs. New waiting work comes first, the others in turn.
// Thread safety: none; the thread that owns the engine. The views may be read by anybody.
// Cost of Publish: what changed since the last one, the queues' figures, and the bounded search for
// reasons; where nothing did, O(1).
class ViewBuilder {
 public:
  static constexpr std::int64_t kLooksPerPublish = 40'000;

  // `scheduler` must outlive it, and have no other builder that is still published.
  explicit ViewBuilder(const engine::Scheduler& scheduler);

  void OnChanges(std::span<const state::Change> changes);
  void OnRound(const engine::Plan& plan);

  // `topologies`: those that are there; which of them are asked for is found here.
  // REQUIRES: the engine has had its round over what OnChanges told.
  std::shared_ptr<const View> Publish(Time now, const Status& status,
                                      std::vector<objects::KnownTopology> topologies = {});

  const Totals& totals() const { return tables_.totals; }  // as of the last Publish
  // Reasons that are to be looked for by the next calls of Publish.
  bool reasons_due() const { return !fresh_.empty() || stale_ > 0; }

 private:
  // Pods that ended, and the workloads of one pod that did: rows by a number of their own.
  template <typename Row>
  struct Ended {
    RowTable<Row> rows;
    boost::unordered_flat_map<std::string_view, std::uint32_t, NameHash>
        by_name;  // views of the rows' names
    std::vector<std::uint32_t> unused;
    std::uint32_t next = 0;
  };
  template <typename Row>
  void PutEnded(Ended<Row>& ended, Row row);
  template <typename Row>
  void DropEnded(Ended<Row>& ended, std::string_view name);

  void EndPod(const state::PodChange& change);
  void DropEndedPod(std::string_view name);

  state::Marks::Taken Everything() const;
  bool TakeTopologies(std::vector<objects::KnownTopology> known);
  bool TakeWindowsAndKeptRoom();
  void SyncResources();
  AmountRow ToRow(const state::Amounts& amounts) const;
  AmountRow ToRow(const std::int64_t* amounts) const;
  void ReadNode(state::NodeId n, bool reshaped);
  std::shared_ptr<const AmountRow> AllocatedOn(state::NodeId n) const;
  void ReadPod(state::PodId p);
  void ReadWorkload(state::WorkloadId w);
  WorkloadRow RowOf(state::WorkloadId w) const;
  void ReadSets(const state::Gang& gang, WorkloadRow& row) const;
  std::shared_ptr<const AmountRow> RequestOf(state::ShapeId s) const;
  std::shared_ptr<const AmountRow> AsksOf(const state::Gang& gang, const WorkloadRow& had) const;
  void ReadQueues();
  void ReadQueue(state::QueueId q);
  bool QueueFiguresChanged(state::QueueId q);

  void NotePending(std::uint32_t w, bool pending);
  void RefreshReasons(Time now);
  void Explain(engine::Explainer& explainer, std::uint32_t w);
  std::shared_ptr<const state::Reason> WhyUnknown(state::WorkloadId w) const;

  template <typename Row>
  void Replace(RowTable<Row>& rows, std::uint32_t i, Row row);
  void Count(const NodeRow& row, std::int64_t sign);
  void Count(const PodRow& row, std::int64_t sign);
  void Count(const WorkloadRow& row, std::int64_t sign);

  Name NodeName(state::NodeId n);
  Name Interned(std::string_view text) const;
  Name QueueName(state::QueueId q) const;

  const engine::Scheduler& scheduler_;
  const state::Cluster& cluster_;
  RowTable<NodeRow> nodes_;
  RowTable<PodRow> pods_;
  RowTable<WorkloadRow> workloads_;
  Ended<PodRow> ended_pods_;
  Ended<WorkloadRow> ended_workloads_;
  RowTable<QueueRow> queues_;
  std::vector<std::int64_t> queue_figures_;  // as read last: by queue, figure, resource
  std::size_t figures_width_ = 0;            // of a queue

  std::vector<state::ResourceId> columns_;
  std::vector<Name> node_names_;                                    // by number
  mutable std::vector<Name> queue_names_;                           // by number
  mutable std::vector<std::shared_ptr<const AmountRow>> requests_;  // by shape
  mutable std::uint32_t sweeps_ = 0;                                // that its numbers are of
  mutable NameMap<Name> names_;                                     // of kinds and queues

  std::vector<std::uint32_t> pending_;  // workloads that do not run
  std::vector<std::uint32_t> place_;    // by workload: in pending_; kNone
  std::vector<std::uint32_t> fresh_;    // of these: that changed
  std::size_t cursor_ = 0;              // of pending_: looked at next
  std::size_t stale_ = 0;               // of pending_: so many were not looked at since a change
  std::shared_ptr<const state::Reason> last_reason_;  // often the next one's, too

  bool first_ = true;           // nothing was read yet
  bool touched_ = true;         // something was told since the last Publish
  bool queues_changed_ = true;  // specs or structure
  Tables tables_;               // as published last, apart from totals
  Status status_;
  std::uint64_t version_ = 0;
  std::shared_ptr<const Tables> published_;
  std::shared_ptr<const std::vector<Topology>> topologies_ =
      std::make_shared<const std::vector<Topology>>();
  std::shared_ptr<const std::vector<objects::Window>> windows_ =
      std::make_shared<const std::vector<objects::Window>>();
  std::shared_ptr<const std::vector<KeptRoom>> kept_ =
      std::make_shared<const std::vector<KeptRoom>>();
};

}  // namespace fairlead::view
