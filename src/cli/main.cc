#include <string>
#include <vector>

#include "cli/app.h"

// No handler for exceptions: libraries' are caught where they are used, and what still arrives here
// is a defect that must not end quietly.
int main(int argc, char** argv) {
  return fairlead::cli::Run(std::vector<std::string>(argv + 1, argv + argc));
}
