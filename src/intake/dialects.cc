#include "intake/intake.h"

namespace fairlead::intake {

const objects::DecoderTable& AllDecoders() { return objects::CoreDecoders(); }

}  // namespace fairlead::intake
