#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace fairlead::cli {

// Calls run(0) … run(count − 1), each once, on all cores, and shows how far it is: `what` (as
// "running"), and `unit` for what is counted. Returns when all are done, or, after Ctrl-C, those
// that have begun; a second Ctrl-C ends the process. Returns how many were run, the first of them.
// REQUIRES: `run` may be called on several threads at once; it throws nothing.
std::size_t OnAllCores(std::size_t count, std::string_view what, std::string_view unit,
                       const std::function<void(std::size_t)>& run);

}  // namespace fairlead::cli
