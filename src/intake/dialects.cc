#include "intake/intake.h"
#include "intake/kai.h"
#include "intake/kueue/decoders.h"

namespace fairlead::intake {

// A new dialect is one line here, and its decoders in a file of their own.
const objects::DecoderTable& AllDecoders() {
  static const objects::DecoderTable kTable = [] {
    objects::DecoderTable all = objects::CoreDecoders();
    for (const objects::DecoderTable* dialect : {&KaiDecoders(), &KueueDecoders()}) {
      all.insert(all.end(), dialect->begin(), dialect->end());
    }
    return all;
  }();
  return kTable;
}

}  // namespace fairlead::intake
