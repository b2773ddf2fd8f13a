#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/result.h"
#include "base/time.h"
#include "engine/explain/report.h"
#include "engine/scheduler.h"
#include "host/expected_starts.h"
#include "host/start_forecast.h"
#include "host/state_index.h"
#include "intake/intake.h"
#include "objects/objects.h"
#include "show/output.h"
#include "virtual/cluster.h"

namespace fairlead::host {

// What an explanation is drawn from. `plan` is a plan that is decided but not carried out (a saved
// state), or null where plans are carried out at once (a virtual cluster).
struct ExplainSource {
  const engine::Scheduler& scheduler;
  const intake::Intake& intake;
  Time now;
  const engine::PlanReport* plan = nullptr;
};

// Why `name` ("namespace/name" of a workload or a pod) is where it is, as JSON:
//   name, workload, queue, priority, state, created, pods: asked, placed; podSets; placements [pod,
//   node, since]; decisions about it in the plan; reasons, each with `remedy`: what would let it
//   start; room [at, ended]: when, by the expected ends of what runs, there is room for it, and
//   what ends then; protections [action, until, minRuntime, queue, message]: until when it may not
//   be stopped; reserved [at, nodes, since]: room that is kept for it; runTimeLimit [after, by,
//   queue, then, until, left, message]: how long it may run, who says so, and while it runs until
//   when; notBefore: the earliest moment that a reason names; overtakenBy: workloads that were
//   placed meanwhile; reservation: of a DaemonSet's pod, its node and each pod there [pod,
//   priority, class, verdict, until, message]; untrusted [message, remedy]: of a DaemonSet's pod
//   whose node is not cleared for it; gated, and gatedBy where that is Kueue's gate; nextRound;
//   hopeless: it can never start as it is written;
//   passedOver: its preferences, where the configuration weighs none.
// When it is expected to start is added by AddExpectedStarts.
// state is Pending, Starting (decided in the plan), Running, Finished, or NotOurs: a pod of another
// scheduler, or on a node outside the pool; then there are schedulerName, node, message and remedy
// instead. Error: there is no such name; says which ones are near.
Result<boost::json::value> Explain(const ExplainSource& source, std::string_view name);

// Adds `expectedStart` [at, from, until, basis; or unknown] to those of what Explain said that are
// pending and may start, and returns what it worked out: when they start if `objects`, the state
// explained, run on by themselves (host/expected_starts.h). `options` but for its start, which is
// the explanations' `now`: how that cluster's kubelets are.
StartForecast::Told AddExpectedStarts(const std::vector<objects::Object>& objects,
                                      virtual_cluster::Options options, const ForecastDraws& draws,
                                      std::span<boost::json::value> explanations);
// The same of one, as it was worked out before.
void AddExpectedStart(const StartForecast::Told& told, boost::json::value& explanation);

// The same for people. Takes the JSON, so that it serves an answer from a server as well.
void PrintExplanation(const boost::json::value& explanation, show::Output& output);

// "NS/NAME", or "NAME" in the namespace `default`.
std::string QualifiedName(std::string_view name);

}  // namespace fairlead::host
