#pragma once

#include <string>
#include <vector>

#include "engine/scheduler.h"
#include "state/change.h"

namespace fairlead::engine {

// What a scheduler decided, line by line: "Bind a/p -> n1", "Admit a/w main=2".
std::vector<std::string> Decided(const Scheduler& scheduler, const Plan& plan);

// Changes, a line each, for the message of a failure.
std::string Told(const std::vector<state::Change>& changes);

// What waits and why (codes), and every queue's figures.
std::vector<std::string> Picture(const Scheduler& scheduler);

// The lines that only one of them has, "-" and "+" before them; empty when they are equal.
std::string Difference(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace fairlead::engine
