#include "objects/shape_key.h"

namespace fairlead::objects {
namespace {

// Every field is written with its length before it, so that no two different needs run together.
class KeyWriter {
 public:
  void Add(std::string_view text) {
    Add(static_cast<std::int64_t>(text.size()));
    key_.append(text);
  }
  void Add(std::int64_t number) {
    key_.append(std::to_string(number));
    key_.push_back(':');
  }
  void Add(const Labels& labels) {
    Add(std::ssize(labels));
    for (const auto& [key, value] : labels) {
      Add(key);
      Add(value);
    }
  }
  void Add(const std::vector<Requirement>& requirements) {
    Add(std::ssize(requirements));
    for (const Requirement& r : requirements) {
      Add(r.key);
      Add(static_cast<std::int64_t>(r.op));
      Add(std::ssize(r.values));
      for (const std::string& value : r.values) Add(value);
    }
  }
  void Add(const std::vector<NodeSelectorTerm>& terms) {
    Add(std::ssize(terms));
    for (const NodeSelectorTerm& term : terms) {
      Add(term.labels);
      Add(term.fields);
    }
  }
  std::string Take() { return std::move(key_); }

 private:
  std::string key_;
};

void AddRows(const std::vector<DemandRowPtr>& rows, KeyWriter& key) {
  key.Add(std::ssize(rows));
  for (const DemandRowPtr& row : rows) key.Add(static_cast<std::int64_t>(row->number));
}

// Of demands of others only what they come to: the same text is another demand elsewhere.
void AddJoined(const JoinedDemands& joined, KeyWriter& key) {
  AddRows(joined.counted_by, key);
  AddRows(joined.repelled_by, key);
  AddRows(joined.attracted_by, key);
  key.Add(std::ssize(joined.spread));
  for (const JoinedDemands::Spread& each : joined.spread) {
    key.Add(static_cast<std::int64_t>(each.row->number));
    key.Add(each.max_skew);
    key.Add(each.min_domains);
  }
}

}  // namespace

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
  key.Add(std::ssize(needs.tolerations));
  for (const Toleration& t : needs.tolerations) {
    key.Add(t.key);
    key.Add(t.exists ? 1 : 0);
    key.Add(t.value);
    key.Add(t.effect ? static_cast<std::int64_t>(*t.effect) : -1);
  }
  key.Add(std::ssize(needs.host_ports));
  for (const HostPort& port : needs.host_ports) {
    key.Add(port.protocol);
    key.Add(port.ip);
    key.Add(port.port);
  }
  const RareNeeds& rare = *needs.rare;
  key.Add(rare.unsupported_field);
  key.Add(std::ssize(rare.passed_over));
  for (const std::string& field : rare.passed_over) key.Add(field);
  AddJoined(rare.joined, key);
  key.Add(std::ssize(rare.volumes_reach));
  for (const std::vector<NodeSelectorTerm>& terms : rare.volumes_reach) key.Add(terms);
  return key.Take();
}

}  // namespace fairlead::objects
