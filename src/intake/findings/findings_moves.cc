#include <fmt/format.h>

#include "intake/findings/findings_pass.h"
#include "objects/keys.h"

// What is wrong with moves: who asks in vain to stay, and a time so short that work is moved again
// and again.

namespace fairlead::intake {

void FindingsPass::OfMoves() {
  const objects::SchedulerConfiguration& configuration = *tables_.configuration;
  const Duration cooldown = configuration.consolidation.cooldown;
  if (!configuration.consolidation.enabled) return;
  if (cooldown.us == 0) {
    Add("SchedulerConfiguration", configuration.meta.source, "CooldownTooShort",
        "consolidation.cooldown is 0: who has just started or moved may have to move again at "
        "once, and loses what it has done each time");
  } else if (cooldown < configuration.pods_timeout) {
    Add("SchedulerConfiguration", configuration.meta.source, "CooldownTooShort",
        fmt::format("consolidation.cooldown is {}, less than admission.podsTimeout, {}: who has "
                    "landed may have to move again while the work for which it moved still waits "
                    "for others to land",
                    FormatDuration(cooldown), FormatDuration(configuration.pods_timeout)));
  }
}

void FindingsPass::InvalidMove(const std::string& object, const std::string& source,
                               std::string_view invalid, std::string_view more) {
  if (invalid.empty()) return;
  Add(object, source, "MoveInvalid",
      fmt::format("its {} is \"{}\", expected \"true\" or \"false\"; it is passed over, and it "
                  "may be moved{}",
                  objects::kMoveAnnotation, invalid, more));
}

}  // namespace fairlead::intake
