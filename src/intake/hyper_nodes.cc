#include "intake/hyper_nodes.h"

#include <string>
#include <utility>

#include "objects/read/decode.h"

// Unknown fields are passed over: the kind may be newer than this.

namespace fairlead::intake {
namespace {

using objects::FieldReader;
using objects::HyperNode;
using objects::Value;

constexpr std::int32_t kHighestTier = 1'000;

void ReadMember(FieldReader& fields, const Value& item, HyperNode& into) {
  constexpr std::pair<std::string_view, bool> kTypes[] = {{"Node", true}, {"HyperNode", false}};
  if (!fields.IsMapping(item)) return;
  HyperNode::Member& member = into.members.emplace_back();
  fields.Enum(&item, "type", kTypes, member.is_node);
  const Value* selector = fields.Mapping(&item, "selector");
  fields.String(fields.Mapping(selector, "exactMatch"), "name", member.name);
  fields.String(fields.Mapping(selector, "regexMatch"), "pattern", member.pattern);
  if (const Value* labels = fields.Mapping(selector, "labelMatch")) {
    objects::ReadLabelSelector(fields, *labels, member.labels.emplace());
  }
}

void DecodeHyperNode(const Value& document, std::string_view file, objects::Manifest& into) {
  FieldReader fields(document, objects::kHyperNode, objects::Scope::kCluster, file, into);
  HyperNode hyper_node;
  objects::ReadMeta(fields, document, hyper_node.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.Integer(spec, "tier", hyper_node.tier, 0, kHighestTier);
  fields.String(spec, "tierName", hyper_node.tier_name);
  if (const Value* members = fields.List(spec, "members")) {
    for (const Value* item : members->items()) ReadMember(fields, *item, hyper_node);
  }
  if (fields.ok()) into.objects.emplace_back(std::move(hyper_node));
}

}  // namespace

const objects::DecoderTable& HyperNodeDecoders() {
  static const objects::DecoderTable kTable = {
      {objects::kHyperNodeVersion, objects::kHyperNode, DecodeHyperNode}};
  return kTable;
}

}  // namespace fairlead::intake
