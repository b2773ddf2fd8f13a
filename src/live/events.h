#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "effects/writes.h"
#include "kube/loop.h"
#include "live/object_cache.h"
#include "live/own_timers.h"
#include "live/requests.h"
#include "live/writer.h"

namespace fairlead::live {

// Events of Kubernetes: what `kubectl describe` shows of what was done. They go out behind
// bindings, unless these get nowhere, and may be lost: where more wait than kMostWaiting, the
// oldest are dropped and counted. The same again within kRepeatWithin raises the count of the one
// that is there; what waits already goes out once, with the count it has by then.
//
// An event regards the object as it is known, with its uid: `kubectl describe` shows no other. What
// is said of a Workload that is yet to be written for a job waits kSettle; where there is still
// none it is said of the job.
//
// Thread safety: the loop's thread only.
class Events {
 public:
  static constexpr std::size_t kMostWaiting = 20'000;
  static constexpr std::size_t kMostUnderWay = 16;
  static constexpr std::size_t kMostRemembered = 4'096;
  static constexpr int kMostRests = 100;
  static constexpr Duration kRepeatWithin = Duration::Seconds(600);
  static constexpr Duration kSettle = Duration::Seconds(1);

  // `instance`: this process, among those of its name. `run` makes the events' names its own.
  Events(kube::Loop& loop, Writer& writer, const ObjectCache& cache, std::string reporter,
         std::string instance, std::uint64_t run);

  void Add(effects::EventText text);
  // Of an object that is not known otherwise: it cannot be read.
  void Add(const effects::EventText& text, const kube::Resource& resource,
           const kube::ObjectRef& ref);

  std::uint64_t sent() const { return sent_; }
  std::uint64_t dropped() const { return dropped_; }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  struct Told {
    EventObject event;
    Text says;  // by which it is remembered
    bool was_sent = false, waits = false;
  };
  using ToldPtr = std::shared_ptr<Told>;
  // What it regards, where that is not known otherwise.
  struct Regarding {
    std::string_view uid;
    std::string api_version;
  };
  void Queue(const effects::EventText& text, const Regarding* regarding = nullptr);
  EventObject NewEvent(const effects::EventText& text, const Regarding* regarding);
  ToldPtr FindLast(const std::string& says) const;
  ToldPtr TakeFirst();
  void DropFirst();
  void Pump();
  void SendFirst();

  kube::Loop& loop_;
  Writer& writer_;
  const ObjectCache& cache_;
  const EventSource source_;
  std::uint64_t number_ = 0, sent_ = 0, dropped_ = 0;
  std::size_t under_way_ = 0;
  bool resting_ = false;
  int rests_ = 0;            // in a row
  std::uint64_t bound_ = 0;  // bindings done at the last rest
  std::deque<ToldPtr> waiting_;
  std::unordered_map<std::string, ToldPtr> last_;  // by what they say
  OwnTimers timers_;
};

}  // namespace fairlead::live
