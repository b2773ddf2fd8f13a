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

// What is written to.
std::string LineOf(const std::string& claim, const std::string& volume) {
  return volume.empty() ? "PersistentVolumeClaim " + claim : "PersistentVolume " + volume;
}

const objects::PersistentVolumeClaim& ClaimIn(const CachedObject& held) {
  return std::get<objects::PersistentVolumeClaim>(held.object);
}

// None: takes it away.
kube::Request SetSelectedNode(const kube::ObjectRef& ref, std::optional<std::string_view> node) {
  return SetAnnotation(resources::VolumeClaims(), ref, objects::kSelectedNodeAnnotation, node);
}

const objects::PersistentVolume& VolumeIn(const CachedObject& held) {
  return std::get<objects::PersistentVolume>(held.object);
}

// As kube-scheduler takes a volume. A null claim gives it back.
kube::Request SetClaim(const kube::ObjectRef& volume, const kube::ObjectRef* claim) {
  json::value reference, by_controller;
  if (claim != nullptr) {
    reference = json::object{{"apiVersion", "v1"},
                             {"kind", "PersistentVolumeClaim"},
                             {"namespace", claim->name_space},
                             {"name", claim->name},
                             {"uid", claim->uid}};
    by_controller = "yes";
  }
  json::object annotations{{objects::kBoundByControllerAnnotation, std::move(by_controller)}};
  return Patch(resources::Volumes(), volume,
               json::object{{"metadata", {{"annotations", std::move(annotations)}}},
                            {"spec", {{"claimRef", std::move(reference)}}}});
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
  Remove(bind.pod);  // it was decided anew
  const auto [at, is_new] = batches_.try_emplace(workload);
  Batch& batch = at->second;
  if (is_new) {
    batch.turn = ++turns_;
    timers_.After(kPatience, [this, workload, turn = batch.turn] {
      if (!IsAt(workload, turn)) return;
      TimedOut(workload);
    });
    // When all of the plan is here.
    timers_.After({}, [this, workload, turn = batch.turn] {
      if (IsAt(workload, turn)) Look(workload);
    });
  }
  std::vector<std::string> fresh;
  for (const engine::VolumeToBind& each : bind.volumes) {
    const std::string claim = KeyOf(bind, each.claim);
    const Asked asked{.node = bind.node, .volume = each.volume};
    if (!batch.claims.try_emplace(claim, asked).second) continue;
    batches_of_claim_[claim].insert(workload);
    if (!each.volume.empty()) claim_of_volume_[each.volume] = claim;
    fresh.push_back(claim);
  }
  batch_of_pod_[bind.pod] = workload;
  batch.binds.push_back(std::move(bind));
  for (const std::string& claim : fresh) Select(workload, claim);
}

// What is to be written; none: nothing, or what it would be written to is not there.
std::optional<kube::Request> VolumeBindings::RequestFor(const std::string& claim,
                                                        const Asked& asked) const {
  const CachedObject* held = cache_.Find("PersistentVolumeClaim", claim);
  if (held == nullptr || ClaimIn(*held).bound) return std::nullopt;
  if (asked.volume.empty()) {
    if (ClaimIn(*held).selected_node == asked.node) return std::nullopt;
    return SetSelectedNode(held->ref, asked.node);
  }
  const CachedObject* volume = cache_.Find("PersistentVolume", asked.volume);
  if (volume == nullptr || !VolumeIn(*volume).claim.empty()) return std::nullopt;
  return SetClaim(volume->ref, &held->ref);
}

