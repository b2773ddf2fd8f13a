#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "base/text.h"
#include "base/time.h"
#include "base/uid.h"
#include "effects/writes.h"
#include "kube/loop.h"
#include "kube/reflector.h"
#include "objects/objects.h"

// The requests by which writes are carried out. Each can be sent again when nobody knows what
// became of it: the same twice does no more than once. Objects are named by "namespace/name"; a
// `uid` makes the server refuse where another object has the name by now.

namespace fairlead::live {

// Who wrote a field, in managedFields.
inline constexpr std::string_view kFieldManager = "fairlead";

// "/api/v1/namespaces/team/pods/p".
std::string PathOf(const kube::Resource& resource, std::string_view key);

kube::Request Get(const kube::Resource& resource, std::string_view key);
kube::Request Create(const kube::Resource& resource, std::string_view name_space,
                     const boost::json::value& object);
// `grace`: in whole seconds, in place of a pod's own.
kube::Request Delete(const kube::Resource& resource, std::string_view key, std::string_view uid,
                     std::optional<Duration> grace = {});

// POST pods/binding: 409 where the pod has a node already.
kube::Request Bind(const effects::BindPod& bind, std::string_view uid);
// POST pods/eviction: 429 where a budget forbids it. `grace` as in Delete: the API server takes it
// for what is wanted, be it longer or shorter than the pod's own.
kube::Request Evict(std::string_view pod, std::string_view uid, std::optional<Duration> grace);
// Strategic merge patches of a pod's status.
kube::Request SetCondition(std::string_view pod, std::string_view uid,
                           const effects::ConditionText& condition, Time now);
// The same of a native PodGroup's, in the version that is served.
kube::Request SetGroupStatus(std::string_view api_version, std::string_view group,
                             std::string_view uid, const objects::Condition& condition);
// Annotation fairlead.dev/reservation of a pod that is a workload of its own; absent: taken away.
kube::Request SetReservation(std::string_view pod, std::string_view uid,
                             const std::optional<objects::Reservation>& reservation);
// Annotation fairlead.dev/landings likewise; none: taken away.
kube::Request SetLandings(std::string_view pod, std::string_view uid,
                          const objects::Landings& landings);
kube::Request SetNominatedNode(std::string_view pod, std::string_view uid, std::string_view node);

// What makes `before` into `after`, as a JSON merge patch (RFC 7386); null: nothing. Such a patch
// replaces a list as a whole: ReplacesList says whether it does. Of a mapping that is gone it takes
// away what `before` has of it, as the server may have more.
boost::json::value MergePatch(const boost::json::value& before, const boost::json::value& after);
bool ReplacesList(const boost::json::value& patch);
// Does to `whole`, of which `before` is what we know, what makes `before` into `after`. False: it
// has other lists.
bool CarryOver(const boost::json::value& before, const boost::json::value& after,
               boost::json::value& whole);
// The same as a request, refused (409) unless the object is still the one of `ref`, in that
// version.
kube::Request Patch(const kube::Resource& resource, const kube::ObjectRef& ref,
                    boost::json::value patch);

// No value takes the annotation away.
kube::Request SetAnnotation(const kube::Resource& resource, const kube::ObjectRef& ref,
                            std::string_view key, std::optional<std::string_view> value);

// Server-side apply: makes the object, or owns what it says of it. `subresource` "" or "status".
// As `manager`, what this one said before and does not say now goes.
kube::Request Apply(const kube::Resource& resource, std::string_view key,
                    const boost::json::value& object, std::string_view subresource,
                    std::string_view manager = kFieldManager);
// The same for the status of `object`, alone.
kube::Request ApplyStatus(const kube::Resource& resource, const objects::Object& object);

// Who tells of events.
struct EventSource {
  std::string reporter;  // our scheduler's name
  std::string instance;  // this process, among those of its name
  std::uint64_t run;     // makes the names of events its own
};
// An event of core/v1, as `kubectl describe` finds it. Ten thousand wait while as many are bound.
struct EventObject {
  Text kind, object, api_version;  // of what it regards
  Uid uid;                         // of that, where known
  std::string_view type, action;   // as of effects::EventText
  Text reason, note;
  std::uint64_t number = 0;  // unique in its run
  Time first, last;
  std::int32_t count = 1;
};
std::string NameOf(const EventObject& event, const EventSource& source);
kube::Request CreateEvent(const EventObject& event, const EventSource& source);
// The same again: count and last time.
kube::Request RepeatEvent(const EventObject& event, const EventSource& source);

}  // namespace fairlead::live
