#include "effects/kueue_book.h"

namespace fairlead::effects {

void KueueBook::Apply(std::span<const state::Change> changes) {
  for (const state::Change& change : changes) {
    const auto* kueue = std::get_if<state::KueueChange>(&change);
    if (kueue == nullptr) continue;
    const auto at = warned_of_.try_emplace({kueue->kind, kueue->name}).first;
    std::set<CodeAndMessage> lasting;
    for (const state::ObjectProblem& problem : kueue->problems) {
      CodeAndMessage says(problem.code, problem.message);
      if (!at->second.contains(says)) {
        writes_.push_back(Warn{.kind = kueue->kind,
                               .object = kueue->name,
                               .reason = problem.code,
                               .note = problem.message});
      }
      lasting.insert(std::move(says));
    }
    at->second = std::move(lasting);
    if (at->second.empty()) warned_of_.erase(at);
  }
}

}  // namespace fairlead::effects
