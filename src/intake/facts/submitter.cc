#include "intake/facts/submitter.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/sorted_set.h"
#include "objects/keys.h"

namespace fairlead::intake {

std::string PackSubmitter(const objects::Labels& annotations) {
  const std::string* user = objects::FindLabel(annotations, objects::kUserAnnotation);
  if (user == nullptr || user->empty()) return {};
  const std::string* groups = objects::FindLabel(annotations, objects::kGroupsAnnotation);
  return *user + "\n" + (groups == nullptr ? std::string() : *groups);
}

objects::Submitter UnpackSubmitter(std::string_view packed, std::string_view owner) {
  objects::Submitter submitter;
  if (packed.empty()) {
    submitter.user = owner;
    return submitter;
  }
  const std::size_t end = packed.rfind('\n');
  submitter.user = packed.substr(0, end);
  std::string_view groups = packed.substr(end + 1);
  while (!groups.empty()) {
    const std::size_t comma = std::min(groups.find(','), groups.size());
    const std::string_view group = Trimmed(groups.substr(0, comma), " ");
    groups.remove_prefix(std::min(comma + 1, groups.size()));
    if (!group.empty()) submitter.groups.emplace_back(group);
  }
  MakeSet(submitter.groups);
  return submitter;
}

}  // namespace fairlead::intake
