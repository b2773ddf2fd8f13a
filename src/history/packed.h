#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "history/records.h"

// The amounts of a sample and the lists of decisions as columns hold them, and decisions as they
// wait to be written.

namespace fairlead::history {

// The four lists of amounts: of each its length + 1 (0: there is none), then the amounts, all as
// variable-length integers, seven bits a byte, the sign in the lowest bit.
std::string PackAmounts(const QueueUsage& usage);
// False: no such bytes.
bool UnpackAmounts(std::string_view bytes, QueueUsage& into);

// JSON: [["cpu",1000],["memory",1]].
std::string ResourcesText(const Resources& resources);
Resources ParseResources(std::string_view text);

// JSON: [["ps",1],["worker",15]]; empty for none.
std::string PodSetsText(const std::vector<PodSetCount>& pod_sets);
std::vector<PodSetCount> ParsePodSets(std::string_view text);

// JSON: [["cpu",12.5]]; empty for none.
std::string UsedText(const std::vector<std::pair<std::string, double>>& used);
std::vector<std::pair<std::string, double>> ParseUsed(std::string_view text);

// One behind the other, in a quarter of what they take as records.
// REQUIRES: all of them are decisions.
std::string PackDecisions(std::span<const Record> records);
Records UnpackDecisions(std::string_view bytes);  // REQUIRES: PackDecisions made them

}  // namespace fairlead::history
