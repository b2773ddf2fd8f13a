#pragma once

#include <vector>

#include <tl/expected.hpp>

#include "objects/read/reader.h"
#include "server/backend.h"

namespace fairlead::host {

// The objects in texts that somebody sent, judged as all input, with the faults of it. New kinds of
// jobs are faults: they are known from the start on.
objects::Manifest ReadTexts(const std::vector<server::SourceText>& texts);

// REQUIRES: there are some.
tl::unexpected<server::Refusal> RefuseFaults(const std::vector<objects::Fault>& faults);

}  // namespace fairlead::host
