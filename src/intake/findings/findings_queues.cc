#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/amount_text.h"
#include "intake/findings/findings_pass.h"
#include "objects/keys.h"

// What is wrong with the queue tree: its links, then its numbers.

namespace fairlead::intake {

void FindingsPass::Queues() {
  for (const auto& [name, row] : tables_.queues) {
    const objects::Queue& queue = row.queue;
    if (!queue.parent.empty() && !known_.queues.HasOwn(queue.parent)) {
      Add("Queue " + name, queue.meta.source, "ParentNotFound",
          fmt::format("its parent {} is not there", queue.parent));
    }
    QueueNumbers(queue);
  }
  for (const auto& [name, names] : children_) {
    if (!known_.queues.HasOwn(name)) continue;
    ChildrenOf(name, *known_.queues.Find(name), "GuaranteedAboveParent");
  }
  QueueCycles();
  Capacity();
}

// Every queue has one parent, so each lies on at most one cycle. Walks up from each queue until it
// meets one that was seen: on this walk, it closes a cycle; on an earlier one, there is nothing
// new.
void FindingsPass::QueueCycles() {
  std::map<std::string_view, int> seen_on;  // queue → the walk that met it first
  int walk = 0;
  for (const auto& [start, start_row] : tables_.queues) {
    ++walk;
    std::string_view at = start;
    while (known_.queues.HasOwn(at) && !seen_on.contains(at)) {
      seen_on[at] = walk;
      at = known_.queues.ParentOf(at);
    }
    if (!known_.queues.HasOwn(at) || seen_on[at] != walk) continue;
    std::vector<std::string_view> cycle;
    for (std::string_view on = at; cycle.empty() || on != at; on = known_.queues.ParentOf(on)) {
      cycle.push_back(on);
    }
    std::ranges::rotate(cycle, std::ranges::min_element(cycle));
    const std::string message =
        fmt::format("its parents are a cycle: {} -> {}", fmt::join(cycle, " -> "), cycle.front());
    for (std::string_view member : cycle) {
      Add("Queue " + std::string(member), SourceOf(member), "ParentCycle", message);
    }
  }
}

void FindingsPass::QueueNumbers(const objects::Queue& queue) {
  const std::string object = "Queue " + queue.meta.name;
  std::vector<std::string_view> zero;
  for (const auto& [resource, limit] : queue.limit) {
    const std::int64_t guaranteed = objects::AmountOf(queue.guaranteed, resource);
    if (guaranteed > limit) {
      Add(object, queue.meta.source, "GuaranteedAboveLimit",
          fmt::format("{} {} is guaranteed, above the limit of {}", resource,
                      HumanAmount(resource, guaranteed), HumanAmount(resource, limit)));
    }
    if (limit == 0) zero.push_back(resource);
  }
  if (queue.max_run_time && queue.default_run_time.value_or(Duration()) > *queue.max_run_time) {
    Add(object, queue.meta.source, "DefaultRunTimeAboveCap",
        fmt::format("its defaultRunTime of {} is cut to its maxRunTime of {}",
                    FormatDuration(*queue.default_run_time), FormatDuration(*queue.max_run_time)));
  }
  // In a Queue of ours a limit of 0 is written on purpose; KAI's reads so where it is left out.
  if (!queue.dialect_kind.empty() && !zero.empty()) {
    Add(object, queue.meta.source, "LimitIsZero",
        fmt::format("the limit of {} is 0 or absent, which allows nothing; -1 is no limit",
                    fmt::join(zero, ", ")));
  }
}

std::string FindingsPass::SourceOf(std::string_view queue) const {
  auto found = tables_.queues.find(queue);
  return found == tables_.queues.end() ? "" : found->second.queue.meta.source;
}

// Compares what the children of `name` guarantee with what `own` guarantees them.
void FindingsPass::ChildrenOf(const std::string& name, const state::QueueChange& own,
                              std::string_view code) {
  auto found = children_.find(name);
  if (found == children_.end()) return;
  std::map<std::string, std::int64_t> sums;
  std::map<std::string, std::vector<std::string>> parts;
  for (const std::string& child : found->second) {
    const std::optional<state::QueueChange> queue = known_.queues.Find(child);
    for (const auto& [resource, amount] : queue->guaranteed) {
      if (amount == 0) continue;
      std::int64_t& sum = sums[resource];
      if (__builtin_add_overflow(sum, amount, &sum)) sum = std::numeric_limits<std::int64_t>::max();
      parts[resource].push_back(child + " " + HumanAmount(resource, amount));
    }
  }
  for (const auto& [resource, sum] : sums) {
    const std::int64_t available = objects::AmountOf(own.guaranteed, resource);
    const auto& all = own.guaranteed_all;
    if (sum <= available || std::ranges::find(all, resource) != all.end()) continue;
    // Quotas alone are told of as such (findings_quotas.cc).
    const std::vector<std::string>& part = parts[resource];
    if (name.empty() && part.size() == 1 &&
        part[0].starts_with(std::string(kElasticQuotas) + ' ')) {
      continue;
    }
    const std::string of = fmt::format("{} {} together ({})", resource, HumanAmount(resource, sum),
                                       SomeOf(parts[resource]));
    if (name.empty()) {
      Add("Cluster", "", code,
          fmt::format("the top queues guarantee {}; the {} nodes have {}", of, pool_nodes_,
                      HumanAmount(resource, available)));
    } else {
      Add("Queue " + name, SourceOf(name), code,
          fmt::format("its children guarantee {}; it guarantees {}", of,
                      HumanAmount(resource, available)));
    }
  }
}

void FindingsPass::Capacity() {
  state::QueueChange cluster;
  cluster.guaranteed = cluster_;
  if (pool_nodes_ > 0) ChildrenOf("", cluster, "GuaranteedAboveCluster");
}

}  // namespace fairlead::intake
