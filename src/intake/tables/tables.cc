#include "intake/tables/tables.h"

#include <algorithm>

namespace fairlead::intake {

objects::Labels LabelsOfNameSpace(const Tables& tables, std::string_view name_space) {
  constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";
  objects::Labels labels;
  if (auto held = tables.name_space_labels.find(name_space);
      held != tables.name_space_labels.end()) {
    labels = held->second;
  }
  // Every namespace has this one, also where its document does not show it.
  if (objects::FindLabel(labels, kNameLabel) == nullptr) {
    labels.emplace_back(std::string(kNameLabel), std::string(name_space));
    std::ranges::sort(labels);
  }
  return labels;
}

}  // namespace fairlead::intake
