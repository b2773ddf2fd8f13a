#include "intake/intake.h"
#include "intake/kai.h"

namespace fairlead::intake {

// A new dialect is one line here, and its decoders in a file of their own.
const objects::DecoderTable& AllDecoders() {
  static const objects::DecoderTable table = [] {
    objects::DecoderTable all = objects::CoreDecoders();
    for (const objects::DecoderTable* dialect : {&KaiDecoders()}) {
      all.insert(all.end(), dialect->begin(), dialect->end());
    }
    return all;
  }();
  return table;
}

}  // namespace fairlead::intake
