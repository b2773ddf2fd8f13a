// Optimal string alignment distance, row by row: the cheapest way to turn one name into the other
// by inserting, dropping or changing a letter, or by swapping two neighbours. Example: "plna" →
// "plan" is one swap.

#include "base/did_you_mean.h"

#include <algorithm>
#include <utility>

#include "base/sorted_set.h"

namespace fairlead {

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({change, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::vector<std::string> NearNames(std::string_view typed, const std::vector<std::string>& names,
                                   std::size_t at_most) {
  const std::size_t bound = std::max<std::size_t>(1, typed.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const bool begins = typed.size() >= 3 && (name.starts_with(typed) || typed.starts_with(name));
    const std::size_t distance = EditDistance(typed, name);
    if (distance <= bound || begins) near.emplace_back(distance, name);
  }
  MakeSet(near);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < std::min(at_most, near.size()); ++i) {
    result.push_back(std::move(near[i].second));
  }
  return result;
}

std::string DidYouMean(std::string_view typed, const std::vector<std::string>& names) {
  const std::vector<std::string> near = NearNames(typed, names);
  if (near.empty()) return "";
  std::string text = "; did you mean " + near[0];
  for (std::size_t i = 1; i < near.size(); ++i) {
    text += (i + 1 == near.size() ? " or " : ", ") + near[i];
  }
  return text + "?";
}

}  // namespace fairlead
