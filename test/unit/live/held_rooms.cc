#include "unit/live/held_rooms.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "objects/job_rows.h"
#include "state/cluster.h"
#include "state/tally.h"

namespace fairlead::live {
namespace {

bool HasRoomForAll(const state::Cluster& cluster, const state::Gang& gang) {
  return std::ranges::all_of(gang.sets, [&](const state::PodSet& set) {
    const auto have =
        std::ranges::count_if(set.pods, [&](state::PodId p) { return cluster.pods()[p].live(); });
    return state::IsMinimum(have, set.succeeded, set.min_count);
  });
}

}  // namespace

class HeldRooms::Follower : public drive::Observer {
 public:
  explicit Follower(HeldRooms& rooms) : rooms_(rooms) {}

  void OnObject(const drive::ObjectNews& news) override {
    if (news.kind == "Node" && news.object == nullptr) rooms_.NoteLost();
    if (news.kind != "Pod") return;
    if (news.object == nullptr)
      return rooms_.NoteGone(fmt::format("{}/{}", news.name_space, news.name));
    // One that has a node and cannot be read closes it.
    if (news.json.find('?') != std::string_view::npos) rooms_.NoteLost();
  }

  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override {
    const state::Cluster& cluster = scheduler.cluster();
    for (const engine::Decision& decision : plan.decisions) {
      if (decision.type != engine::DecisionType::kBind) continue;
      const state::Workload& workload = cluster.workloads()[decision.workload];
      if (workload.solo() || workload.start != plan.now) continue;
      if (workload.is_moving) continue;  // room is held for the rest of it all the same
      const state::Gang& gang = cluster.workloads().gang(decision.workload);
      const objects::JobRow* row = objects::FindJobRow(gang.kind);
      if (row == nullptr || !row->is_let_go_by_pods()) continue;
      EXPECT_TRUE(HasRoomForAll(cluster, gang)) << gang.name << " begins in part";
      rooms_.begun_[gang.name] = {.comes_in_groups = row->comes_in_groups()};
    }
  }

 private:
  HeldRooms& rooms_;
};

HeldRooms::HeldRooms() = default;
HeldRooms::~HeldRooms() = default;

void HeldRooms::Follow(LiveWorld::Process& process) {
  followers_.push_back(std::make_unique<Follower>(*this));
  process.scheduler->AddObserver(followers_.back().get());
}

bool HeldRooms::MayBeLost(const std::string& workload) const {
  const auto found = begun_.find(workload);
  return found != begun_.end() && found->second.may_be_lost;
}

void HeldRooms::NoteLost() {
  for (auto& [workload, begun] : begun_) begun.may_be_lost = true;
}

void HeldRooms::NoteGone(std::string_view pod) {
  std::erase_if(begun_, [pod](const auto& of) {
    const auto& [workload, begun] = of;
    if (!begun.comes_in_groups || !pod.starts_with(workload)) return false;
    return pod.size() == workload.size() || pod[workload.size()] == '-';
  });
}

}  // namespace fairlead::live
