#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/explain/report.h"
#include "engine/scheduler.h"
#include "intake/intake.h"
#include "scenarios/story.h"

namespace fairlead::scenario {

// The cluster of a story as objects, and a scheduler that is told of it as it would be of a real
// one: YAML → objects → intake → engine. With a seed, objects and changes come in a shuffled order;
// but pods that take over room held for them do so as they come, so they keep their order.
class World {
 public:
  // DaemonSets of the namespace `default` are trusted, until the story says otherwise.
  explicit World(std::uint32_t seed);

  // Takes up what a step adds and changes. The error names the line of the story.
  Result<bool> Take(const Step& step, const std::string& file, Time now);

  // The cluster carries out what was decided: pods are bound, or told to go (they are gone when the
  // story says so), promises and admissions stand in the status.
  void Confirm(const engine::PlanReport& report);

  // Tells the engine all that changed.
  void Flush();

  engine::Scheduler& scheduler() { return scheduler_; }
  // The same state for a scheduler that has seen nothing yet.
  void TellAll(engine::Scheduler& fresh, Time now) const;
  // Whether the objects tell all that the engine knows. Not the parent of a queue that was deleted
  // while its work runs, nor the room that is held for pods to come.
  bool can_be_seen() const { return !lost_a_queue_ && !awaits_pods_ && !promised_a_job_; }

 private:
  Result<bool> Change(const Line& line);
  Result<bool> ChangePod(const std::string& name, const std::string& what);
  Result<bool> ChangeNode(const std::string& name, const std::string& what);
  Result<bool> ChangeWorkload(const std::string& name, const std::string& what);
  void Remove(const std::string& kind, const std::string& name);
  // What the story says of an object; what it leaves out stays as it was.
  void PutFromStory(objects::Object object);
  void Put(objects::Object object);
  void Annotate(const std::string& name, std::string_view key, const std::string& text);
  void ConfirmLoan(const engine::DecisionReport& decision, Time now);
  void ConfirmReservation(const engine::DecisionReport& decision);
  void ConfirmLandings(const engine::DecisionReport& decision);
  void ConfirmVolumes(const engine::DecisionReport& decision);
  void TakeStorage(const std::string& node, const objects::VolumeAsk& ask);
  void ConfirmEviction(const engine::DecisionReport& decision, Time now);
  bool AnyPodRuns(const objects::Workload& workload) const;
  template <typename T>
  T* Find(const std::string& kind, const std::string& name);

  std::mt19937 random_;
  bool shuffles_ = false;
  bool lost_a_queue_ = false;
  bool awaits_pods_ = false;     // some Workload has a template, or some job does
  bool promised_a_job_ = false;  // room, which no object of it shows
  Time now_;
  intake::Intake intake_;
  engine::Scheduler scheduler_;
  std::vector<state::Change> extra_;                // what writers report
  std::map<std::string, objects::Object> objects_;  // "Pod default/p"
};

}  // namespace fairlead::scenario
