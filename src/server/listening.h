#pragma once

#include <string>

#include "base/result.h"

namespace fairlead::server {

// A socket that listens on `host` (a name or an address, of IPv6 also in brackets) and `port`; 0:
// any that is free. It does not wait. A port that another listens on is taken.
Result<int> Listen(const std::string& host, int port);

// Of such a socket.
int PortOf(int listener);

}  // namespace fairlead::server
