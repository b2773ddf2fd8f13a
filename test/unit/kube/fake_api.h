#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "base/time.h"
#include "kube/loop.h"

namespace fairlead::kube {

// An API server in memory, as far as a scheduler meets one: objects as JSON with uids and
// resourceVersions, list (by pages too), watch with history, create, replace, patch (merge,
// strategic and apply are all merges here), delete, status, binding, eviction.
// Nothing in it fails by itself; faults are the transport's (fake_loop.h).
class FakeApi {
 public:
  struct Kind {
    std::string api_version, kind, plural;
    bool namespaced = true;
  };
  struct Answer {
    int status = 200;
    std::string body;
    std::optional<Duration> retry_after;
  };
  // What happened to one object. Absent `before`: created; absent `after`: deleted.
  struct Event {
    std::uint64_t version = 0;
    std::optional<boost::json::object> before, after;
  };
  // A request's path and query taken apart.
  struct Target {
    const Kind* kind = nullptr;
    std::string name_space, name, subresource;
    std::map<std::string, std::string> query;
  };

  // Where it was withdrawn it is back, which is a change: what waited for that goes on.
  void Serve(Kind kind);
  // The CRD is gone, and its objects; who watches them again once it is back sees them go.
  void Withdraw(const std::string& plural);
  bool IsServed(const std::string& plural) const { return stores_.at(plural).served; }

  Answer Handle(const Request& request, Time wall_now);
  Target Parse(const std::string& path) const;

  // A watch from the target's resourceVersion: why it cannot be, or absent.
  std::optional<Answer> RefuseWatch(const Target& target) const;
  // The lines of what happened to `plural` after `version`, which then is the newest.
  std::string EventsAfter(const Target& target, std::uint64_t& version) const;
  // Those of a watch that begins with all there is: `version` then is that of its objects.
  std::string InitialEvents(const Target& target, std::uint64_t& version) const;
  std::string Bookmark(const Target& target) const;
  // Called after every change.
  void OnChange(std::function<void()> listener) { listeners_.push_back(std::move(listener)); }

  // Nothing of before can be watched or paged through any more.
  void Compact() { compacted_ = version_; }
  // The same, and it keeps nothing of before: whoever watches was told of it.
  void ForgetHistory();
  // Lists of resourceVersion 0 show what was, until they are asked for more: a server's cache that
  // is behind its store.
  void HoldCache() { cached_ = version_; }
  // etcd restored from a backup: versions begin again at `version`.
  void TurnBack(std::uint64_t version);

  // For tests, without a request. Keys are "namespace/name" or "name".
  void Put(const std::string& plural, boost::json::object object);
  void Erase(const std::string& plural, const std::string& key);
  // As a request to delete it: a pod with a node is marked, where deletions are graceful.
  void Delete(const std::string& plural, const std::string& key, Time wall_now);
  const boost::json::object* Find(const std::string& plural, const std::string& key) const;
  const std::map<std::string, boost::json::object>& All(const std::string& plural);

  std::uint64_t version() const { return version_; }
  std::uint64_t bindings() const { return bindings_; }
  std::uint64_t evictions() const { return evictions_; }  // that were granted
  std::uint64_t evictions_refused() const { return evictions_refused_; }
  // Called with the key of each that is granted and its node, before it is there.
  std::function<void(const std::string&, const std::string&)> on_binding;
  // Called with the key of each, before it goes.
  std::function<void(const std::string&)> on_eviction;
  std::set<std::string> budgets;  // pods that may not be evicted now, by key
  int retry_after_seconds = 0;    // in an answer about a budget
  Duration clock_ahead;           // how wrong its clock is
  bool says_dates = true;         // in its answers
  bool streams_lists = true;      // it knows sendInitialEvents
  bool graceful = false;          // whoever plays the kubelet then erases the pods that are marked

 private:
  struct Store {
    Kind kind;
    bool served = true;
    std::map<std::string, boost::json::object> objects;
    std::deque<Event> events;
  };

  Answer Discover(const std::string& path) const;
  static std::map<std::string, boost::json::object> ObjectsAt(const Store& store,
                                                              std::uint64_t version);
  Answer List(const Target& target);
  Answer Create(const Target& target, boost::json::object object, Time wall_now);
  Answer Replace(const Target& target, const boost::json::object& object);
  Answer Patch(const Target& target, const Request& request, Time wall_now);
  boost::json::object Applied(const Target& target, const boost::json::object& before,
                              const boost::json::object& status);
  Answer Delete(const Target& target, const std::string& uid, Time wall_now);
  Answer Bind(const Target& target, const boost::json::object& binding, Time wall_now);
  Answer Evict(const Target& target, const boost::json::object& eviction, Time wall_now);
  Answer Update(Store& store, const std::string& key, boost::json::object object);
  void Record(Store& store, std::optional<boost::json::object> before,
              std::optional<boost::json::object> after);

  std::map<std::string, Store> stores_;  // by plural
  // By "plural/key" and field manager: types of conditions.
  std::map<std::string, std::map<std::string, std::set<std::string>>> owned_conditions_;
  std::map<std::string, std::vector<boost::json::value>>
      pages_;  // what a continue token stands for
  std::vector<std::function<void()>> listeners_;
  std::uint64_t version_ = 1000, compacted_ = 0, uids_ = 0, bindings_ = 0;
  std::uint64_t evictions_ = 0, evictions_refused_ = 0;
  std::optional<std::uint64_t> cached_;
};

// An answer of kind Status.
FakeApi::Answer StatusAnswer(int code, std::string_view reason, std::string_view message,
                             boost::json::object details = {});

}  // namespace fairlead::kube
