#include "live/refusals.h"

#include <algorithm>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/printable.h"
#include "live/requests.h"
#include "live/resources.h"

namespace fairlead::live {
namespace {

namespace json = boost::json;

constexpr std::string_view kReason = "NotRead";
constexpr std::string_view kReady = "Ready";
constexpr std::string_view kManager = "fairlead-reader";
constexpr std::size_t kMostText = 512;

// Texts of others: as part of one line, and cut between characters.
std::string Plain(std::string_view text) {
  if (text.size() <= kMostText) return Printable(text);
  std::size_t cut = kMostText;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  return Printable(text.substr(0, cut)) + "…";
}

std::string TextOf(const std::vector<objects::Fault>& faults) {
  const objects::Fault& first = faults.front();
  std::string text =
      Plain(first.field.empty() ? first.message : first.field + ": " + first.message);
  if (faults.size() > 1) text += fmt::format(" (and {} more)", faults.size() - 1);
  return text;
}

}  // namespace

bool Refusals::IsOurs(const objects::Condition& condition) {
  return condition.type == kReady && condition.reason == kReason;
}

bool Refusals::MayTell(const std::string& uid) {
  const Time now = loop_.Now();
  if (now - rest_began_ >= kRest) {
    rest_began_ = now;
    std::erase_if(told_, [&](const auto& entry) { return now - entry.second >= kRest; });
  }
  if (told_.size() >= kMostInRest) return false;
  const auto [at, is_new] = told_.try_emplace(uid, now);
  if (!is_new && now - at->second < kRest) return false;
  at->second = now;
  return true;
}

void Refusals::Tell(const kube::Resource& resource, const kube::ObjectRef& ref,
                    const std::vector<objects::Fault>& faults) {
  if (ref.name.empty() || !MayTell(ref.uid)) return;
  const std::string text = TextOf(faults);
  events_.Add({.kind = resource.kind,
               .object = ref.Key(),
               .type = "Warning",
               .reason = std::string(kReason),
               .action = "Reading",
               .note = "it cannot be read: " + text},
              resource, ref);
  if (resource.plural == resources::Workloads().plural &&
      resource.group == resources::Workloads().group) {
    SetCondition(ref, text);
  }
}

void Refusals::Readable(const objects::Object& object, const kube::ObjectRef& ref) {
  const auto* workload = std::get_if<objects::Workload>(&object);
  if (workload == nullptr || !workload->dialect_kind.empty()) return;
  if (std::ranges::any_of(workload->conditions, IsOurs)) SetCondition(ref, {});
}

void Refusals::SetCondition(const kube::ObjectRef& ref, const std::string& message) {
  json::array conditions;
  if (!message.empty()) {
    conditions.push_back(json::object{{"type", kReady},
                                      {"status", "False"},
                                      {"reason", kReason},
                                      {"message", message},
                                      {"lastTransitionTime", FormatTime(loop_.WallNow())}});
  }
  json::object object{
      {"apiVersion", resources::Workloads().ApiVersion()},
      {"kind", resources::Workloads().kind},
      {"metadata", {{"name", ref.name}, {"namespace", ref.name_space}, {"uid", ref.uid}}},
      {"status", {{"conditions", std::move(conditions)}}}};
  // Not told again where it is refused: the log has it.
  writer_.Send("Workload " + ref.Key(),
               Apply(resources::Workloads(), ref.Key(), std::move(object), "status", kManager),
               [](const WriteResult&) {});
}

}  // namespace fairlead::live
