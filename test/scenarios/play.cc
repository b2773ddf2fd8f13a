// One telling of a story: every step is taken up, a round is run, and everything that it decided
// and said is compared with what the story expects. Beyond the story's own words, after each round:
//   1. engine::Audit finds nothing wrong;
//   2. a second round, with nothing changed, decides nothing;
//   3. once the cluster shows what was decided, a round decides nothing and nothing is wrong;
//   4. a scheduler that is told of this state from nothing decides nothing either, and sees the
//      same queues and the same pending work;
//   5. nor does one just before the plan's nextRound, or years later where there is none (but
//      where usage over time counts).

#include "scenarios/play.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/audit/audit.h"
#include "scenarios/manifest.h"
#include "scenarios/world.h"

namespace fairlead::scenario {
namespace {

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n      " + line;
  return lines.empty() ? "\n      (nothing)" : text;
}

std::string WithoutSpace(const std::string& name) {
  return name.starts_with("default/") ? name.substr(8) : name;
}

// The parts of a decision that a story may leave out.
struct Parts {
  bool device = true, beneficiary = true, action = true, waiting = true, since = true;
};

std::string TextOfEviction(const engine::DecisionReport& decision, const Parts& parts) {
  std::string text = "evict " + decision.pod;
  if (parts.beneficiary) text += " for " + decision.beneficiary;
  if (parts.action) text += " by " + decision.action;
  return text;
}

std::string TextOfPromise(const engine::DecisionReport& decision, const Parts& parts) {
  std::string text =
      "nominate " + decision.pod + " -> " + (decision.node.empty() ? "none" : decision.node);
  if (!parts.waiting || decision.waiting_for.empty()) return text;
  text += " waiting ";
  for (const std::string& name : decision.waiting_for) {
    text += (&name == &decision.waiting_for.front() ? "" : ",") + WithoutSpace(name);
  }
  return text;
}

// Of a pod that moves; or of all that is held for those who moved for a workload.
std::string TextOfLanding(const engine::DecisionReport& decision) {
  if (!decision.pod.empty()) {
    return fmt::format("land {} -> {} for {}", decision.pod, decision.node, decision.beneficiary);
  }
  std::string text = "landings " + decision.workload + " ->";
  for (const objects::Landing& each : decision.landings) {
    text += fmt::format(" {}:{}", each.pod, each.node);
  }
  return decision.landings.empty() ? text + " none" : text;
}

std::string TextOf(const engine::DecisionReport& decision, const Parts& parts = {}) {
  if (decision.type == engine::DecisionType::kEvict) return TextOfEviction(decision, parts);
  if (decision.type == engine::DecisionType::kNominate) return TextOfPromise(decision, parts);
  if (decision.type == engine::DecisionType::kLand) return TextOfLanding(decision);
  if (decision.type == engine::DecisionType::kReserve && decision.pod.empty()) {
    if (decision.nodes.empty()) return "reserve " + decision.workload + " -> none";
    std::string text = "reserve " + decision.workload + " -> ";
    for (const std::string& node : decision.nodes) {
      text += (&node == &decision.nodes.front() ? "" : ",") + node;
    }
    if (!decision.at) return text;
    return text + " at " + std::to_string((*decision.at - kEpoch).WholeSeconds());
  }
  if (decision.type == engine::DecisionType::kLend) {
    if (!decision.at) return "lend " + decision.workload + " for none";
    return "lend " + decision.workload + " for " + decision.beneficiary + " until " +
           std::to_string((*decision.at - kEpoch).WholeSeconds());
  }
  if (decision.type == engine::DecisionType::kReserve) {
    std::string text = "reserve " + decision.pod + " -> " + decision.node;
    if (!parts.since) return text;
    return text + " since " + std::to_string((*decision.since - kEpoch).WholeSeconds());
  }
  if (decision.type == engine::DecisionType::kBind) {
    std::string text = "bind " + decision.pod + " -> " + decision.node;
    const bool device = parts.device && decision.gpu_device >= 0;
    return device ? text + " device " + std::to_string(decision.gpu_device) : text;
  }
  std::string text = std::string(engine::ToString(decision.type)) + " " + decision.workload;
  std::transform(text.begin(), text.begin() + 1, text.begin(),
                 [](char c) { return std::tolower(c); });
  for (const auto& set : decision.pod_sets)
    text += " " + set.name + "=" + std::to_string(set.count);
  return text;
}

std::string TextOf(const engine::PendingReport& pending) {
  std::string text = pending.workload;
  for (const auto& reason : pending.reasons) text += " " + std::string(ToString(reason.code));
  return text;
}

// A field of a reason by its name in the plan's JSON.
std::string FieldOf(const state::Reason& reason, std::string_view name) {
  if (name == "queue") return reason.queue;
  if (name == "resource") return reason.resource;
  if (name == "requested") return reason.requested;
  if (name == "available") return reason.available;
  if (name == "budget") return reason.budget;
  if (name == "window") return reason.window;
  if (name == "field") return reason.field;
  if (name == "node") return reason.node;
  if (name == "for") return reason.holder;
  if (name == "user") return reason.user;
  if (name == "group") return reason.group;
  if (name == "limit") return reason.limit;
  if (name == "filledBy") return fmt::format("{}", fmt::join(reason.filled_by, ","));
  if (name == "until") {
    return reason.until ? std::to_string((*reason.until - kEpoch).WholeSeconds()) : "none";
  }
  if (name == "proven") return reason.proven.value_or(true) ? "true" : "false";
  return "(no such field: " + std::string(name) + ")";
}

class Player {
 public:
  Player(const Story& story, const Telling& telling)
      : story_(story), telling_(telling), world_(telling.seed) {}

