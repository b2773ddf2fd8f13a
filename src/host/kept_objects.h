#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "drive/observer.h"
#include "objects/objects.h"

namespace fairlead::host {

// The objects of a real cluster as they were told last, so that it can be played forward elsewhere.
// As many as that is good for: of a larger cluster it keeps that many, of one twice as large none,
// and of the others their names' hashes, until they are few again and each was told once more. (Two
// of a million names have one hash once in ten million clusters, whose forecast then may lack an
// object.)
// Thread safety: none. Cost: two lookups an object; a pod some 2 kB.
class KeptObjects : public drive::Observer {
 public:
  static constexpr std::size_t kMostPods = 5'000, kMostNodes = 1'000, kMostOthers = 10'000;

  void OnObject(const drive::ObjectNews& news) override;

  // All that is there, by kind and name; absent: it is not known whole.
  std::optional<std::vector<std::shared_ptr<const objects::Object>>> All() const;

 private:
  struct OfKind {
    std::map<std::string, std::shared_ptr<const objects::Object>, std::less<>> kept;
    boost::unordered_flat_set<std::size_t> others;  // too many: hashes of their names
  };
  std::map<std::string, OfKind, std::less<>> kinds_;
};

}  // namespace fairlead::host
