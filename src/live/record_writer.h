#pragma once

#include <fstream>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "drive/observer.h"

namespace fairlead::live {

// Writes down everything that decides, in order, and what was decided: DIR/record.jsonl, for its
// owner's eyes only. Whoever reads it (trace/record.h) can have every round again.
//
// A process begins with an empty memory, and so with a record of its own: where DIR has one already
// the next is DIR/2/record.jsonl, then DIR/3/record.jsonl; each is read by itself.
//
// One JSON object a line:
//   {"time":T,"configuration":{…}}                               first
//   {"time":T,"apiVersion":"v1","kind":"Pod","object":{…}}       as the server said it
//   {"time":T,"gone":{"kind":"Pod","namespace":"a","name":"p"}}  or "PodGroup.scheduling.k8s.io"
//   {"failed":{"BindFailed":"a/p"}}                              or EvictFailed; where no volume
//       could be had on the node, BindFailed with "refusal":{"node":"n","time":T,"message":"…"}
//   {"round":T,"decisions":3,"digest":"…"}                       over the decisions' JSON
//
// Thread safety: the loop's thread only. What cannot be written ends it, with one message.
class RecordWriter : public drive::Observer {
 public:
  // Makes `directory` where it is missing. Error: it, or a file in it, cannot be made.
  static Result<std::unique_ptr<RecordWriter>> Make(
      const std::string& directory, std::function<void(const std::string&)> on_problem);

  const std::string& path() const { return path_; }

  void OnConfiguration(Time now, const objects::SchedulerConfiguration& configuration) override;
  void OnObject(const drive::ObjectNews& news) override;
  void OnChanges(Time now, std::span<const state::Change> changes) override;
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override;
  void OnDecisions(Time now, const engine::DecisionReports& decisions) override;

 private:
  RecordWriter(std::string path, std::function<void(const std::string&)> on_problem);
  void Line(std::string_view text);

  std::string path_;
  std::function<void(const std::string&)> on_problem_;
  std::ofstream file_;
};

}  // namespace fairlead::live
