// Readers of traces: whatever stands in a file, there are objects or faults with a line, and what
// is read is well-formed: names are there and unique, nothing is asked that is not positive.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "base/check.h"
#include "trace/openb.h"
#include "trace/philly.h"
#include "trace/swf.h"

namespace {

void Judge(const fairlead::objects::Manifest& manifest) {
  for (const fairlead::objects::Fault& fault : manifest.faults) {
    CHECK(fault.line > 0 && !fault.message.empty());
  }
  CHECK(manifest.faults.size() <= 200);
  if (!manifest.faults.empty()) return;
  std::set<std::string> names;
  for (const fairlead::objects::Object& object : manifest.objects) {
    const auto& meta = fairlead::objects::MetaOf(object);
    CHECK(!meta.name.empty());
    CHECK(names.insert(std::string(KindOf(object)) + meta.Key()).second);
    const auto* gang = std::get_if<fairlead::objects::Workload>(&object);
    if (gang == nullptr) continue;
    CHECK(!gang->pod_sets.empty());
    for (const auto& set : gang->pod_sets) {
      CHECK(*set.count > 0 && set.pod_template->spec.needs.request[0].second > 0);
    }
  }
}

}  // namespace

// The first byte picks the reader.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const fairlead::trace::Machine machine{.nodes = 3, .per_node = 8, .resource = "nvidia.com/gpu"};
  fairlead::objects::Manifest manifest;
  switch (data[0] % 4) {
    case 0:
      fairlead::trace::ReadOpenbPods(text, "pods.csv", manifest);
      break;
    case 1:
      fairlead::trace::ReadPhilly(text, "jobs.csv", {}, {}, machine, manifest);
      break;
    case 2:
      fairlead::trace::ReadPhilly(
          "timestamp,duration,num_gpus,cluster\n2017-10-09 07:01:55,1,1,a\n", "jobs.csv", text,
          "vc.csv", machine, manifest);
      break;
    default:
      fairlead::trace::ReadSwf(text, "log.swf", machine, manifest);
  }
  Judge(manifest);
  return 0;
}
