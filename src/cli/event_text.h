#pragma once

#include <string>
#include <string_view>

#include "virtual/event.h"

namespace fairlead::cli {

// What an event is about: its pod, else its object, else its workload.
std::string_view ObjectOf(const virtual_cluster::Event& event);

// What a reader wants to know beside the names, in a few words; may be empty.
std::string DetailOf(const virtual_cluster::Event& event);

}  // namespace fairlead::cli
