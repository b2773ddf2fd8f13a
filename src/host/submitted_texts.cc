#include "host/submitted_texts.h"

#include <fmt/format.h>

#include "host/input.h"
#include "intake/intake.h"
#include "objects/job_rows.h"

namespace fairlead::host {
namespace {

// Kinds are told apart by all threads, so they stay what they are while these run.
void RefuseNewJobKinds(objects::Manifest& manifest) {
  for (const objects::Object& object : manifest.objects) {
    const auto* configuration = std::get_if<objects::SchedulerConfiguration>(&object);
    if (configuration == nullptr) continue;
    for (const objects::JobRow& row : configuration->job_kinds) {
      if (objects::FindJobRow(row.kind) != nullptr) continue;
      manifest.faults.push_back(
          {.file = configuration->meta.source,
           .line = 0,
           .object = "SchedulerConfiguration",
           .field = "jobKinds",
           .message = fmt::format("found {}, which this server does not know, expected one that it "
                                  "was started with: start it with this configuration",
                                  row.kind)});
    }
  }
}

}  // namespace

objects::Manifest ReadTexts(const std::vector<server::SourceText>& texts) {
  objects::Manifest manifest;
  for (const server::SourceText& text : texts) {
    objects::ReadText(text.text, text.name, intake::AllDecoders(), manifest);
  }
  JudgeInput(manifest);
  RefuseNewJobKinds(manifest);
  return manifest;
}

tl::unexpected<server::Refusal> RefuseFaults(const std::vector<objects::Fault>& faults) {
  return tl::unexpected(server::Refusal{
      .status = 400,
      .message = faults.size() == 1
                     ? "the input has a fault; nothing was changed"
                     : fmt::format("the input has {} faults; nothing was changed", faults.size()),
      .faults = FaultLines(faults)});
}

}  // namespace fairlead::host
