#include "intake/tables/queue_uses.h"

namespace fairlead::intake {

void QueueUses::Move(NameId from, NameId to) {
  if (from == to) return;
  if (from != Names::kEmpty && --uses_[from.value()] == 0) {
    marks_.MarkQueue(tables_.names[from]);
  }
  if (to == Names::kEmpty) return;
  if (uses_.size() <= to.value()) uses_.resize(to.value() + 1);
  if (++uses_[to.value()] == 1) marks_.MarkQueue(tables_.names[to]);
}

bool QueueUses::IsUsed(std::string_view queue) const {
  const NameId name = tables_.names.Find(queue);
  return name.valid() && name.value() < uses_.size() && uses_[name.value()] > 0;
}

}  // namespace fairlead::intake
