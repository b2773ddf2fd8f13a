#pragma once

namespace fairlead::cli {

// From now on what is freed goes back to the system at once, not only if it is still free 25 ms
// later: for whoever runs for days beside others. Nothing changes where the program is not linked
// with mimalloc: only release builds are.
void GiveBackFreedMemory();

}  // namespace fairlead::cli
