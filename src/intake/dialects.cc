#include "intake/hyper_nodes.h"
#include "intake/intake.h"
#include "intake/kai.h"
#include "intake/kueue/decoders.h"
#include "intake/other_topologies.h"
#include "intake/pod_groups.h"

namespace fairlead::intake {

namespace {

// A new dialect is one line here, and its decoders in a file of their own.
objects::DecoderTable MakeAllDecoders() {
  objects::DecoderTable all = objects::CoreDecoders();
  for (const objects::DecoderTable* dialect :
       {&KaiDecoders(), &KueueDecoders(), &PodGroupDecoders(), &OtherTopologyDecoders(),
        &HyperNodeDecoders()}) {
    all.insert(all.end(), dialect->begin(), dialect->end());
  }
  return all;
}

}  // namespace

const objects::DecoderTable& AllDecoders() {
  static objects::OfJobRows<objects::DecoderTable> table(MakeAllDecoders);
  return table.Get();
}

}  // namespace fairlead::intake
