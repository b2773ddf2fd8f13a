#pragma once

#include <map>
#include <string>

#include "view/answer.h"

namespace fairlead::view {

// The domains of a level: `by`, of `topology`, as FindDomainLevel does (view/domains.h). Without
// either those of every Topology that DomainLevelsShown gives. `most`: so many workloads are named
// in each domain, those with the most pods. Sums, not nodes: what is sent grows with the domains.
tl::expected<std::string, Refused> AnswerDomains(
    const View& view, const std::map<std::string, std::string>& parameters);

}  // namespace fairlead::view
