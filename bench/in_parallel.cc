#include "bench/in_parallel.h"

#include <cstdlib>

#include "cli/parallel.h"
#include "cli/signals.h"

namespace fairlead::bench {

void InParallel(std::size_t count, std::string_view what, std::string_view unit,
                const std::function<void(std::size_t)>& run) {
  if (cli::OnAllCores(count, what, unit, run) < count) std::exit(cli::kInterrupted);
}

}  // namespace fairlead::bench
