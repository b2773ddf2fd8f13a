#pragma once

#include <string>

#include "host/input.h"
#include "show/output.h"

namespace fairlead::cli {

// `get nodes --by LEVEL`: domains instead of nodes.
struct DomainsQuestion {
  std::string by, topology;  // a level, of a Topology
  host::InputOptions input;  // of these, instead of a running cluster

  bool asked() const { return !by.empty() || !topology.empty(); }
};

// Prints them; returns the exit code.
int GetDomains(const DomainsQuestion& question, const std::string& server, show::Output& output);

}  // namespace fairlead::cli
