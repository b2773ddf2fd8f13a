#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/container/flat_map.hpp>

#include "base/time.h"
#include "state/ids.h"

namespace fairlead::state {

// Which nodes a shape avoids, since their kubelets refused pods of it, or no volume could be had
// for them there (demands.md §4, §8): what a node has free does not say whether its cores and
// devices can be had together, nor a claim whether there is storage. After the n-th refusal for
// 5m × 2^(n−1), at most 1h, from the newest on; shorter where the node changes or something leaves
// it, for then the answer may be another.
//
// - What kubelets refused is derived from the Failed pods that are there: each counts until it is
//   deleted. What has changed meanwhile is not, so that who starts anew may avoid a node for
//   longer.
// - A pod that no volume could be had for lives on, and counts each time, until it is deleted. Who
//   starts anew does not know of it, and asks once more.
// Thread safety: none. Cost: a look-up; where nobody was refused nothing is kept, nor looked up.
class NodeRefusals {
 public:
  enum class By : std::uint8_t { kKubelet, kProvisioner };
  struct Place {
    ShapeId shape;
    NodeId node;
    By by = By::kKubelet;
    auto operator<=>(const Place&) const = default;
  };
  struct Avoidance {
    std::int32_t times = 0;
    Time newest;
    std::string message;   // the kubelet's, or why there is no volume, of the newest
    bool is_over = false;  // before its time, or in time
    Time Until() const;
  };

  // A kubelet refused the pod. Told again it changes nothing.
  void Add(const std::string& pod, Place place, Time at, const std::string& message);
  // The pod was refused, perhaps not for the first time, and lives on.
  void AddAgain(const std::string& pod, Place place, Time at, const std::string& message);
  void Remove(std::string_view pod);        // it is deleted; any pod
  void RemoveFailed(std::string_view pod);  // the pod of that name is none that failed; any pod
  void NodeChanged(NodeId n);
  void PassTo(Time now);

  // Null: the shape may go there.
  const Avoidance* Find(Place place) const;
  // When the next is over; nothing: nobody avoids anything.
  std::optional<Time> NextEnd() const;
  // Whose answer changed since this was asked.
  std::vector<Place> TakeChanged();
  bool empty() const { return by_pod_.empty(); }
  template <typename Visit>
  void ForEachShape(Visit visit) const {
    for (const auto& [place, avoidance] : places_) visit(place.shape);
    for (const Place& place : changed_) visit(place.shape);
  }

 private:
  struct Refusal {
    Place place;
    std::int32_t times = 1;
    Time at;
    std::string message;
  };
  Refusal* FindOf(const std::string& pod, Place place);
  void Recount(Place place);
  void BeginAnew(Place place);
  void End(Place place, Avoidance& avoidance);

  boost::container::flat_map<std::string, std::vector<Refusal>, std::less<>>
      by_pod_;  // a place each
  boost::container::flat_map<Place, Avoidance> places_;
  std::vector<Place> changed_;
};

}  // namespace fairlead::state
