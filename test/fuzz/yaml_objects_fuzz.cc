// Manifests: the readers and decoders take anything; a value that was parsed and printed parses to
// the same by either reader, and an object that was read and written reads back as the same.

#include <cstdint>
#include <string>

#include <boost/json.hpp>

#include "base/check.h"
#include "objects/read/json_reader.h"
#include "objects/read/reader.h"
#include "objects/read/yaml_reader.h"
#include "objects/write/writer.h"
#include "values.h"

using namespace fairlead::objects;  // NOLINT(google-build-using-namespace): a file of one function

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  PrintingSink values, printed;
  ReadYaml(text, 1, Keep::kAll, values);
  for (const std::string& value : values.values) {
    const std::string wrapped = "{\"value\":" + value + "}";
    ReadJson(PaddedText(wrapped), 0, Keep::kAll, printed);
    const bool too_deep = printed.fault.find("nested values") != std::string::npos;
    CHECK(too_deep || printed.values.back() == wrapped);
  }
  Manifest manifest, again;
  ReadText(text, "fuzz", CoreDecoders(), manifest);
  CheckDuplicates(manifest);
  for (Object& object : manifest.objects) {
    MetaOf(object).source = "fuzz:1";
    again.objects.clear();
    ReadText(boost::json::serialize(ToJson(object)), "fuzz", CoreDecoders(), again);
    CHECK(again.faults.empty() && again.objects.at(0) == object);
  }
  return 0;
}