  std::vector<std::string> Run() {
    std::int64_t at = 3600;
    for (const Step& step : story_.steps) {
      at = step.at_seconds.value_or(at + 60);
      now_ = kEpoch + Duration::Seconds(at);
      if (step.line == 0) {
        faults_.push_back(story_.file + ": scenario " + story_.name + ": its end has no `round:`");
        break;
      }
      if (auto taken = world_.Take(step, story_.file, now_); !taken) {
        faults_.push_back(taken.error().message);
        break;
      }
      world_.Flush();
      if (!Judge(step)) break;
    }
    return std::move(faults_);
  }

 private:
  bool Judge(const Step& step) {
    const engine::Plan plan = world_.scheduler().Round(now_);
    report_ = engine::Report(world_.scheduler(), plan);
    Audit(step, engine::Audit(world_.scheduler(), plan));
    CompareDecisions(step);
    if (!story_.may_be_unproven) MustBeLeast(step);
    ComparePending(step);
    for (const Line& line : step.expected) CompareFigure(line);
    MustBeQuiet(step, world_.scheduler(), "a second round over the same state");
    if (!faults_.empty()) return false;
    if (telling_.carried == Telling::Carried::kAssumed) return true;
    world_.Confirm(report_);
    world_.Flush();
    MustBeQuiet(step, world_.scheduler(), "the round after the plan was carried out");
    Audit(step, engine::Audit(world_.scheduler().cluster()));
    engine::Scheduler fresh;
    world_.TellAll(fresh, now_);
    MustBeQuiet(step, fresh, "a fresh scheduler over the state after the plan");
    if (world_.can_be_seen()) SameAs(step, fresh);
    // What becomes possible by time alone does so at nextRound, not before; but for what usage over
    // time makes of shares, by minutes that are in no nextRound (time.md §7).
    if (fresh.cluster().queues().usage().counts()) return faults_.empty();
    const Time latest = report_.next_round ? Time{report_.next_round->us - 1}
                                           : now_ + Duration::Seconds(10LL * 366 * 86400);
    engine::Scheduler later;
    world_.TellAll(later, now_);
    MustBeQuiet(step, later, latest, "a fresh scheduler just before nextRound");
    return faults_.empty();
  }

  void Fault(int line, const std::string& text) {
    faults_.push_back(story_.file + ":" + std::to_string(line) + ": " + story_.name + " (" +
                      telling_.ToString() + ")\n    why: " + story_.why + "\n    " + text);
  }

  void Audit(const Step& step, const std::vector<std::string>& wrong) {
    if (!wrong.empty()) Fault(step.line, "the audit found:" + Joined(wrong));
  }

  void MustBeQuiet(const Step& step, engine::Scheduler& scheduler, const std::string& which) {
    MustBeQuiet(step, scheduler, now_, which);
  }

  void MustBeQuiet(const Step& step, engine::Scheduler& scheduler, Time now,
                   const std::string& which) {
    const engine::Plan plan = scheduler.Round(now);
    std::vector<std::string> decided;
    for (const auto& d : engine::ReportDecisions(scheduler, plan)) {
      // Room for pods that do not exist yet is a claim that nobody can see: after a restart it is
      // decided again (semantics §9), on loan where it was.
      const bool admits = d.type == engine::DecisionType::kAdmit ||
                          (d.type == engine::DecisionType::kLend && d.at && !d.by_itself);
      const bool again = admits && &scheduler != &world_.scheduler();
      // Who has waited for long enough by then is told so when something changes, and not before
      // (time.md §2.2).
      const bool waited = now > now_ && d.type == engine::DecisionType::kReserve && d.pod.empty();
      if (!again && !waited) decided.push_back(TextOf(d));
    }
    if (!decided.empty())
      Fault(step.line, which + " must decide nothing, it decided:" + Joined(decided));
  }

