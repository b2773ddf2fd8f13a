#pragma once

#include <cstddef>
#include <functional>

namespace fairlead {

// How many threads can work at once; at least one.
std::size_t Cores();

// Calls run(0) … run(count − 1), each once, on `threads` threads at most, this one among them.
// Returns when all are done.
// REQUIRES: `run` may be called on several threads at once; it throws nothing.
void OnThreads(std::size_t threads, std::size_t count, const std::function<void(std::size_t)>& run);

}  // namespace fairlead
