#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <boost/json.hpp>

#include "base/random.h"
#include "unit/live/live_world.h"

namespace fairlead::live {

// The controllers of volumes of a LiveWorld, and its users: claims come and go; what is asked for
// is made, given, refused, or left for later. Volumes can be had on one node each. Half of the
// claims are of a class whose volumes are made, half of one whose volumes are there.
//
// It judges every binding: of the pod's claims all are bound, to volumes that the node reaches; and
// of a gang that starts whole all claims are, before the first of its pods is bound.
class FakeStorage {
 public:
  // Neither is owned. It takes the world's api.on_binding.
  FakeStorage(LiveWorld& world, Random& random);

  // There is a claim of that name.
  void NeedClaim(const std::string& name);
  // Something happens to one claim.
  void Change();
  // All that is asked for is made and given.
  void Answer();

  struct Totals {
    std::uint64_t made = 0, given = 0, refused = 0, deleted = 0, judged = 0;
  };
  const Totals& totals() const { return totals_; }

 private:
  const boost::json::object* ClaimOf(const std::string& name) const {
    return world_.api.Find("persistentvolumeclaims", "team/" + name);
  }
  bool IsBound(const std::string& name) const;
  void AddVolume(const std::string& name, const std::string& node, const std::string& claim);
  void AnswerTo(const std::string& claim, bool refuse);
  void Delete(const std::string& claim);
  bool IsUsed(const std::string& claim) const;
  void JudgeBinding(const std::string& pod, const std::string& node);
  // Nobody could have known: it was another claim a moment ago.
  bool IsForgiven(const std::string& claim) const;

  LiveWorld& world_;
  Random& random_;
  std::map<std::string, Time> deleted_at_;  // claims
  Totals totals_;
};

}  // namespace fairlead::live
