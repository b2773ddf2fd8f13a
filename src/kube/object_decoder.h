#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kube/reflector.h"
#include "objects/read/document_sink.h"
#include "objects/read/json_reader.h"
#include "objects/read/padded_text.h"

namespace fairlead::kube {

// Makes objects of one resource from their JSON, by the decoder that reads them from files.
// Thread safety: none.
class ObjectDecoder : private objects::DocumentSink {
 public:
  // `wanted` is asked between the metadata and the rest: an object that is known needs no decoding.
  using Wanted = std::function<bool(const ObjectRef&)>;
  struct Decoded {
    ObjectRef ref;  // without a name where not even that could be read
    std::optional<objects::Object> object;
    // Any: there is no object, unless it is a pod that has a node. That one is as it could be read
    // (Manifest::misread_pods).
    std::vector<objects::Fault> faults;
  };

  // REQUIRES: `decoders` has a row for the resource; it outlives this.
  ObjectDecoder(const Resource& resource, const objects::DecoderTable& decoders,
                objects::Keep keep);

  // The result is good until the next call.
  Decoded& Decode(const objects::PaddedText& text, const Wanted& wanted);

 private:
  void BeginDocument() override {}
  bool Item(const objects::Value&, std::string_view, std::string_view) override { return false; }
  void EndDocument(const objects::Value& root) override;
  void SyntaxFault(std::uint32_t line, std::string message) override;

  const std::string kind_;
  const objects::DecoderRow& row_;
  const objects::Keep keep_;
  objects::JsonReader reader_;
  const Wanted* wanted_ = nullptr;
  Decoded decoded_;
  objects::Manifest manifest_;  // reused: one object at a time
};

}  // namespace fairlead::kube
