// Whose answer an answer is.
//
// A round first asks of all waiting groups who could start (Attempts::CanStart), which may take a
// search each, and then tries one after the other. Between two steps the state is the same, trials
// leave it as it was, and the search is a function of the state and of what the step asks. So
//
// 1. who is tried is given what was found for him when he was asked, if no step has come between;
// 2. of those that ask the same only one is searched for. They ask the same where queue, priority,
//    preemptibility and the parts are equal, kind of pod by kind of pod and as many of each:
//    nothing else of a step is looked at, as long as none of its workload's pods runs or was
//    claimed room (these could be victims, or give their claim up) and all of its pods exist
//    (pods to come get names by a running number). Where what others may lose is bounded by how
//    long one has waited, room that is refused to one is refused to all who wait since later.
//
// What was found for one is done for another by putting the n-th pod of a part where the n-th pod
// of that part was put.
//
// Example: three gangs a, b and c of 8 pods each wait in one queue, and others have to leave for
// each. Asked who can start, a is searched for; b and c can if a can. a is tried: its answer is
// done again. That was a step, after which its victims are gone: b is searched for anew, and then
// c. Three searches for three gangs, instead of six.

#include "engine/round/kept_answers.h"

#include <algorithm>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/check.h"
#include "policy/max_loss.h"

namespace fairlead::engine {

using Act = state::Trial::Act;
using state::PodId;

bool AsksAsAnybody(const state::Cluster& cluster, const RoomStep& step) {
  const bool all_exist = std::all_of(step.parts.begin(), step.parts.end(),
                                     [](const GangPart& part) { return part.expected == 0; });
  return all_exist && cluster.workloads()[step.workload].live == 0 &&
         ClaimsOf(cluster, step.workload).empty();
}

std::vector<std::uint64_t> KeyOfAsk(const state::Cluster& cluster, const RoomStep& step) {
  const bool never = cluster.workloads()[step.workload].never_preempts;
  std::vector<std::uint64_t> key = {
      step.queue.value(), static_cast<std::uint32_t>(step.priority),
      (step.preemptible ? 2U : 0U) + (never ? 1U : 0U),
      AsksAsAnybody(cluster, step) ? 0 : step.workload.value() + std::uint64_t{1}};
  for (const GangPart& part : step.parts) {
    key.insert(key.end(), {part.pod_set, part.shape.value(), part.pods.size(),
                           static_cast<std::uint64_t>(part.expected)});
  }
  return key;
}

void KeptAnswers::DropOutdated(std::uint32_t steps) {
  if (std::exchange(after_, steps) != steps) kept_.clear();
}

const KeptAnswers::Kept* KeptAnswers::Find(const RoomStep& step, std::uint32_t steps) {
  DropOutdated(steps);
  const auto at = kept_.find(KeyOfAsk(cluster_, step));
  if (at == kept_.end()) return nullptr;
  const Kept& kept = at->second;
  if (!policy::BoundsLosses(cluster_, step.queue)) return &kept;
  const Time since = WaitsSince(cluster_, step);
  const bool serves = since == kept.waits_since || (!kept.given && since > kept.waits_since);
  return serves ? &kept : nullptr;
}

void KeptAnswers::Keep(const RoomStep& step, std::uint32_t steps, Kept kept) {
  DropOutdated(steps);
  kept.waits_since = WaitsSince(cluster_, step);
  kept_.insert_or_assign(KeyOfAsk(cluster_, step), std::move(kept));
}

std::optional<RoomAnswer> KeptAnswers::Redo(const RoomStep& step, std::uint32_t steps,
                                            state::Trial& trial) {
  DCHECK(trial.steps().empty());
  const Kept* kept = Find(step, steps);
  const bool can = kept != nullptr && kept->given &&
                   std::all_of(kept->acts.begin(), kept->acts.end(), [](const auto& done) {
                     return done.act == Act::kPut || done.act == Act::kEvict;
                   });
  if (!can) return std::nullopt;
  boost::unordered_flat_map<std::uint32_t, PodId> instead;  // of a pod of theirs
  for (std::size_t k = 0; k < step.parts.size(); ++k) {
    const std::vector<PodId>& theirs = kept->step.parts[k].pods;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      instead.emplace(theirs[i].value(), step.parts[k].pods[i]);
    }
  }
  for (const state::Trial::Step& done : kept->acts) {
    if (done.act == Act::kPut) {
      CHECK(instead.contains(done.pod.value()));
      trial.Put(instead.at(done.pod.value()), done.node, state::When::kLater);
    } else {
      trial.Evict(done.pod);
    }
  }
  return kept->answer;
}

}  // namespace fairlead::engine
