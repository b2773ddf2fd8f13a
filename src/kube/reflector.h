#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "base/time.h"
#include "kube/loop.h"
#include "kube/resource.h"
#include "objects/objects.h"
#include "objects/read/prune.h"
#include "objects/read/reader.h"

namespace fairlead::kube {

enum class ReflectorState : std::uint8_t {
  kStopped,
  kListing,   // its objects are being read anew; those of before stay until the list is complete
  kWatching,  // it follows
  kWaiting,   // something failed; it tries again
  kAbsent,    // the server does not serve the resource (a CRD that is not installed); it has none
};
std::string_view NameOf(ReflectorState state);

// Takes what a reflector reads. Called on the loop's thread. The calls may not destroy the
// reflector; they may stop it, which it does when the burst of calls is over.
class Sink {
 public:
  virtual ~Sink() = default;

  // Of the next Upsert: what it was read from, as the server said it, good during the call; and its
  // key, "namespace/name", to be shared by whoever keeps it.
  virtual void Read(std::string_view json, const Text& key) { (void)json, (void)key; }
  // The object is there, new or changed. What was told of its name before had the same uid, or was
  // deleted in a call of its own: another uid under a name is another object.
  virtual void Upsert(objects::Object object, const ObjectRef& ref) = 0;
  // It is gone: by an event, or because a list does not have it any more. `version` is that of the
  // deletion where an event said it; else of the object when it was last seen.
  virtual void Delete(const ObjectRef& ref) = 0;
  // It cannot be read (faults name object, field and what was expected). Told once a version.
  // A pod that has a node is told of by Upsert all the same, right after, as far as it can be read:
  // it takes room there. Anything else that was told of before stays as it was until it is readable
  // or gone.
  virtual void Refuse(const ObjectRef& ref, const std::vector<objects::Fault>& faults) = 0;

  // All objects of one moment have been told, and those that are gone deleted: after the first list
  // (from here on the cache may be believed), after every later one, and with `count` 0 where the
  // resource is absent.
  virtual void Synced(std::size_t count) = 0;
  // After a burst of the calls above, or when the server says so (a bookmark): all changes up to
  // `version` have been told. It may be empty where it is not known.
  virtual void Reached(std::string_view version) = 0;

  virtual void StateChanged(ReflectorState state) { (void)state; }
  // Something went wrong and will be tried again; for the log.
  virtual void Problem(const std::string& message) { (void)message; }
};

// Figures since the start, for metrics.
struct ReflectorCounts {
  std::uint64_t lists = 0, watches = 0, events = 0, bookmarks = 0;
  std::uint64_t stale = 0;     // events dropped: older than what is known, or twice the same
  std::uint64_t refused = 0;   // objects that could not be read
  std::uint64_t failures = 0;  // of lists and watches
  std::uint64_t bytes = 0;
};

// Keeps a sink in step with one resource of the API server: LIST, then WATCH from there, as long as
// it lives. Nothing that the server or the network does makes it lose an object for good: what a
// watch missed is found by the next list.
//
// - Objects are decoded by the decoders that read files, one by one as bytes come: a list of any
//   length needs the memory of one object beside what the sink keeps.
// - Held here: for each object its name, uid and version (≈ 80 bytes).
// - Absent is said only after discovery agreed; where objects were known, after it agreed twice.
//
// Thread safety: the loop's thread only.
class Reflector {
 public:
  struct Options {
    std::uint64_t seed = 1;  // of the jitter
    objects::Keep keep = objects::Keep::kRead;
    Duration silence = Duration::Seconds(150);  // a watch without a byte for so long is dead
    Duration rediscovery = Duration::Seconds(30);
    std::size_t page = 500;  // objects a page, where lists are paged: without a resourceVersion
    // The first list asks for the newest there is, and not for whatever the server has cached: it
    // then shows all that was written before Start. It costs the server a read of its store.
    bool newest_first = false;
    // Lists come as events of the watch that goes on behind them (WatchList), where the server has
    // that: one answer, of which it keeps nothing. Where it has not, they are asked for as lists.
    bool streams_lists = false;
    // Where it may not be listed (403) it counts as if there were none of it, until it may.
    bool dispensable = false;
  };

  // `loop`, `decoders` and `sink` must outlive it.
  Reflector(Loop& loop, Resource resource, const objects::DecoderTable& decoders, Sink& sink,
            Options options);
  ~Reflector();
  Reflector(const Reflector&) = delete;
  Reflector& operator=(const Reflector&) = delete;

  void Start();
  // Ends all calls; nothing more is told. What was told stays told; Start goes on from there.
  void Stop();
  // Something suggests that the resource is served now: asks at once where it is absent.
  void Rediscover();

  const Resource& resource() const;
  ReflectorState state() const;
  bool synced() const;                 // Synced was called, and what was told then still stands
  const std::string& version() const;  // what Reached said last
  const ReflectorCounts& counts() const;
  std::size_t size() const;  // objects that are known

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::kube
