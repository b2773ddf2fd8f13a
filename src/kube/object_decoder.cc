#include "kube/object_decoder.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace fairlead::kube {
namespace {

const objects::DecoderRow& RowOf(const Resource& resource, const objects::DecoderTable& decoders) {
  const std::string api_version = resource.ApiVersion();
  const auto row = std::find_if(decoders.begin(), decoders.end(), [&](const auto& one) {
    return one.kind == resource.kind && one.api_version == api_version;
  });
  CHECK(row != decoders.end());
  return *row;
}

void ReadRef(const objects::Value& root, ObjectRef& ref) {
  const objects::Value* metadata = root.Find("metadata");
  if (metadata == nullptr) return;
  const auto read = [&](std::string_view key, std::string& into) {
    const objects::Value* value = metadata->Find(key);
    if (value != nullptr && value->kind() == objects::Value::Kind::kString) into = value->text();
  };
  read("namespace", ref.name_space);
  read("name", ref.name);
  read("uid", ref.uid);
  read("resourceVersion", ref.version);
}

}  // namespace

ObjectDecoder::ObjectDecoder(const Resource& resource, const objects::DecoderTable& decoders,
                             objects::Keep keep)
    : kind_(resource.kind), row_(RowOf(resource, decoders)), keep_(keep) {}

ObjectDecoder::Decoded& ObjectDecoder::Decode(const objects::PaddedText& text,
                                              const Wanted& wanted) {
  decoded_ = {};
  wanted_ = &wanted;
  reader_.Read(text, kind_, keep_, *this);
  wanted_ = nullptr;
  return decoded_;
}

void ObjectDecoder::EndDocument(const objects::Value& root) {
  ReadRef(root, decoded_.ref);
  if (!(*wanted_)(decoded_.ref)) return;
  manifest_.objects.clear();
  manifest_.faults.clear();
  manifest_.warnings.clear();
  manifest_.misread_pods.clear();
  row_.decode(root, "", manifest_);
  decoded_.faults = std::move(manifest_.faults);
  for (objects::Fault& fault : decoded_.faults) fault.line = 0;  // there is no file
  if (!manifest_.misread_pods.empty()) {
    decoded_.object = std::move(manifest_.misread_pods.front());
  } else if (decoded_.faults.empty() && !manifest_.objects.empty()) {
    decoded_.object = std::move(manifest_.objects.front());
  } else {
    return;
  }
  objects::MetaOf(*decoded_.object).source.clear();
}

void ObjectDecoder::SyntaxFault(std::uint32_t, std::string message) {
  decoded_.object.reset();
  decoded_.faults.push_back(
      {.file = "", .line = 0, .object = kind_, .field = "", .message = std::move(message)});
}

}  // namespace fairlead::kube
