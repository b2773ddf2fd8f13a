#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "kube/known_objects.h"
#include "kube/object_decoder.h"
#include "kube/reflector.h"

namespace fairlead::kube {

// The objects of one resource as its sink was told them: reads what the server sends, judges what
// of it is news, and tells that.
// Thread safety: none.
class ToldObjects {
 public:
  // All must outlive it.
  ToldObjects(const Resource& resource, const objects::DecoderTable& decoders, objects::Keep keep,
              Sink& sink, ReflectorCounts& counts)
      : resource_(resource), sink_(sink), counts_(counts), decoder_(resource, decoders, keep) {}

  void BeginList();
  void TakeItem(const objects::PaddedText& text);
  void EndList();  // what the list did not have is gone

  // An event's object, where all up to `reached` was told. The version that it came with; an error:
  // it cannot be read, not even its name.
  Result<std::string> TakeChanged(const objects::PaddedText& text, std::string_view reached);
  Result<std::string> TakeDeleted(const objects::PaddedText& text);
  // Of a bookmark: an object without anything but a version.
  std::string VersionOf(const objects::PaddedText& text);

  void DeleteAll();
  std::size_t size() const { return known_.size(); }

 private:
  void Tell(std::string_view json, ObjectDecoder::Decoded& decoded, KnownObjects::News news);

  const Resource& resource_;
  Sink& sink_;
  ReflectorCounts& counts_;
  ObjectDecoder decoder_;
  KnownObjects known_;
  bool list_is_whole_ = true;  // every item had a name that could be read
};

}  // namespace fairlead::kube
