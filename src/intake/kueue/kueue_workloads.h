#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "intake/tables/marks.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// Kueue's Workloads, and which of them counts for a gang. One that a job controls stands for that
// job and is known by its name; any other is a workload of its own. Of several that stand for one
// job the one that is not over counts, the oldest of those.
//
// - `kueue` of a gang is the one that counts, after each call; null: there is none.
class KueueWorkloads {
 public:
  KueueWorkloads(Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  // REQUIRES: its dialect_kind is kKueueWorkloadKind.
  void Upsert(const objects::Workload& workload, Time now);
  bool Remove(std::string_view key);  // "namespace/name"

 private:
  struct Row {
    std::string gang;  // the workload that it is
    std::shared_ptr<GangFacts> facts;
  };

  void Choose(const std::string& gang_name);

  Tables& tables_;
  Marks& marks_;
  Tables::ByName<Row> rows_;  // by "namespace/name"
  Tables::ByName<std::set<std::string>> of_gang_;
};

}  // namespace fairlead::intake
