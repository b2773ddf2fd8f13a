#include "objects/shape_key.h"

#include "objects/key_writer.h"

namespace fairlead::objects {
namespace {

void AddRows(const DemandRows& rows, KeyWriter& key) {
  key.Add(std::ssize(rows));
  for (const DemandRowPtr& row : rows) key.Add(static_cast<std::int64_t>(row->number));
}

// Of demands of others only what they come to: the same text is another demand elsewhere.
void AddJoined(const JoinedDemands& joined, KeyWriter& key) {
  AddRows(joined.counted_by == nullptr ? DemandRows() : *joined.counted_by, key);
  AddRows(joined.repelled_by, key);
  AddRows(joined.attracted_by, key);
  key.Add(std::ssize(joined.spread));
  for (const JoinedDemands::Spread& each : joined.spread) {
    key.Add(static_cast<std::int64_t>(each.row->number));
    key.Add(each.max_skew);
    key.Add(each.min_domains);
  }
  key.Add(std::ssize(joined.preferred));
  for (const JoinedDemands::Preferred& each : joined.preferred) {
    key.Add(static_cast<std::int64_t>(each.row->number));
    key.Add(each.weight);
  }
  AddRows(joined.preferred_spread, key);
}

void AddVolumes(const RareNeeds& rare, KeyWriter& key) {
  key.Add(std::ssize(rare.volumes_reach));
  for (const std::vector<NodeSelectorTerm>& terms : rare.volumes_reach) key.Add(terms);
  key.Add(std::ssize(rare.volume_wishes));
  for (const VolumeWishPtr& wish : rare.volume_wishes) {
    key.Add(static_cast<std::int64_t>(wish->number));
    key.Add(wish->may_be_made ? 1 : 0);
    key.Add(wish->made_where);
    key.Add(wish->by_storage ? 1 : 0);
    key.Add(wish->in_making ? 1 : 0);
    key.Add(std::ssize(wish->storage));
    for (const VolumeWish::Storage& each : wish->storage) {
      key.Add(each.name);
      key.Add(each.nodes.requirements);
      key.Add(each.largest);
      key.Add(each.capacity);
    }
    key.Add(wish->bytes);
    key.Add(wish->shared_claim);
  }
  key.Add(rare.one_pod_claims);
  key.Add(rare.one_node_claims);
  key.Add(rare.made_of);
  key.Add(std::ssize(rare.shared_volumes));
  for (const SharedVolume& each : rare.shared_volumes) {
    key.Add(each.slots);
    key.Add(each.volume);
  }
}

}  // namespace

std::string CanonicalKey(const VolumeAsk& ask) {
  KeyWriter key;
  key.Add(ask.storage_class);
  key.Add(ask.bytes);
  key.Add(ask.access_modes);
  key.Add(ask.block ? 1 : 0);
  key.Add(ask.attributes_class);
  key.Add(ask.selector ? 1 : 0);
  if (ask.selector) key.Add(ask.selector->requirements);
  return key.Take();
}

std::string CanonicalKey(const PodNeeds& needs) {
  KeyWriter key;
  key.Add(std::ssize(needs.request));
  for (const auto& [resource, amount] : needs.request) {
    key.Add(resource);
    key.Add(amount);
  }
  key.Add(needs.gpu_milli);
  key.Add(needs.node_name);
  key.Add(needs.node_selector);
  key.Add(needs.has_required_terms ? 1 : 0);
  key.Add(needs.required_terms);
  key.Add(needs.tolerations);
  key.Add(std::ssize(needs.host_ports));
  for (const HostPort& port : needs.host_ports) {
    key.Add(port.protocol);
    key.Add(port.ip);
    key.Add(port.port);
  }
  const RareNeeds& rare = *needs.rare;
  key.Add(rare.unsupported_field);
  key.Add(std::ssize(rare.preferences.nodes));
  for (const Preferences::OfNodes& each : rare.preferences.nodes) {
    key.Add(each.weight);
    key.Add(each.term.labels);
    key.Add(each.term.fields);
  }
  AddJoined(rare.joined, key);
  AddVolumes(rare, key);
  return key.Take();
}

}  // namespace fairlead::objects
