#pragma once

namespace fairlead::bench {

// Memory that this process holds now, and the most it ever held, in MiB (/proc/self/status).
double ResidentMib();
double PeakMib();

}  // namespace fairlead::bench
