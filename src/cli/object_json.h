#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "objects/document.h"
#include "objects/objects.h"
#include "objects/reader.h"

// Objects as JSON again, for `get -o yaml`: as they were submitted, with what has become of them
// since. What is printed can be read back, so that a virtual cluster can be saved and planned over.

namespace fairlead::cli {

// The document an object was read from, without what no decoder reads (images, environments).
boost::json::value DocumentToJson(const objects::Value& document);

// A table of decoders that does what `decoders` does, and keeps every document in `kept`, in the
// order of the manifest's objects: kept[i] is what objects[i] was read from. `kept` must outlive
// the table, and is as long as the manifest once CheckDuplicates found nothing.
objects::DecoderTable KeepingDecoders(const objects::DecoderTable& decoders,
                                      std::vector<boost::json::value>& kept);

// The object as it is now. `document` is what it was read from; null where a controller made it:
// then its spec is written from what is known of it.
boost::json::object ToJson(const objects::Object& object, const boost::json::value* document);

// apiVersion, kind, items.
boost::json::object ListOf(boost::json::array items);

}  // namespace fairlead::cli
