#pragma once

#include "base/id.h"

namespace fairlead::state {

using NodeId = Id<struct NodeTag>;
using ClassId = Id<struct ClassTag>;  // nodes alike to every live selector
using QueueId = Id<struct QueueTag>;
using WorkloadId = Id<struct WorkloadTag>;
using PodId = Id<struct PodTag>;
using ShapeId = Id<struct ShapeTag>;  // pods that ask the same of a node
using BudgetId = Id<struct BudgetTag>;
using ResourceId = Id<struct ResourceTag>;
using TermId = Id<struct TermTag>;            // what dynamic demands count
using ColumnId = Id<struct ColumnTag>;        // a way to part the nodes into domains
using DomainId = Id<struct DomainTag>;        // of one column, or one tree
using TreeId = Id<struct TreeTag>;            // a way to part the nodes into nested domains
using SubmitterId = Id<struct SubmitterTag>;  // a user with his groups
using AccountId = Id<struct AccountTag>;      // what a user or group has under one limit
using AccountsId = Id<struct AccountsTag>;    // those in which a workload counts
using VolumeId = Id<struct VolumeTag>;        // of those that claims may take

}  // namespace fairlead::state