void VolumeBindings::Select(const std::string& workload, const std::string& claim) {
  const Batch& batch = batches_.at(workload);
  const Asked& asked = batch.claims.at(claim);
  std::optional<kube::Request> request = RequestFor(claim, asked);
  if (!request) return;  // told by ClaimChanged, by VolumeChanged, or by Look
  writer_.Send(LineOf(claim, asked.volume), *std::move(request),
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
  GiveUp(workload, {.why = fmt::format("claim {}: {}", claim, result.status.ToString())});
}

Result<bool> VolumeBindings::Shows(const std::string& claim, const Asked& asked) const {
  const CachedObject* held = cache_.Find("PersistentVolumeClaim", claim);
  if (held == nullptr) return Fail(fmt::format("claim {} is gone", claim));
  const objects::PersistentVolumeClaim& shown = ClaimIn(*held);
  if (asked.volume.empty()) {
    const bool selected = shown.selected_node == asked.node;
    if (shown.bound && !selected) {
      return Fail(fmt::format("claim {} was bound, and not for node {}", claim, asked.node));
    }
    if (asked.seen && !selected) {
      return Fail(fmt::format("claim {}: no volume could be made for node {}", claim, asked.node));
    }
    return selected;
  }
  if (shown.bound) {
    if (shown.volume == asked.volume) return true;
    return Fail(fmt::format("claim {} was bound to volume {} instead of {}", claim, shown.volume,
                            asked.volume));
  }
  const CachedObject* volume = cache_.Find("PersistentVolume", asked.volume);
  if (volume == nullptr) {
    return Fail(fmt::format("claim {}: its volume {} is gone", claim, asked.volume));
  }
  const std::string& of = VolumeIn(*volume).claim;
  if (!of.empty() && !objects::IsKeptFor(claim, held->ref.uid, VolumeIn(*volume))) {
    return Fail(fmt::format("claim {}: volume {} was taken for {}", claim, asked.volume, of));
  }
  if (of.empty() && asked.seen) {
    return Fail(fmt::format("claim {}: volume {} was taken back", claim, asked.volume));
  }
  return !of.empty();
}

void VolumeBindings::ClaimChanged(const std::string& claim) {
  const auto at = batches_of_claim_.find(claim);
  if (at == batches_of_claim_.end()) return;
  const std::set<std::string> workloads = at->second;  // which change meanwhile
  for (const std::string& workload : workloads) ClaimOfBatchChanged(workload, claim);
}

void VolumeBindings::ClaimOfBatchChanged(const std::string& workload, const std::string& claim) {
  Asked& asked = batches_.at(workload).claims.at(claim);
  const Result<bool> shows = Shows(claim, asked);
  if (!shows) return GiveUp(workload, {.why = shows.error().message});
  asked.seen |= *shows;
  // What was shown when it was decided may have been another's, who gave it back meanwhile.
  if (!asked.seen) Select(workload, claim);
  Look(workload);
}

void VolumeBindings::VolumeChanged(const std::string& volume) {
  const auto at = claim_of_volume_.find(volume);
  if (at != claim_of_volume_.end()) ClaimChanged(std::string(at->second));
}

// Lets the bindings go where all volumes are there.
void VolumeBindings::Look(const std::string& workload) {
  const Batch& batch = batches_.at(workload);
  for (const auto& [claim, asked] : batch.claims) {
    if (const Result<bool> shows = Shows(claim, asked); !shows) {
      return GiveUp(workload, {.why = shows.error().message});
    }
    const CachedObject* held = cache_.Find("PersistentVolumeClaim", claim);
    if (!ClaimIn(*held).bound) return Wait(batches_.at(workload));
  }
  Batch ready = Take(workload);
  for (effects::BindPod& bind : ready.binds) feedback_.on_ready(std::move(bind), ready.waits);
}

void VolumeBindings::Wait(Batch& batch) {
  if (std::exchange(batch.waits, true)) return;
  for (const effects::BindPod& bind : batch.binds) feedback_.on_waiting(bind);
}

VolumeBindings::Batch VolumeBindings::Take(const std::string& workload) {
  Batch batch = std::move(batches_.extract(workload).mapped());
  for (const auto& [claim, asked] : batch.claims) Forget(workload, claim, asked);
  for (const effects::BindPod& bind : batch.binds) batch_of_pod_.erase(bind.pod);
  return batch;
}

void VolumeBindings::GiveUp(const std::string& workload, Failure failure) {
  Batch given_up = Take(workload);
  for (const auto& [claim, asked] : given_up.claims) {
    if (IsRefused(claim, asked)) failure.not_made.insert(claim);
    TakeBack(claim, asked);
  }
  feedback_.on_failed(std::move(given_up.binds), failure);
}

// Nobody said that it cannot be made there, but it was not.
void VolumeBindings::TimedOut(const std::string& workload) {
  Failure failure{.why = fmt::format("its volumes were not bound within {} minutes",
                                     kPatience.WholeSeconds() / 60)};
  for (const auto& [claim, asked] : batches_.at(workload).claims) {
    const CachedObject* held = cache_.Find("PersistentVolumeClaim", claim);
    if (asked.volume.empty() && held != nullptr && !ClaimIn(*held).bound) {
      failure.not_made.insert(claim);
    }
  }
  GiveUp(workload, std::move(failure));
}

bool VolumeBindings::IsRefused(const std::string& claim, const Asked& asked) const {
  const CachedObject* held = cache_.Find("PersistentVolumeClaim", claim);
  return asked.volume.empty() && asked.seen && held != nullptr && !ClaimIn(*held).bound &&
         ClaimIn(*held).selected_node.empty();
}

bool VolumeBindings::Failure::IsOf(const effects::BindPod& bind) const {
  return std::ranges::any_of(bind.volumes, [&](const engine::VolumeToBind& each) {
    return not_made.contains(KeyOf(bind, each.claim));
  });
}

void VolumeBindings::NodeGone(const std::string& node) {
  std::vector<std::string> workloads;
  for (const auto& [workload, batch] : batches_) {
    const auto is_there = [&](const effects::BindPod& bind) { return bind.node == node; };
    if (std::ranges::any_of(batch.binds, is_there)) workloads.push_back(workload);
  }
  for (const std::string& workload : workloads) {
    GiveUp(workload, {.why = fmt::format("node {} is gone", node), .at_once = true});
  }
}

void VolumeBindings::Forget(const std::string& workload, const std::string& claim,
                            const Asked& asked) {
  const auto at = batches_of_claim_.find(claim);
  at->second.erase(workload);
  if (!at->second.empty()) return;
  batches_of_claim_.erase(at);
  claim_of_volume_.erase(asked.volume);
}

// A version that is not the newest is refused: somebody else has the claim, or the volume, in hand.
void VolumeBindings::TakeBack(const std::string& claim, const Asked& asked) {
  if (batches_of_claim_.contains(claim)) return;
  const CachedObject* held = cache_.Find("PersistentVolumeClaim", claim);
  if (held != nullptr && ClaimIn(*held).bound) return;
  std::optional<kube::Request> request;
  if (asked.volume.empty()) {
    if (held == nullptr || ClaimIn(*held).selected_node != asked.node) return;
    request = SetSelectedNode(held->ref, std::nullopt);
  } else {
    const CachedObject* volume = cache_.Find("PersistentVolume", asked.volume);
    if (volume == nullptr || VolumeIn(*volume).claim != claim) return;
    request = SetClaim(volume->ref, nullptr);
  }
  writer_.Send(LineOf(claim, asked.volume), *std::move(request), [](const WriteResult&) {});
}

std::string VolumeBindings::Remove(const std::string& pod) {
  const auto in = batch_of_pod_.find(pod);
  if (in == batch_of_pod_.end()) return {};
  const std::string workload = in->second;
  batch_of_pod_.erase(in);
  Batch& batch = batches_.at(workload);
  const auto gone = std::ranges::find(batch.binds, pod, &effects::BindPod::pod);
  const effects::BindPod bind = std::move(*gone);
  batch.binds.erase(gone);
  for (const engine::VolumeToBind& each : bind.volumes) {
    const std::string claim = KeyOf(bind, each.claim);
    const bool shared = std::ranges::any_of(batch.binds, [&](const effects::BindPod& other) {
      return std::ranges::any_of(other.volumes, [&](const auto& of_other) {
        return KeyOf(other, of_other.claim) == claim;
      });
    });
    if (shared) continue;
    const auto asked = batch.claims.extract(claim);
    Forget(workload, claim, asked.mapped());
    // When all of the plan is here: it may have been for somebody who asks for the same.
    timers_.After({}, [this, claim, asked = asked.mapped()] { TakeBack(claim, asked); });
  }
  if (batch.binds.empty()) batches_.erase(workload);
  return workload;
}

bool VolumeBindings::Drop(const std::string& pod) {
  const std::string workload = Remove(pod);
  if (batches_.contains(workload)) Look(workload);
  return !workload.empty();
}

}  // namespace fairlead::live
