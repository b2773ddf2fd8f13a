#include "intake/join/hyper_nodes.h"

#include <algorithm>
#include <optional>
#include <regex>

#include <fmt/format.h>

#include "base/sorted_set.h"

namespace fairlead::intake {
namespace {

using objects::HyperNode;

constexpr std::size_t kLongestPattern = 256;
constexpr std::string_view kKeyPrefix = "volcano:/";

// A pattern is found anywhere in a name, as in Go. One that the library cannot read selects nobody,
// and neither does none.
class NamePattern {
 public:
  explicit NamePattern(const std::string& pattern) {
    if (pattern.empty() || pattern.size() > kLongestPattern) return;
    try {
      regex_.emplace(pattern, std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error&) {
      regex_.reset();
    }
  }
  bool Selects(const std::string& name) const {
    if (!regex_) return false;
    try {
      return std::regex_search(name, *regex_);
    } catch (const std::regex_error&) {  // it would take too long
      return false;
    }
  }

 private:
  std::optional<std::regex> regex_;
};

}  // namespace

std::string KeyOfTier(std::string_view name) { return fmt::format("{}{}", kKeyPrefix, name); }

std::string_view HyperTier::name() const { return std::string_view(key).substr(kKeyPrefix.size()); }

void HyperNodes::Upsert(const HyperNode& hyper_node) {
  HyperNode& held = objects_[hyper_node.meta.name];
  if (held == hyper_node) return;
  held = hyper_node;
  dirty_ = true;
}

bool HyperNodes::Remove(std::string_view name) {
  const auto found = objects_.find(name);
  if (found == objects_.end()) return false;
  objects_.erase(found);
  dirty_ = true;
  return true;
}

void HyperNodes::AddNodes(const HyperNode::Member& member, Members& into) const {
  const auto add_if = [&](auto selects) {
    tables_.nodes.ForEach([&](NodeId, const NodeRow& row) {
      if (row.in_pool && selects(row)) into.push_back(row.name);
    });
  };
  if (!member.name.empty()) {
    const NodeId found = tables_.nodes.Find(member.name);
    if (found.valid() && tables_.nodes[found].in_pool) into.push_back(tables_.nodes[found].name);
  } else if (!member.pattern.empty()) {
    const NamePattern pattern(member.pattern);
    add_if([&](const NodeRow& row) { return pattern.Selects(row.name); });
  } else if (member.labels) {
    add_if([&](const NodeRow& row) { return Matches(*member.labels, row.change.labels); });
  }
}

std::vector<const HyperNode*> HyperNodes::HyperNodesOf(const HyperNode::Member& member) const {
  std::vector<const HyperNode*> found;
  const NamePattern pattern(member.pattern);
  for (const auto& [name, hyper_node] : objects_) {
    const bool is_one = member.name.empty() ? pattern.Selects(name) : name == member.name;
    if (is_one) found.push_back(&hyper_node);
  }
  return found;
}

const HyperNodes::Members& HyperNodes::MembersOf(const HyperNode& of,
                                                 std::map<std::string_view, Members>& known) const {
  const auto found = known.find(of.meta.name);
  if (found != known.end()) return found->second;
  Members members;
  for (const HyperNode::Member& member : of.members) {
    if (member.is_node) {
      AddNodes(member, members);
      continue;
    }
    for (const HyperNode* below : HyperNodesOf(member)) {
      if (below->tier >= of.tier) continue;
      const Members& own = MembersOf(*below, known);
      members.insert(members.end(), own.begin(), own.end());
    }
  }
  MakeSet(members);
  return known.emplace(of.meta.name, std::move(members)).first->second;
}

std::vector<HyperTier> HyperNodes::FindTiers() const {
  std::map<std::int32_t, std::string, std::greater<>> names;
  for (const auto& [name, hyper_node] : objects_) {
    std::string& own = names[hyper_node.tier];
    if (own.empty()) own = hyper_node.tier_name;
  }
  std::vector<HyperTier> tiers;
  for (const auto& [tier, name] : names) {
    const std::string key = KeyOfTier(name);
    const bool is_taken = name.empty() || std::ranges::count(tiers, key, &HyperTier::key) > 0;
    tiers.push_back({tier, is_taken ? KeyOfTier(objects::TierName(tier)) : key});
  }
  return tiers;
}

void HyperNodes::MarkMoved(const Tables::ByName<objects::Labels>& fresh) {
  const auto mark = [this](std::string_view node) {
    const NodeId id = tables_.nodes.Find(node);
    if (id.valid()) marks_.Mark(id);
  };
  for (const auto& [node, labels] : fresh) {
    const auto had = labels_.find(node);
    if (had == labels_.end() || had->second != labels) mark(node);
  }
  for (const auto& [node, labels] : labels_) {
    if (!fresh.contains(node)) mark(node);
  }
}

void HyperNodes::Spread() {
  const bool nodes_moved = !objects_.empty() && seen_ != pool_.version();
  if (!std::exchange(dirty_, false) && !nodes_moved) return;
  seen_ = pool_.version();
  std::vector<HyperTier> tiers = FindTiers();
  tiers_moved_ |= tiers != tiers_;
  tiers_ = std::move(tiers);
  Tables::ByName<objects::Labels> fresh;
  std::map<std::string_view, Members> known;
  for (const auto& [name, hyper_node] : objects_) {
    const std::string& key = std::ranges::find(tiers_, hyper_node.tier, &HyperTier::tier)->key;
    for (const std::string_view node : MembersOf(hyper_node, known)) {
      objects::Labels& labels = fresh[std::string(node)];
      const auto at =
          std::ranges::lower_bound(labels, key, {}, &objects::Labels::value_type::first);
      if (at == labels.end() || at->first != key) labels.insert(at, {key, name});
    }
  }
  MarkMoved(fresh);
  labels_ = std::move(fresh);
}

void HyperNodes::AddLabels(std::string_view node, objects::SharedLabels& shared) const {
  const auto found = labels_.find(node);
  if (found == labels_.end()) return;
  objects::Labels& labels = shared.Edit();
  labels.insert(labels.end(), found->second.begin(), found->second.end());
  std::ranges::sort(labels);
}

}  // namespace fairlead::intake
