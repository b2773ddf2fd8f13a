#pragma once

#include "objects/read/json_fields.h"

// Small documents of the API: a Status, a Lease, a credential. Large ones go through src/objects.

namespace fairlead::kube {

using objects::At;
using objects::NumberAt;
using objects::ParseJson;
using objects::TextAt;

}  // namespace fairlead::kube