  // Stories are small: who has to go must be proven to be the least (semantics §4.4).
  void MustBeLeast(const Step& step) {
    for (const auto& decision : report_.decisions) {
      if (!decision.least_proven) Fault(step.line, "not proven: " + TextOf(decision));
    }
  }

  std::vector<std::string> Pendings() const {
    std::vector<std::string> lines;
    for (const auto& pending : report_.pending) lines.push_back(TextOf(pending));
    return lines;
  }

  // Queues and pending work of another scheduler, against ours.
  void SameAs(const Step& step, const engine::Scheduler& fresh) {
    auto tell = [](const engine::Scheduler& scheduler, Time now) {
      std::vector<std::string> lines;
      for (const auto& p : engine::ReportPending(scheduler, now)) lines.push_back(TextOf(p));
      for (const auto& q : engine::ReportQueues(scheduler)) {
        for (const auto* figures : {&q.requested, &q.allocated, &q.fair_share}) {
          std::string line = q.name + (figures == &q.requested   ? " requested"
                                       : figures == &q.allocated ? " allocated"
                                                                 : " share");
          for (const auto& [resource, amount] : *figures) line += " " + resource + "=" + amount;
          lines.push_back(line);
        }
      }
      return lines;
    };
    const auto ours = tell(world_.scheduler(), now_);
    const auto theirs = tell(fresh, now_);
    if (ours != theirs) {
      Fault(step.line,
            "a fresh scheduler sees:" + Joined(theirs) + "\n    this one:" + Joined(ours));
    }
  }

  void CompareDecisions(const Step& step) {
    std::vector<std::string> expected, got;
    bool same = true;
    for (const Line& line : step.expected) {
      if (!IsDecision(line)) continue;
      std::vector<std::string> words = line.words;
      auto names = [&](std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
      };
      const Parts parts{names("device"), names("for"), names("by"), names("waiting"),
                        names("since")};
      words[1] = WithNamespace(words[1]);
      for (std::size_t i = 2; i + 1 < words.size(); ++i) {
        if (words[i] == "for" && words[i + 1] != "none") words[i + 1] = WithNamespace(words[i + 1]);
      }
      const std::size_t i = expected.size();
      const std::string text = Line{words, 0}.Text();
      const bool met = i < report_.decisions.size() && TextOf(report_.decisions[i], parts) == text;
      // Nothing is taken back that the cluster has not shown.
      const bool takes_back = words[0] == "nominate" && words.back() == "none";
      if (!met && takes_back && telling_.carried == Telling::Carried::kAssumed) continue;
      expected.push_back(text);
      same = same && met;
    }
    for (const auto& decision : report_.decisions) got.push_back(TextOf(decision));
    if (same && expected.size() == got.size()) return;
    Fault(step.line, "expected decisions:" + Joined(expected) + "\n    got:" + Joined(got));
  }

  static bool IsDecision(const Line& line) {
    const std::string& verb = line.words[0];
    return verb == "bind" || verb == "admit" || verb == "evict" || verb == "nominate" ||
           verb == "reserve" || verb == "land" || verb == "landings" || verb == "lend";
  }

  void ComparePending(const Step& step) {
    std::vector<std::string> expected;
    for (const Line& line : step.expected) {
      if (line.words[0] != "pending") continue;
      std::string text = WithNamespace(line.words[1]);
      std::string code;
      for (std::size_t i = 2; i < line.words.size(); ++i) {
        const auto [field, value] = Cut(line.words[i], "=");
        if (line.words[i].find('=') == std::string::npos) {
          code = line.words[i];
          text += " " + code;
        } else {
          CompareReason(line, code, field, value);
        }
      }
      expected.push_back(text);
    }
    std::vector<std::string> got = Pendings();
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    if (expected == got) return;
    std::vector<std::string> messages;
    for (const auto& pending : report_.pending) {
      for (const auto& reason : pending.reasons)
        messages.push_back(pending.workload + ": " + reason.message);
    }
    Fault(step.line, "expected pending:" + Joined(expected) + "\n    got:" + Joined(got) +
                         "\n    which say:" + Joined(messages));
  }

