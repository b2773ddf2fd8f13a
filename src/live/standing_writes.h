#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "kube/loop.h"
#include "live/own_timers.h"
#include "live/writer.h"

namespace fairlead::live {

// Writes of what an object is to show until something newer is set: part of a status. The next
// scheduler would write it, so one that the server refuses is not given up: it is said, and written
// again kAgainAfter later, unless something newer was set meanwhile or nobody wants it any more.
//
// Thread safety: the loop's thread only. Cost: what is written or refused is held, nothing else.
class StandingWrites {
 public:
  static constexpr Duration kAgainAfter = Duration::Seconds(30);

  StandingWrites(kube::Loop& loop, Writer& writer,
                 std::function<void(const std::string&)> on_problem)
      : writer_(writer), on_problem_(std::move(on_problem)), timers_(loop) {}

  struct Part {
    std::string object;  // as Writer::Send has it
    std::string name;    // of the part; what is set takes the place of what had both names
    bool operator<(const Part& other) const {
      return std::tie(object, name) < std::tie(other.object, other.name);
    }
  };
  // The request, as things are when it is sent; absent: it is not wanted any more.
  using Maker = std::function<std::optional<kube::Request>()>;
  // `trouble` begins what is said where it is refused: "cannot nominate team/p".
  void Set(Part part, std::string trouble, Maker make);

 private:
  struct Standing {
    std::string trouble;
    Maker make;
  };
  using StandingPtr = std::shared_ptr<const Standing>;

  void Write(const Part& part, const StandingPtr& standing);
  void Written(const Part& part, const StandingPtr& standing, const WriteResult& result);
  bool IsNewest(const Part& part, const StandingPtr& standing) const;

  Writer& writer_;
  std::function<void(const std::string&)> on_problem_;
  std::map<Part, StandingPtr> standing_;  // the newest, until it is written
  OwnTimers timers_;
};

}  // namespace fairlead::live
