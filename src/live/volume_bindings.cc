#include "live/volume_bindings.h"

#include <algorithm>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "live/requests.h"
#include "live/resources.h"
#include "objects/key.h"
#include "objects/keys.h"

namespace fairlead::live {
namespace {

namespace json = boost::json;

// A newer version of a claim, which a watch is about to show.
constexpr Duration kAnewAfter{.us = 200'000};

std::string ClaimLine(const std::string& claim) { return "PersistentVolumeClaim " + claim; }

const objects::PersistentVolumeClaim& ClaimIn(const CachedObject& held) {
  return std::get<objects::PersistentVolumeClaim>(held.object);
}

// null: takes it away.
kube::Request SetSelectedNode(const kube::ObjectRef& ref, json::value node) {
  json::object annotations;
  annotations[objects::kSelectedNodeAnnotation] = std::move(node);
  return Patch(resources::VolumeClaims(), ref,
               json::object{{"metadata", json::object{{"annotations", std::move(annotations)}}}});
}

std::string KeyOf(const effects::BindPod& bind, const std::string& claim) {
  return objects::JoinKey(objects::SplitKey(bind.pod).name_space, claim);
}

}  // namespace

VolumeBindings::VolumeBindings(kube::Loop& loop, Writer& writer, const ObjectCache& cache,
                               Feedback feedback)
    : writer_(writer), cache_(cache), feedback_(std::move(feedback)), timers_(loop) {}

bool VolumeBindings::IsAt(const std::string& workload, std::uint64_t turn) const {
  const auto at = batches_.find(workload);
  return at != batches_.end() && at->second.turn == turn;
}

void VolumeBindings::Add(effects::BindPod bind) {
  const std::string workload = bind.workload;
  const auto [at, is_new] = batches_.try_emplace(workload);
  Batch& batch = at->second;
  if (is_new) {
    batch.turn = ++turns_;
    timers_.After(kPatience, [this, workload, turn = batch.turn] {
      if (!IsAt(workload, turn)) return;
      GiveUp(workload, fmt::format("its volumes were not bound within {} minutes",
                                   kPatience.WholeSeconds() / 60));
    });
    // When all of the plan is here.
    timers_.After({}, [this, workload, turn = batch.turn] {
      if (IsAt(workload, turn)) Look(workload);
    });
  }
  std::vector<std::string> fresh;
  for (const std::string& name : bind.volumes) {
    const std::string claim = KeyOf(bind, name);
    if (!batch.claims.try_emplace(claim, Asked{.node = bind.node}).second) continue;
    batch_of_claim_[claim] = workload;
    fresh.push_back(claim);
  }
  batch_of_pod_[bind.pod] = workload;
  batch.binds.push_back(std::move(bind));
  for (const std::string& claim : fresh) Select(workload, claim);
}

void VolumeBindings::Select(const std::string& workload, const std::string& claim) {
  const Batch& batch = batches_.at(workload);
  const std::string& node = batch.claims.at(claim).node;
  const CachedObject* held = cache_.Find("PersistentVolumeClaim", claim);
  if (held == nullptr) return;  // told by ClaimChanged, or by Look
  const objects::PersistentVolumeClaim& shown = ClaimIn(*held);
  if (shown.bound || shown.selected_node == node) return;
  writer_.Send(ClaimLine(claim), SetSelectedNode(held->ref, json::value(node)),
               [this, workload, claim, turn = batch.turn](const WriteResult& result) {
                 Selected(workload, claim, turn, result);
               });
}

void VolumeBindings::Selected(const std::string& workload, const std::string& claim,
                              std::uint64_t turn, const WriteResult& result) {
  if (result.done || !IsAt(workload, turn)) return;
  if (kube::IsConflict(result.status)) {  // there is a newer version
    timers_.After(kAnewAfter, [this, workload, claim, turn] {
      if (IsAt(workload, turn)) Select(workload, claim);
    });
    return;
  }
  GiveUp(workload, fmt::format("claim {}: {}", claim, result.status.ToString()));
}

void VolumeBindings::ClaimChanged(const std::string& claim) {
  const auto at = batch_of_claim_.find(claim);
  if (at == batch_of_claim_.end()) return;
  const std::string workload = at->second;
  const CachedObject* held = cache_.Find("PersistentVolumeClaim", claim);
  if (held == nullptr) return GiveUp(workload, fmt::format("claim {} is gone", claim));
  Asked& asked = batches_.at(workload).claims.at(claim);
  const objects::PersistentVolumeClaim& shown = ClaimIn(*held);
  if (!shown.bound && asked.seen && shown.selected_node != asked.node) {
    return GiveUp(workload,
                  fmt::format("claim {}: no volume could be made for node {}", claim, asked.node));
  }
  asked.seen |= shown.selected_node == asked.node;
  Look(workload);
}

// Lets the bindings go where all volumes are there.
void VolumeBindings::Look(const std::string& workload) {
  const Batch& batch = batches_.at(workload);
  for (const auto& [claim, asked] : batch.claims) {
    const CachedObject* held = cache_.Find("PersistentVolumeClaim", claim);
    if (held == nullptr) return GiveUp(workload, fmt::format("claim {} is gone", claim));
    if (!ClaimIn(*held).bound) return;
  }
  for (effects::BindPod& bind : Take(workload).binds) feedback_.on_ready(std::move(bind));
}

VolumeBindings::Batch VolumeBindings::Take(const std::string& workload) {
  Batch batch = std::move(batches_.extract(workload).mapped());
  for (const auto& [claim, asked] : batch.claims) batch_of_claim_.erase(claim);
  for (const effects::BindPod& bind : batch.binds) batch_of_pod_.erase(bind.pod);
  return batch;
}

void VolumeBindings::GiveUp(const std::string& workload, const std::string& why) {
  const Batch given_up = Take(workload);
  for (const auto& [claim, asked] : given_up.claims) TakeBack(claim, asked.node);
  for (const effects::BindPod& bind : given_up.binds) feedback_.on_failed(bind, why);
}

// A version that is not the newest is refused: somebody else has the claim in hand.
void VolumeBindings::TakeBack(const std::string& claim, const std::string& node) {
  const CachedObject* held = cache_.Find("PersistentVolumeClaim", claim);
  if (held == nullptr) return;
  const objects::PersistentVolumeClaim& shown = ClaimIn(*held);
  if (shown.bound || shown.selected_node != node) return;
  writer_.Send(ClaimLine(claim), SetSelectedNode(held->ref, nullptr), [](const WriteResult&) {});
}

void VolumeBindings::Drop(const std::string& pod) {
  const auto in = batch_of_pod_.find(pod);
  if (in == batch_of_pod_.end()) return;
  const std::string workload = in->second;
  batch_of_pod_.erase(in);
  Batch& batch = batches_.at(workload);
  const auto gone = std::ranges::find(batch.binds, pod, &effects::BindPod::pod);
  const effects::BindPod bind = std::move(*gone);
  batch.binds.erase(gone);
  for (const std::string& name : bind.volumes) {
    const bool shared = std::ranges::any_of(batch.binds, [&](const effects::BindPod& other) {
      return std::ranges::find(other.volumes, name) != other.volumes.end();
    });
    if (shared) continue;
    const std::string claim = KeyOf(bind, name);
    TakeBack(claim, bind.node);
    batch.claims.erase(claim);
    batch_of_claim_.erase(claim);
  }
  if (batch.binds.empty()) {
    batches_.erase(workload);
  } else {
    Look(workload);
  }
}

}  // namespace fairlead::live
