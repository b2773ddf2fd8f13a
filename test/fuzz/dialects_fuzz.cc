// Manifests of every dialect, as far as the engine's input: the decoders take anything; what was
// read and written reads back, and is written the same again (what a dialect's kinds ask in vain is
// not written); the joins take whatever was read, in any order, come to the same changes whether an
// object came once or twice, and leave nothing behind.

#include <cstdint>
#include <string>
#include <variant>

#include <boost/json.hpp>

#include "base/check.h"
#include "intake/intake.h"
#include "objects/read/reader.h"
#include "objects/write/writer.h"

using namespace fairlead;  // NOLINT(google-build-using-namespace): a file of one function

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  objects::Manifest manifest;
  objects::ReadText(text, "fuzz", intake::AllDecoders(), manifest);
  objects::CheckDuplicates(manifest);
  for (const objects::Object& object : manifest.objects) {
    // A dialect's Workload is written as one of ours, which is held to more.
    const auto* workload = std::get_if<objects::Workload>(&object);
    if (workload != nullptr && !workload->dialect_kind.empty()) continue;
    const std::string written = boost::json::serialize(objects::ToJson(object));
    objects::Manifest again;
    objects::ReadText(written, "fuzz", intake::AllDecoders(), again);
    CHECK(again.faults.empty() && again.objects.size() == 1);
    CHECK(boost::json::serialize(objects::ToJson(again.objects[0])) == written);
  }
  if (!manifest.faults.empty()) return 0;

  intake::Intake in_order, turned_round;
  const Time now{1'000'000};
  for (const objects::Object& object : manifest.objects) in_order.Upsert(object, now);
  for (auto at = manifest.objects.rbegin(); at != manifest.objects.rend(); ++at) {
    turned_round.Upsert(*at, now);
  }
  const std::size_t changes = in_order.TakeChanges().size();
  CHECK(turned_round.TakeChanges().size() == changes);
  CHECK(in_order.Findings().size() == turned_round.Findings().size());
  for (const objects::Object& object : manifest.objects) in_order.Upsert(object, now);
  CHECK(in_order.TakeChanges().empty());
  for (const objects::Object& object : manifest.objects) {
    const objects::Meta& meta = objects::MetaOf(object);
    in_order.Remove(objects::KindOf(object), meta.name_space, meta.name);
  }
  in_order.TakeChanges();
  CHECK(in_order.Findings().empty());
  return 0;
}
