// The reader of records: whatever stands in a file, there is an error with a place, or work that is
// well-formed: names are there and unique, durations are durations, and the virtual cluster takes
// it.

#include <cstdint>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "base/check.h"
#include "trace/record_workload.h"
#include "virtual/cluster.h"

namespace {

void Judge(fairlead::trace::RecordedWorkload recorded) {
  std::set<std::string> names;
  for (const fairlead::objects::Object& object : recorded.objects) {
    const auto& meta = fairlead::objects::MetaOf(object);
    CHECK(names.insert(std::string(KindOf(object)) + " " + meta.Key()).second);
  }
  for (const fairlead::objects::Object& object : recorded.changes) {
    CHECK(names.contains("Node " + fairlead::objects::MetaOf(object).name));
  }
  std::move(recorded.changes.begin(), recorded.changes.end(), std::back_inserter(recorded.objects));
  fairlead::virtual_cluster::VirtualCluster cluster({.start = recorded.start});
  CHECK(cluster.Submit(std::move(recorded.objects)).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
  auto recorded = fairlead::trace::ReadRecordedWorkload(text, "record.jsonl");
  if (recorded) {
    Judge(*std::move(recorded));
  } else {
    CHECK(recorded.error().message.starts_with("record.jsonl:"));
  }
  return 0;
}
