#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "intake/intake.h"

namespace fairlead::intake {

// The objects of a YAML text; fails the test on any fault.
std::vector<objects::Object> Read(std::string_view yaml);
// The first of them, where its kind is known.
template <typename Object>
Object One(std::string_view yaml) {
  return std::get<Object>(Read(yaml).front());
}

// One change as one line, such as
//   "pod a/p pending solo queue=default"
//   "workload a/w queue=q set=main 3 min=2"
// What is as by default is left out.
std::string Line(const state::Change& change);

// An intake, and what somebody who listens to it knows: the last line by kind and name.
class World {
 public:
  // Upserts the objects of `yaml`, at `seconds` after 2026-01-01 where they carry no creation time.
  void Upsert(std::string_view yaml, int seconds = 0);
  void Upsert(const objects::Object& object, int seconds = 0);

  // The changes since the last call, as lines in their order.
  std::vector<std::string> Take();

  // Takes what is left, then all that is known, sorted.
  std::vector<std::string> Picture();

  std::vector<std::string> Findings();  // "Pod a/p: Code: message"

  Intake intake;

 private:
  void ExpectOwnersTold(const std::vector<std::string>& findings) const;

  std::map<std::string, std::vector<state::ObjectProblem>> owners_told_;  // of Kueue's objects
  std::map<std::string, std::string> known_;                              // "pod a/p" → its line
};

}  // namespace fairlead::intake
