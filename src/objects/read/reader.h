#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "objects/objects.h"
#include "objects/read/document.h"
#include "objects/read/padded_text.h"
#include "objects/read/prune.h"

namespace fairlead::objects {

// A fault of the input: "FILE:LINE: OBJECT: FIELD: what is wrong, what was expected".
struct Fault {
  std::string file;
  std::uint32_t line = 0;
  std::string object;  // "Queue vision", "Pod ns/name"; empty where none could be made out
  std::string field;   // "spec.guaranteed.cpu"; empty for the object or document as a whole
  std::string message;
  std::string ToString() const;  // with long names cut
};

// What can be read and was hardly meant so (objects/read/doubts.h). `code`: UnknownField,
// UnknownKey.
struct Doubt {
  std::string_view code;
  Fault fault;
};

// A file of a directory that is no manifest.
struct PassedOver {
  std::string file, why;
};

// What was read, and what was wrong with it. Objects are in the order of the input.
struct Manifest {
  std::vector<Object> objects;
  std::vector<Fault> faults;  // any: the whole input is refused by callers
  // Pods with faults that have a node, as far as they could be read: for those who follow a cluster
  // and must count what is there, whatever is wrong with it. They are not in `objects`.
  std::vector<Pod> misread_pods;
  std::vector<std::string> warnings;  // unknown kinds, one warning per kind
  std::vector<Doubt> doubts;
  std::vector<PassedOver> passed_over;
};

// Turns one document (or one item of a List) into an object. Registered by (apiVersion, kind) in
// one table; dialects add rows (src/intake). Appends faults; an object with faults is not added.
using Decoder = std::function<void(const Value& document, std::string_view file, Manifest& into)>;
struct DecoderRow {
  std::string_view api_version, kind;
  Decoder decode;
};
using DecoderTable = std::vector<DecoderRow>;

// Rows for Kubernetes' own kinds and for ours.
const DecoderTable& CoreDecoders();

// Documents hold what the decoders of CoreDecoders() read, or all that is in the text
// (objects/read/prune.h): for decoders that show or write a document again.
//
// Reads YAML or JSON text: several documents, `kind: List` (and PodList, …), item by item, so that
// memory stays near the size of the text. Bounded: nesting of 128, 10^7 values after aliases.
// `text` may be JSON or YAML; JSON is recognised by its first character.
void ReadText(std::string_view text, const std::string& file, const DecoderTable& decoders,
              Manifest& into, Keep keep = Keep::kRead);

// Reads `path`: a file (.gz and .zst too), a directory recursively (*.yaml, *.yml, *.json, sorted
// by name), or "-" for standard input. Files of a directory that are no manifests (Helm's values
// and templates, a kustomization) are passed over with a warning; a file that was named and holds
// nothing is a fault.
void ReadPath(const std::string& path, const DecoderTable& decoders, Manifest& into,
              Keep keep = Keep::kRead);

// Why a file of a directory is passed over; empty: it is a manifest, right or wrong.
std::string WhyNoManifest(const PaddedText& text, const std::string& file,
                          const DecoderTable& decoders);

// Names must be unique by kind: the second one of a name is a fault that says where the first is.
void CheckDuplicates(Manifest& manifest);

}  // namespace fairlead::objects
