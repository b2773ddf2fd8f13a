#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "live/object_cache.h"
#include "live/own_timers.h"
#include "live/writer.h"

namespace fairlead::live {

// Makes and removes the pods of Workloads with templates: of every such pod set as many as
// status.admission says, named WORKLOAD-PODSET-INDEX, the lowest free index first. One that is
// gone, or failed, is replaced; one that succeeded is not. The Workload controls them, so that they
// go with it.
//
// Thread safety: the loop's thread only.
class TemplatePods {
 public:
  TemplatePods(kube::Loop& loop, Writer& writer, const ObjectCache& cache,
               std::string scheduler_name, std::function<void(const std::string&)> on_problem);

  // The Workload, or a pod of it, changed. Cheap where there is nothing to do.
  void Sync(const std::string& workload);
  // All pods were told as they were at `version`.
  void PodsReached(std::string_view version);

 private:
  struct Making {
    std::string uid;                           // of the Workload
    std::map<std::string, std::string> names;  // asked for and not seen yet; version, once made
    bool reading = false;                      // the Workload's templates are being read
  };
  struct Missing {
    std::string pod_set;
    std::vector<std::string> names;
  };
  std::vector<Missing> MissingOf(const std::string& workload, const objects::Workload& shown,
                                 Making& making);
  void Remove(const std::string& workload, const std::string& pod_set, std::int32_t surplus);
  void Read(const std::string& workload);
  void Make(const std::string& workload, const std::string& body);
  void Made(const std::string& workload, const std::string& pod, const WriteResult& result);

  Writer& writer_;
  const ObjectCache& cache_;
  const std::string scheduler_name_;
  std::function<void(const std::string&)> on_problem_;
  std::map<std::string, Making> making_;
  std::set<std::string> unseen_;  // those of making_ with a pod that is made
  OwnTimers timers_;
};

}  // namespace fairlead::live
