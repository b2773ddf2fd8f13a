#include "intake/store.h"

namespace fairlead::intake {

std::vector<Finding> Intake::Store::Findings() const { return {}; }

}  // namespace fairlead::intake
