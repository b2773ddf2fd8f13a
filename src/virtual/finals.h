#pragma once

#include "effects/workload_book.h"
#include "virtual/cluster.h"
#include "virtual/store.h"

namespace fairlead::virtual_cluster {

PodFinal FinalOf(const Entry& pod);
WorkloadFinal FinalOf(const effects::WorkloadBook::Row& row);

}  // namespace fairlead::virtual_cluster
