// Label selectors: the input is a budget's selector, and then a label's value behind a zero byte.
// NotIn is the opposite of In, and DoesNotExist of Exists; what is written reads back.

#include <cstdint>
#include <string>

#include "base/check.h"
#include "objects/read/reader.h"

using namespace fairlead::objects;  // NOLINT(google-build-using-namespace): a file of one function

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = std::min(text.find('\0'), size);
  const std::string value = text.substr(std::min(zero + 1, size));
  Manifest manifest;
  ReadText(
      "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec:\n  selector: " +
          text.substr(0, zero),
      "fuzz", CoreDecoders(), manifest);
  for (const Object& object : manifest.objects) {
    const auto* budget = std::get_if<PodDisruptionBudget>(&object);
    if (budget == nullptr) continue;
    for (Requirement requirement : budget->selector.requirements) {
      (void)Matches(budget->selector, {{requirement.key, value}});
      for (const std::string* label : {&value, static_cast<const std::string*>(nullptr)}) {
        requirement.op = Operator::kIn;
        const bool in = Matches(requirement, label);
        requirement.op = Operator::kNotIn;
        CHECK(Matches(requirement, label) != in);
      }
    }
  }
  return 0;
}
