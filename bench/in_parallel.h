#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace fairlead::bench {

// Calls run(0) … run(count − 1), each once, on all cores, and shows on stderr how far it is:
// `what`, as "running", and `unit` for what is counted. What is run is found by its number alone,
// so that the order does not matter. Ctrl-C ends the program once those that have begun are done, a
// second one at once: nothing is printed of a part.
// REQUIRES: `run` may be called on several threads at once; it throws nothing.
void InParallel(std::size_t count, std::string_view what, std::string_view unit,
                const std::function<void(std::size_t)>& run);

}  // namespace fairlead::bench
