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

// Which nodes a shape avoids, since their kubelets refused pods of it (demands.md §8): what a node
// has free does not say whether its cores and devices can be had together. After the n-th refusal
// for 5m × 2^(n−1), at most 1h, from the newest on; shorter where the node changes or something
// leaves it, for then the kubelet may answer otherwise.
//
// Derived from the Failed pods that are there: each counts until it is deleted. What has changed
// meanwhile is not, so that who starts anew may avoid a node for longer.
// Thread safety: none. Cost: a look-up; where nobody was refused nothing is kept, nor looked up.
class KubeletRefusals {
 public:
  struct Place {
    ShapeId shape;
    NodeId node;
    auto operator<=>(const Place&) const = default;
  };
  struct Avoidance {
    std::int32_t times = 0;  // Failed pods that are there
    Time newest;
    std::string message;   // the kubelet's, of the newest
    bool is_over = false;  // before its time, or in time
    Time Until() const;
  };

  // A kubelet refused the pod. Told again it changes nothing.
  void Add(const std::string& pod, Place place, Time at, const std::string& message);
  void Remove(const std::string& pod);  // it is deleted; any pod
  void NodeChanged(NodeId n);
  void PassTo(Time now);

  // Null: the shape may go there.
  const Avoidance* Find(Place place) const;
  // When the next is over; nothing: nobody avoids anything.
  std::optional<Time> NextEnd() const;
  // Whose answer changed since this was asked.
  std::vector<Place> TakeChanged();
  bool empty() const { return by_pod_.empty(); }

 private:
  struct Refusal {
    Place place;
    Time at;
    std::string message;
  };
  void Recount(Place place);
  void End(Place place, Avoidance& avoidance);

  boost::container::flat_map<std::string, Refusal> by_pod_;
  boost::container::flat_map<Place, Avoidance> places_;
  std::vector<Place> changed_;
};

}  // namespace fairlead::state
