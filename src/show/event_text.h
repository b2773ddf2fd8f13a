#pragma once

#include <string>
#include <string_view>

#include "drive/event.h"

namespace fairlead::show {

// What an event is about: its pod, else its object, else its workload.
std::string_view ObjectOf(const drive::Event& event);

// What a reader wants to know beside the names, in a few words; may be empty.
std::string DetailOf(const drive::Event& event);

}  // namespace fairlead::show
