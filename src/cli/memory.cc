#include "cli/memory.h"

#include <mimalloc.h>

#pragma weak mi_option_set

namespace fairlead::cli {

void GiveBackFreedMemory() {
  if (mi_option_set != nullptr) mi_option_set(mi_option_decommit_delay, 0);
}

}  // namespace fairlead::cli