  void CompareReason(const Line& line, const std::string& code, const std::string& field,
                     const std::string& value) {
    for (const auto& pending : report_.pending) {
      if (pending.workload != WithNamespace(line.words[1])) continue;
      for (const auto& reason : pending.reasons) {
        if (ToString(reason.code) != code) continue;
        const std::string got = FieldOf(reason, field);
        if (got != value) {
          Fault(line.line, "expected " + code + " with " + field + "=" + value + ", got " + got +
                               ": " + reason.message);
        }
        return;
      }
    }
  }

  // "share QUEUE RESOURCE AMOUNT", also allocated, requested; "start WORKLOAD SECONDS|none".
  void CompareFigure(const Line& line) {
    const std::string& verb = line.words[0];
    if (IsDecision(line) || verb == "pending") return;
    if (verb == "next" && line.words.size() == 2) return CompareNext(line);
    if (verb == "start" && line.words.size() == 3) return CompareStart(line);
    if (verb == "room" && line.words.size() >= 3) return CompareRoom(line);
    if (verb == "queue" && line.words.size() == 3) return CompareQueue(line);
    if (line.words.size() != 4 || (verb != "share" && verb != "allocated" && verb != "requested")) {
      return Fault(line.line, "this expectation is not understood: " + line.Text());
    }
    const std::string resource = line.words[2] == "gpu"   ? "nvidia.com/gpu"
                                 : line.words[2] == "amd" ? "amd.com/gpu"
                                                          : line.words[2];
    std::string got = "(no such queue)";
    for (const auto& queue : report_.queues) {
      if (queue.name != line.words[1]) continue;
      got = "0";
      const engine::Quantities& figures = verb == "share"       ? queue.fair_share
                                          : verb == "allocated" ? queue.allocated
                                                                : queue.requested;
      for (const auto& [name, amount] : figures) {
        if (name == resource) got = amount;
      }
    }
    if (got != line.words[3]) Fault(line.line, "expected " + line.Text() + ", got " + got);
  }

  // "queue NAME ready" or the condition's reason.
  void CompareQueue(const Line& line) {
    std::string got = "(none)";
    for (const auto& queue : report_.queues) {
      if (queue.name == line.words[1]) got = queue.not_ready.empty() ? "Ready" : queue.not_ready;
    }
    if (got != line.words[2]) Fault(line.line, "expected " + line.Text() + ", got " + got);
  }

  // "next SECONDS|none": the plan's nextRound.
  void CompareNext(const Line& line) {
    const auto& next = report_.next_round;
    const std::string got = next ? std::to_string((*next - kEpoch).WholeSeconds()) : "none";
    if (got != line.words[1]) Fault(line.line, "expected " + line.Text() + ", got " + got);
  }

  void CompareStart(const Line& line) {
    const state::Cluster& cluster = world_.scheduler().cluster();
    const state::WorkloadId w = state::FindWorkload(cluster, WithNamespace(line.words[1]));
    std::string got = "(no such workload)";
    if (w.valid()) {
      const bool started = cluster.workloads()[w].started();
      got =
          started ? std::to_string((cluster.workloads()[w].start - kEpoch).WholeSeconds()) : "none";
    }
    if (got != line.words[2]) Fault(line.line, "expected " + line.Text() + ", got " + got);
  }

  void CompareRoom(const Line& line) {
    const auto why = engine::Explain(world_.scheduler(), WithNamespace(line.words[1]), report_.now);
    std::string got = "(no such workload)";
    if (why && !why->room) got = "none";
    if (why && why->room) {
      got = std::to_string((why->room->at - kEpoch).WholeSeconds());
      for (const std::string& ended : why->room->ended) {
        got += " " + ended.substr(ended.find('/') + 1);
      }
    }
    const std::string expected = line.Text().substr(("room " + line.words[1] + " ").size());
    if (got != expected) Fault(line.line, "expected " + line.Text() + ", got " + got);
  }

  const Story& story_;
  const Telling telling_;
  World world_;
  Time now_;
  engine::PlanReport report_;
  std::vector<std::string> faults_;
};

}  // namespace

std::string Telling::ToString() const {
  const std::string order = seed == 0 ? "in order" : "shuffled with " + std::to_string(seed);
  return order + (carried == Carried::kOut ? "" : ", plans only assumed");
}

std::vector<std::string> Play(const Story& story, const Telling& telling) {
  return Player(story, telling).Run();
}

}  // namespace fairlead::scenario
