#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/explain/report.h"
#include "show/output.h"

namespace fairlead::show {

// "once nlp/x-3 is gone", "reclaim for vision/train-7: …": what a row of decisions says at its end.
std::string DetailOf(const engine::DecisionReport& decision);

// Whose room work is on loan from, and until when; no holder: from nobody any more.
std::string LoanText(std::string_view holder, std::string_view until);

// "cpu 64, gpu 8".
std::string ShortQuantities(const engine::Quantities& quantities);

// The tables of `fairlead plan`. `others`: of pods of other schedulers (host/other_schedulers.h).
void PrintPlan(const engine::PlanReport& plan, const std::vector<std::string>& others,
               Output& output);

// One row a queue.
Table QueueTable(const std::vector<engine::QueueReport>& queues);

}  // namespace fairlead::show
