#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "objects/job_rows.h"
#include "objects/objects.h"

namespace fairlead::live {

class LiveWorld;

// An object as the API server shows it. REQUIRES: it can be read.
objects::Object ReadShown(const boost::json::object& shown);

// The controllers of all kinds of jobs in a LiveWorld, as the real ones make and send away pods:
//
//   Job              so many pods as it says, numbered on and on
//   JobSet           a Job for each replica, suspended as it is itself
//   MPIJob           a Job for the launcher, and the workers
//   Kubeflow's       NAME-ROLE-INDEX; an index has a new pod when the old one is gone
//   RayCluster       numbered on and on
//   RayJob           a RayCluster each time that it is let go, with its labels; deleted when it is
//                    suspended or over; and a Job that submits, when that one's pods run
//   AppWrapper       a Job for each component, with its label on their pods
//   LeaderWorkerSet  NAME-GROUP, NAME-GROUP-INDEX, owned by StatefulSets; a group that loses a
//                    pod goes, and is made anew when it is gone
//
// What a row says is read from the row: a kind without a line here is as Kubeflow's where its row
// has a label for the index, else as RayCluster. Where pods come in order those of a set are made
// when those before run. Who is suspended or over has none.
class JobControllers {
 public:
  explicit JobControllers(LiveWorld& world) : world_(world) {}
  // One look at every job.
  void Sync();

 private:
  struct Place {
    std::int64_t group = 0, unit = 0, index = 0;
  };
  void SyncBatchJob(const std::string& key);
  void SyncJobObject(const objects::JobRow& row, const std::string& key);
  void SyncInnerJobs(const objects::JobObject& job, const objects::JobObject::Replicas& set);
  void SyncMade(const objects::JobObject& job);
  void SyncSubmitter(const objects::JobObject& job, const std::string& made_uid);
  void SyncComponents(const objects::JobObject& job);
  void PutJobOf(const objects::JobObject& job, const objects::JobObject::Replicas& set,
                const std::string& name, std::int64_t pods);
  void SyncPods(const objects::JobObject& job, const objects::JobObject::Replicas& set);
  void SyncGroup(const objects::JobObject& job, std::int64_t group);

  void MakePod(const objects::JobObject& job, const objects::JobObject::Replicas& set,
               const std::string& name, const Place& place);
  bool HaveBegun(const objects::JobObject& job, const objects::JobObject::Replicas& set,
                 std::int64_t group) const;
  const objects::JobObject& Read(const objects::JobRow& row, const boost::json::object& shown);

  LiveWorld& world_;
  std::map<std::string, std::vector<std::string>> live_;  // pods that stay, by the owner's uid
  std::map<std::string, int> made_;                       // so far, by who is numbered on and on
  std::set<std::string> whole_;                           // groups that have had all of their pods
  // By plural and key: jobs in the version in which they were read.
  std::map<std::string, std::pair<std::string, objects::JobObject>> read_;
};

}  // namespace fairlead::live
