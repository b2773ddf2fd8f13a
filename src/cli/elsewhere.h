#pragma once

#include <string_view>

namespace fairlead::cli {

// What a command of kubectl or Slurm is here: "fairlead submit -f FILE". Empty: not known.
std::string_view CommandInsteadOf(std::string_view typed);

}  // namespace fairlead::cli
