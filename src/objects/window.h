#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "objects/meta.h"

namespace fairlead::objects {

// What is done with what still runs when a window begins.
enum class AtBegin : std::uint8_t { kLeave, kEvict };
inline constexpr std::pair<std::string_view, AtBegin> kAtBegin[] = {{"Leave", AtBegin::kLeave},
                                                                    {"Evict", AtBegin::kEvict}};

// A time in which nodes are for nobody, or for some queues alone (time.md §4).
struct Window {
  Meta meta;
  Labels node_selector;             // nodes with all of these labels …
  std::vector<std::string> nodes;   // … or, without any, of these names
  Time from;                        // inclusive
  std::optional<Time> until;        // exclusive; absent: no end
  std::vector<std::string> queues;  // whose work may use them meanwhile, with what is below them
  AtBegin at_begin = AtBegin::kLeave;
  bool operator==(const Window&) const = default;
};
inline constexpr std::string_view kWindow = "Window";

// Whether the window is of a node with these labels and that name.
bool Matches(const Window& window, const Labels& labels, const std::string& node_name);

}  // namespace fairlead::objects
