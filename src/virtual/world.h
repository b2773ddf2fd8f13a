#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/name_map.h"
#include "base/time.h"
#include "drive/driver.h"
#include "drive/event.h"
#include "effects/writes.h"
#include "objects/keys.h"
#include "virtual/agenda.h"
#include "virtual/cluster.h"
#include "virtual/store.h"

namespace fairlead::virtual_cluster {

inline constexpr std::string_view kRunDuration = "fairlead.dev/run-duration";
inline constexpr std::string_view kArrivesAt = "fairlead.dev/arrives-at";

inline constexpr std::size_t kPodKind = KindIndexOf<objects::Pod>();
inline constexpr std::size_t kNodeKind = KindIndexOf<objects::Node>();
inline constexpr std::size_t kJobKind = KindIndexOf<objects::Job>();
inline constexpr std::size_t kDaemonSetKind = KindIndexOf<objects::DaemonSet>();
inline constexpr std::size_t kWorkloadKind = KindIndexOf<objects::Workload>();

using drive::Event;
using drive::EventType;
using objects::kPodSetLabel;
using objects::kWorkloadLabel;

// A slot and the object that was meant: stale when the slot holds another one.
using Handle = std::pair<SlotId, std::uint32_t>;

// What the virtual cluster's parts share: the objects, what will happen, who is told.
struct World {
  World(const Options& given, drive::Driver& driven_by)
      : options(given), driver(driven_by), now(given.start) {}

  Options options;
  drive::Driver& driver;
  Time now;
  Store store;
  Agenda agenda;
  Digest digest;
  std::uint64_t objects_made = 0;  // uids are numbered
  // Objects that their controller is to look at (Entry::sync_wanted), in order of asking.
  std::vector<Handle> to_sync;
  std::string scheduler_name;  // ours, as configured
  std::vector<Handle> ended;   // jobs and Workloads, where what has ended is forgotten
  bool nodes_changed = false;  // every DaemonSet is to look at its nodes
  // Bindings that wait for volumes: when they are there, and of which workload (bindings.h).
  std::map<std::pair<Time, std::string>, std::vector<effects::BindPod>> waiting_binds;
  // Pods that name an owner which is not there (yet), by "Kind namespace/name" of it.
  NameMap<std::vector<Handle>> orphans;

  void Emit(const Event& event);
  void WantSync(SlotId owner);
  // A job is complete, or a Workload.
  void NoteEnd(SlotId owner) {
    if (options.forget_ended) ended.push_back(HandleOf(owner));
  }
  Handle HandleOf(SlotId slot) const { return {slot, store[slot].generation}; }
  bool Holds(Handle handle) const { return store.Holds(handle.first, handle.second); }
  void Plan(Time time, TaskType type, SlotId slot) {
    agenda.Push(time, type, slot, store[slot].generation);
  }
  // Gives a new object what the API server gives: a creation time and a uid where it has none.
  void Stamp(objects::Meta& meta);
};

// Puts `value` under `key`, keeping the order.
void SetLabel(objects::Labels& labels, std::string_view key, std::string value);
// Takes away what stands under `key`, if anything does.
void DropLabel(objects::Labels& labels, std::string_view key);

}  // namespace fairlead::virtual_cluster
