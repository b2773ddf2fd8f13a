// Why what waits does not start. The answer may change although nothing about the workload does, so
// that all of them are looked at again whenever something was told: at most so many nodes, pods and
// workloads a publication, those that are new first, the others in turn.

#include <utility>

#include "engine/explain/explain.h"
#include "engine/explain/for_good.h"
#include "view/view_builder.h"

namespace fairlead::view {

using state::WorkloadId;

void ViewBuilder::NotePending(std::uint32_t w, bool pending) {
  if (w >= place_.size()) place_.resize(std::size_t{w} + kChunkRows, kNone);
  if (pending) {
    fresh_.push_back(w);
    if (place_[w] != kNone) return;
    place_[w] = static_cast<std::uint32_t>(pending_.size());
    pending_.push_back(w);
  } else if (place_[w] != kNone) {
    place_[pending_.back()] = place_[w];
    pending_[place_[w]] = pending_.back();
    pending_.pop_back();
    place_[w] = kNone;
  }
}

// Pods that name a workload which is not there say so themselves.
std::shared_ptr<const state::Reason> ViewBuilder::WhyUnknown(WorkloadId w) const {
  if (cluster_.workloads()[w].solo()) return nullptr;
  for (const state::PodSet& set : cluster_.workloads().gang(w).sets) {
    for (const state::PodId p : set.pods) {
      const state::Reason* hold = cluster_.HoldOf(p);
      if (hold != nullptr) return std::make_shared<const state::Reason>(*hold);
    }
  }
  return nullptr;
}

void ViewBuilder::Explain(engine::Explainer& explainer, std::uint32_t w) {
  const WorkloadRow& had = workloads_[w];
  std::optional<state::Reason> reason = explainer.First(WorkloadId(w));
  const bool hopeless = reason && engine::WaitsForGood(cluster_, WorkloadId(w), *reason);
  const auto is = [&](const std::shared_ptr<const state::Reason>& other) {
    return reason && other != nullptr && *other == *reason;
  };
  if (is(had.reason) && had.hopeless == hopeless) {
    last_reason_ = had.reason;
    return;
  }
  std::shared_ptr<const state::Reason> fresh;
  bool of_pods = false;
  if (is(last_reason_)) {
    fresh = last_reason_;
  } else if (reason) {
    fresh = std::make_shared<const state::Reason>(std::move(*reason));
  } else {
    fresh = WhyUnknown(WorkloadId(w));
    of_pods = fresh != nullptr;
    if (fresh == had.reason || (fresh && had.reason && *fresh == *had.reason)) return;
  }
  last_reason_ = fresh;
  WorkloadRow row = had;
  row.reason = std::move(fresh);
  row.hopeless = hopeless || of_pods;
  workloads_.Set(w, std::move(row));
}

void ViewBuilder::RefreshReasons(Time now) {
  engine::Explainer explainer(scheduler_, now);
  while (!fresh_.empty() && explainer.looks() < kLooksPerPublish) {
    const std::uint32_t w = fresh_.back();
    fresh_.pop_back();
    if (place_[w] != kNone) Explain(explainer, w);
  }
  while (stale_ > 0 && !pending_.empty() && explainer.looks() < kLooksPerPublish) {
    --stale_;
    if (cursor_ >= pending_.size()) cursor_ = 0;
    Explain(explainer, pending_[cursor_++]);
  }
  if (pending_.empty()) stale_ = 0;
}

}  // namespace fairlead::view
