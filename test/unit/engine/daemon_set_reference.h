#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unit/engine/daemon_set_world.h"

// Who leaves the node of a DaemonSet's pod in a small world: semantics.md §7 read word by word, and
// every set of pods tried. Slow and obvious, and of its own: it takes nothing from the engine.
//
// Where the text is silent the engine has decided, and the reference follows it: pods that hold
// nothing of what is lacking are never taken; a share of the need is the largest over the lacking
// resources and may be more than all; of the sets that budgets allow, "multiple" takes the first in
// the order of giving of which all but the last would not suffice, and then puts back.

namespace fairlead::engine {

class DaemonSetReference {
 public:
  enum class Verdict : std::uint8_t {
    kFits,     // bound
    kComing,   // what is leaving suffices
    kYoung,    // it waits for startDelay
    kNone,     // nobody goes
    kFound,    // victims
    kLimited,  // by its queue: not bound, and nobody goes
    kNever,    // not even on the empty node
  };
  struct Answer {
    Verdict verdict = Verdict::kNone;
    std::vector<std::size_t> victims;  // indices of pods, sorted
    bool operator==(const Answer&) const = default;
  };

  // `now`: seconds.
  DaemonSetReference(const DaemonSetWorld& world, int now);

  Answer Solve() const;
  int Since() const;
  // The moments after now at which a rule on the clock says something else, sorted.
  std::vector<int> Moments() const;

 private:
  using Pod = DaemonSetWorld::Pod;
  using Set = std::vector<std::size_t>;  // indices of pods, in the order of giving
  struct Amounts {                       // and how often the host port is held
    int of[3] = {};                      // CPU, memory, pods
    bool port = false;
  };

  bool Fits(const Amounts& free) const;
  Amounts FreeWithout(const Set& gone, bool leaving_too) const;
  bool Holds(const Pod& pod, std::size_t r) const;
  bool Helps(const Pod& pod) const;
  bool IsEligible(std::size_t p) const;
  std::optional<int> ProtectedUntil(std::size_t p) const;
  bool IsRegularInGang(std::size_t p) const;
  std::optional<int> StartOf(int gang) const;
  int SpareOf(int gang, int set) const;
  int ClassOf(std::size_t p) const;
  bool GivesBefore(std::size_t a, std::size_t b, objects::VictimSelection by) const;
  bool IsYounger(std::size_t a, std::size_t b) const;
  std::pair<int, int> DeviationOf(const Pod& pod) const;
  std::pair<int, int> ShareOf(const Pod& pod) const;
  bool BudgetsAllow(const Set& victims) const;
  int AllowedBy(std::size_t budget) const;
  Set InOrder(objects::VictimSelection by) const;
  Set Single() const;
  Set Multiple() const;

  const DaemonSetWorld& world_;
  int now_;
  int lacking_[3] = {};
  bool port_lacks_ = false;
};

}  // namespace fairlead::engine
