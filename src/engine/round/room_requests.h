#pragma once

#include <optional>
#include <vector>

#include "engine/round/claims.h"
#include "engine/round/fewer_pods.h"
#include "engine/round/freed_room.h"
#include "engine/round/kept_answers.h"
#include "engine/round/round_context.h"
#include "engine/round/standing_refusals.h"

namespace fairlead::engine {

// How the round asks others for room (semantics.md §4): who could be given it, who has to go for
// it, and what becomes of placements of the same plan that are in the way.
class RoomRequests {
 public:
  RoomRequests(RoundContext& round, GangStarts& starts, JobAdmission& admission,
               Placements& placements, Claims& claims)
      : round_(round),
        cluster_(round.cluster),
        backlog_(round.backlog),
        room_(round.room),
        plan_(round.plan),
        starts_(starts),
        admission_(admission),
        placements_(placements),
        claims_(claims) {}

  // Whether others might give the group room for so much: a few comparisons; no is a proof. And
  // the same with what this plan's victims have left already.
  bool MayAsk(GroupId g, const state::Amounts& request) const;
  bool MayBeGiven(GroupId g, const state::Amounts& request) const;
  // MayAsk for all of its pods, or for fewer where it may start with them. REQUIRES: it waits.
  bool MightAsk(GroupId g) const;

  // Whether what others said when it was asked last holds still. REQUIRES: as StandingRefusals.
  bool IsStillRefused(GroupId g);
  StandingRefusals& standing() { return standing_; }

  // Others are asked anew who can start: what was found before is forgotten.
  void StartPass() { kept_.Clear(); }
  // Whether it could be given room; nothing is done. No: `lapse` is set where time alone changes
  // that.
  bool CouldBeGiven(GroupId g, std::optional<Time>& lapse);
  // Gives it room: victims go, its pods are bound or claim. No: as CouldBeGiven.
  bool Give(GroupId g, std::optional<Time>& lapse);
  // What others would do for a step that has no free room; nothing is done.
  FewerPods::Others AskOthers(const RoomStep& step);

  // The victims leave, for the beneficiary's sake. To be followed by Displace, once what the
  // search did is committed.
  void GiveVictims(const RoomAnswer& answer, state::WorkloadId beneficiary);
  // Victims that this very plan had placed were never told so: they wait again, as if it had not.
  void Displace(const RoomAnswer& answer);

  // By the step that was taken last.
  FreedRoom& freed() { return freed_; }

 private:
  bool IsGiven(const RoomAnswer& answer, const state::Trial& trial) const;
  RoomAnswer FindAgain(const RoomStep& step, state::Trial& trial);
  std::optional<Time> NoteRefused(GroupId g, const RoomStep& step, const RoomAnswer& answer);
  bool MayBeStoodOn(state::PodId p) const;
  void TakeBackFrom(state::WorkloadId w, const std::vector<state::PodId>& pods);
  void TakeBackUnsupported();
  void DisplaceRest(state::WorkloadId w);

  RoundContext& round_;
  state::Cluster& cluster_;
  Backlog& backlog_;
  MakeRoom& room_;
  PlanWriter& plan_;
  GangStarts& starts_;
  JobAdmission& admission_;
  Placements& placements_;
  Claims& claims_;
  KeptAnswers kept_{round_.cluster};
  StandingRefusals standing_{round_.cluster, round_.placer};
  FreedRoom freed_{round_.cluster, round_.placer};
};

}  // namespace fairlead::engine
