#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "kube/loop.h"
#include "kube/reflector.h"
#include "live/events.h"
#include "live/writer.h"
#include "objects/objects.h"
#include "objects/read/reader.h"

namespace fairlead::live {

// Tells whoever wrote an object that cannot be read: a warning event of any object, and of a
// Workload of ours the condition Ready=False, which goes once it can be read.
//
// What others write must not keep the server busy: of one object something is told once in kRest,
// of all of them kMostInRest times. What is not told then is told of a later version.
//
// The condition has a field manager of its own: a status that is applied without its other fields
// would take these away.
//
// Thread safety: the loop's thread only.
class Refusals {
 public:
  static constexpr Duration kRest = Duration::Seconds(60);
  static constexpr std::size_t kMostInRest = 500;

  Refusals(kube::Loop& loop, Writer& writer, Events& events)
      : loop_(loop), writer_(writer), events_(events) {}

  // REQUIRES: `faults` is not empty.
  void Tell(const kube::Resource& resource, const kube::ObjectRef& ref,
            const std::vector<objects::Fault>& faults);
  // The object can be read.
  void Readable(const objects::Object& object, const kube::ObjectRef& ref);

  // Whether an object's condition is one of these.
  static bool IsOurs(const objects::Condition& condition);

 private:
  bool MayTell(const std::string& uid);
  // `message` empty: there is none any more.
  void SetCondition(const kube::ObjectRef& ref, const std::string& message);

  kube::Loop& loop_;
  Writer& writer_;
  Events& events_;
  Time rest_began_;
  std::unordered_map<std::string, Time> told_;  // by uid, in this rest
};

}  // namespace fairlead::live
