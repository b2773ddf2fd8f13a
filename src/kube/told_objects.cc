#include "kube/told_objects.h"

#include <utility>

namespace fairlead::kube {
namespace {

using News = KnownObjects::News;

tl::unexpected<Error> Unreadable(const ObjectDecoder::Decoded& decoded) {
  return Fail(decoded.faults.empty() ? "an event's object has no name"
                                     : decoded.faults.front().message);
}

}  // namespace

void ToldObjects::BeginList() {
  list_is_whole_ = true;
  known_.BeginList();
}

void ToldObjects::TakeItem(const objects::PaddedText& text) {
  News news = News::kNone;
  ObjectDecoder::Decoded& decoded = decoder_.Decode(text, [&](const ObjectRef& ref) {
    if (!ref.name.empty()) news = known_.JudgeItem(ref);
    return news != News::kNone;
  });
  if (!decoded.ref.name.empty()) {
    if (news != News::kNone) Tell(text.view(), decoded, news);
    return;
  }
  // Whatever it is, it is not gone: this list proves nobody's absence.
  list_is_whole_ = false;
  ++counts_.refused;
  if (decoded.faults.empty()) {
    decoded.faults.push_back({.object = resource_.kind,
                              .field = "metadata.name",
                              .message = "found none, expected one"});
  }
  sink_.Refuse(decoded.ref, decoded.faults);
}

void ToldObjects::EndList() {
  if (!list_is_whole_) return;
  for (const ObjectRef& gone : known_.EndList()) sink_.Delete(gone);
}

Result<std::string> ToldObjects::TakeChanged(const objects::PaddedText& text,
                                             std::string_view reached) {
  News news = News::kNone;
  ObjectDecoder::Decoded& decoded = decoder_.Decode(text, [&](const ObjectRef& ref) {
    if (!ref.name.empty()) news = known_.Judge(ref, reached);
    return news != News::kNone;
  });
  if (decoded.ref.name.empty()) return Unreadable(decoded);
  ++counts_.events;
  if (news == News::kNone) {
    ++counts_.stale;
  } else {
    Tell(text.view(), decoded, news);
  }
  return decoded.ref.version;
}

Result<std::string> ToldObjects::TakeDeleted(const objects::PaddedText& text) {
  const ObjectDecoder::Decoded& decoded =
      decoder_.Decode(text, [](const ObjectRef&) { return false; });
  if (decoded.ref.name.empty()) return Unreadable(decoded);
  ++counts_.events;
  // Another uid: an old event of an object whose name was taken since.
  std::optional<ObjectRef> gone = known_.Take(decoded.ref, decoded.ref.uid);
  if (gone) {
    gone->version = decoded.ref.version;
    sink_.Delete(*gone);
  } else {
    ++counts_.stale;
  }
  return decoded.ref.version;
}

std::string ToldObjects::VersionOf(const objects::PaddedText& text) {
  return decoder_.Decode(text, [](const ObjectRef&) { return false; }).ref.version;
}

void ToldObjects::DeleteAll() {
  for (const ObjectRef& gone : known_.TakeAll()) sink_.Delete(gone);
}

void ToldObjects::Tell(std::string_view json, ObjectDecoder::Decoded& decoded, News news) {
  const ObjectRef& ref = decoded.ref;
  if (news == News::kReplacement) {
    if (const auto gone = known_.Take(ref, "")) sink_.Delete(*gone);
  }
  const Text& key =
      known_.Put(ref, decoded.object ? KnownObjects::As::kTold : KnownObjects::As::kRefused);
  if (!decoded.faults.empty()) {
    ++counts_.refused;
    sink_.Refuse(ref, decoded.faults);
  }
  if (!decoded.object) return;
  sink_.Read(json, key);
  sink_.Upsert(std::move(*decoded.object), ref);
}

}  // namespace fairlead::kube
