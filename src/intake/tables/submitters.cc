#include "intake/tables/submitters.h"

#include "intake/facts/submitter.h"

namespace fairlead::intake {

objects::SubmitterPtr Submitters::Of(std::string_view packed, std::string_view owner) {
  NameMap<objects::SubmitterPtr>& known = packed.empty() ? owners_ : said_;
  const std::string_view key = packed.empty() ? owner : packed;
  if (const auto at = known.find(key); at != known.end()) return at->second;
  auto submitter = std::make_shared<const objects::Submitter>(UnpackSubmitter(packed, owner));
  known.emplace(std::string(key), submitter);
  return submitter;
}

}  // namespace fairlead::intake
