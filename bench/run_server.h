#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "kube/loop.h"

namespace fairlead::bench {

// An API server in this process, for a scheduler that reads many objects: it has nodes and pods
// that run, as many as asked for, and makes their texts as they are read, so that it takes no
// memory of its own. All other kinds are served and empty; what is written is taken and forgotten.
// It runs on the machine's clock.
class RunServer : public kube::OwnedLoop {
 public:
  struct World {
    std::int64_t nodes = 0, pods = 0;
    bool watch_lists = true;  // it streams lists as events of a watch, where asked for
  };
  explicit RunServer(World world);

  void Run() override;
  void Stop() override;
  void Post(std::function<void()> fn) override;
  Time Now() const override;
  Time LocalNow() const override;
  kube::TimerId After(Duration delay, std::function<void()> fn) override;
  void CancelTimer(kube::TimerId timer) override;
  kube::CallId Send(kube::Request request, std::function<void(kube::Response)> fn) override;
  kube::CallId Open(kube::Request request, kube::Stream& stream) override;
  void Cancel(kube::CallId call) override;

  // Says on the watch of nodes, so many times, that nothing has changed. Afterwards how long what
  // that led to took, decoding aside: a round each. On the loop's thread.
  void SayNothingNew(int times, std::function<void(Duration)> then);

  // The objects' JSON, added to `out`.
  static void AddNode(std::int64_t i, std::string& out);
  static void AddPod(std::int64_t i, std::int64_t nodes, std::string& out);

 private:
  // An answer that is being given.
  struct Answer {
    kube::Stream* stream = nullptr;
    std::string kind, api_version;
    std::int64_t next = 0, end = 0;  // of its objects
    std::int64_t total = 0;
    bool is_list = false;  // else: a watch
    bool has_begun = false;
    bool is_told = false;  // all of `end`
  };
  void GoOn(kube::CallId id);
  bool RunNext();
  std::string Bookmark(const Answer& answer, bool ends_list) const;

  const World world_;
  std::map<kube::CallId, Answer> answers_;
  std::deque<kube::CallId> due_;  // those that have more to say, in turn
  std::map<std::pair<Time, kube::TimerId>, std::function<void()>> timers_;
  std::map<kube::TimerId, Time> times_;
  std::deque<std::pair<kube::CallId, std::function<void()>>> sent_;
  kube::CallId last_call_ = 0;
  kube::TimerId last_timer_ = 0;
  kube::CallId node_watch_ = 0;
  std::string piece_;  // reused

  Mutex mutex_;
  ConditionVariable wake_;
  std::vector<std::function<void()>> posted_ GUARDED_BY(mutex_);
  bool stops_ GUARDED_BY(mutex_) = false;
};

}  // namespace fairlead::bench
