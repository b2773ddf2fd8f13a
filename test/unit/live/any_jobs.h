#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "base/random.h"
#include "objects/job_rows.h"
#include "objects/objects.h"
#include "unit/live/held_rooms.h"
#include "unit/live/live_world.h"

namespace fairlead::live {

// What became of jobs, by kind.
struct JobTotals {
  // At rest: run, with fewer pods than they ask for, and wait; LeaderWorkerSets by their groups.
  std::map<std::string, std::uint64_t> running, fewer, waiting;
  // Were let go, and stopped, on the way there.
  std::map<std::string, std::uint64_t> let_go, stopped;
  std::uint64_t ended = 0, withdrawn = 0;
};

// Jobs of a LiveWorld, of one or two kinds that are drawn from all there are: those of the table
// and one of a platform's own. They come, are edited, end and are deleted; the definition of their
// kind goes and comes.
//
// At every change of a job it is one that may be: suspended it is as it was submitted; running it
// differs from that by its counts alone, and none of them grew. Whoever is let go is admitted by
// its Workload with these counts.
class AnyJobs {
 public:
  // Neither is owned. `workloads_stay`: nobody but who owns them takes Workloads away.
  AnyJobs(LiveWorld& world, Random& random, bool workloads_stay);

  void Add();
  // Deletes one, ends it, or writes on it what decides nothing.
  void Change();
  // A Workload that stands for a job. False: there is none.
  bool DeleteWorkload();
  // The definition of a kind. False: every server has that of its kinds.
  bool ToggleDefinition();
  void ServeAll();

  // The job that a Workload of that name would stand for; null: there is none.
  const boost::json::object* Find(const std::string& key) const;
  std::vector<std::string> Plurals() const;
  // Once all is quiet: whoever runs is admitted by its Workload, with no fewer pods than it can do
  // with, and has no more on nodes than this says; whoever waits is not admitted.
  void JudgeAtRest();
  const JobTotals& totals() const { return totals_; }
  // To be told of every process.
  HeldRooms& held_rooms() { return held_rooms_; }

 private:
  struct Known {
    std::string uid, version;
    bool suspended = true;
  };
  bool OneIn(std::uint64_t n) { return random_.Below(n) == 0; }
  const objects::JobRow* RowOf(const std::string& key) const;
  void Watch();
  void JudgeChange(const objects::JobRow& row, const std::string& key,
                   const boost::json::object& job);
  void JudgeLetGo(const std::string& key, const boost::json::object& job);
  void JudgeJob(const objects::JobRow& row, const std::string& key, const boost::json::object& job);
  void JudgeRunning(const objects::JobRow& row, const std::string& key, const objects::Object& job);
  std::map<std::string, int> BoundByJob();
  void JudgeGroups(const std::string& key, const objects::JobObject& job);

  LiveWorld& world_;
  Random& random_;
  const bool workloads_stay_;
  std::vector<const objects::JobRow*> rows_;             // no two the same
  std::map<std::string, boost::json::value> submitted_;  // spec of jobs, by key
  std::map<std::string, Known> known_;                   // by plural and key
  JobTotals totals_;
  HeldRooms held_rooms_;
};

}  // namespace fairlead::live
