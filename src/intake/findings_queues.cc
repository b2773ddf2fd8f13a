#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity.h"
#include "intake/findings.h"

// What is wrong with the queue tree: its links, then its numbers.

namespace fairlead::intake {

void Intake::Store::FindingsPass::Queues() {
  for (const auto& [name, row] : store_.queues_) {
    const objects::Queue& queue = row.queue;
    if (!queue.parent.empty() && !store_.queues_.contains(queue.parent)) {
      Add("Queue " + name, queue.meta.source, "ParentNotFound",
          fmt::format("its parent {} is not there", queue.parent));
    }
    QueueNumbers(queue);
    ChildrenOf(name, &queue.guaranteed, &queue.guaranteed_all, "GuaranteedAboveParent");
  }
  QueueCycles();
  Capacity();
}

// Every queue has one parent, so each lies on at most one cycle. Walks up from each queue until it
// meets one that was seen: on this walk, it closes a cycle; on an earlier one, there is nothing
// new.
void Intake::Store::FindingsPass::QueueCycles() {
  std::map<std::string_view, int> seen_on;  // queue → the walk that met it first
  int walk = 0;
  for (const auto& [start, start_row] : store_.queues_) {
    ++walk;
    auto at = store_.queues_.find(start);
    while (at != store_.queues_.end() && !seen_on.contains(at->first)) {
      seen_on[at->first] = walk;
      at = store_.queues_.find(at->second.queue.parent);
    }
    if (at == store_.queues_.end() || seen_on[at->first] != walk) continue;
    std::vector<std::string_view> cycle;
    for (auto on = at; cycle.empty() || on != at;
         on = store_.queues_.find(on->second.queue.parent)) {
      cycle.push_back(on->first);
    }
    std::ranges::rotate(cycle, std::ranges::min_element(cycle));
    const std::string message =
        fmt::format("its parents are a cycle: {} -> {}", fmt::join(cycle, " -> "), cycle.front());
    for (std::string_view member : cycle) {
      const objects::Queue& queue = store_.queues_.find(member)->second.queue;
      Add("Queue " + queue.meta.name, queue.meta.source, "ParentCycle", message);
    }
  }
}

void Intake::Store::FindingsPass::QueueNumbers(const objects::Queue& queue) {
  const std::string object = "Queue " + queue.meta.name;
  std::vector<std::string_view> zero;
  for (const auto& [resource, limit] : queue.limit) {
    const std::int64_t guaranteed = objects::AmountOf(queue.guaranteed, resource);
    if (guaranteed > limit) {
      Add(object, queue.meta.source, "GuaranteedAboveLimit",
          fmt::format("{} {} is guaranteed, above the limit of {}", resource,
                      FormatResource(resource, guaranteed), FormatResource(resource, limit)));
    }
    if (limit == 0) zero.push_back(resource);
  }
  // In a Queue of ours a limit of 0 is written on purpose; KAI's reads so where it is left out.
  if (!queue.dialect_kind.empty() && !zero.empty()) {
    Add(object, queue.meta.source, "LimitIsZero",
        fmt::format("the limit of {} is 0 or absent, which allows nothing; -1 is no limit",
                    fmt::join(zero, ", ")));
  }
}

// Compares what the children of `name` guarantee with what there is to guarantee it from.
// `own` null: nothing is known of that.
void Intake::Store::FindingsPass::ChildrenOf(const std::string& name,
                                             const objects::ResourceList* own,
                                             const std::vector<std::string>* all,
                                             std::string_view code) {
  auto found = children_.find(name);
  if (found == children_.end() || own == nullptr) return;
  std::map<std::string, std::int64_t> sums;
  std::map<std::string, std::vector<std::string>> parts;
  for (const std::string& child : found->second) {
    for (const auto& [resource, amount] : store_.queues_.find(child)->second.queue.guaranteed) {
      if (amount == 0) continue;
      sums[resource] += amount;
      parts[resource].push_back(child + " " + FormatResource(resource, amount));
    }
  }
  for (const auto& [resource, sum] : sums) {
    const std::int64_t available = objects::AmountOf(*own, resource);
    const bool unbounded = all != nullptr && std::ranges::find(*all, resource) != all->end();
    if (sum <= available || unbounded) continue;
    const std::string of =
        fmt::format("{} {} together ({})", resource, FormatResource(resource, sum),
                    fmt::join(parts[resource], ", "));
    if (name.empty()) {
      Add("Cluster", "", code,
          fmt::format("the top queues guarantee {}; the {} nodes have {}", of, pool_nodes_,
                      FormatResource(resource, available)));
    } else {
      Add("Queue " + name, store_.queues_.find(name)->second.queue.meta.source, code,
          fmt::format("its children guarantee {}; it guarantees {}", of,
                      FormatResource(resource, available)));
    }
  }
}

void Intake::Store::FindingsPass::Capacity() {
  if (pool_nodes_ > 0) ChildrenOf("", &cluster_, nullptr, "GuaranteedAboveCluster");
}

}  // namespace fairlead::intake
