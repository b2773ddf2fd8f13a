#include <algorithm>

#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::pair<std::string_view, Reduction> kReductions[] = {
    {"proportional", Reduction::kProportional}, {"ordered", Reduction::kOrdered}};
constexpr std::pair<std::string_view, ReclaimResolve> kResolves[] = {
    {"lca", ReclaimResolve::kLca}, {"queue", ReclaimResolve::kQueue}};
constexpr std::pair<std::string_view, OnBorrowedRoom> kOnBorrowedRoom[] = {
    {"Bind", OnBorrowedRoom::kBind}, {"Yield", OnBorrowedRoom::kYield}};
constexpr Duration kLongestHalfLife = Duration::Seconds(87'600 * 3600);
constexpr std::int64_t kMostInfluence = 1000;
constexpr std::string_view kSelections = "single, multiple, or both in the order to try them";

void AddSelection(FieldReader& fields, const Value& at, std::string_view word,
                  std::vector<VictimSelection>& out) {
  if (word != "single" && word != "multiple") {
    fields.Unexpected(at, kSelections);
    return;
  }
  const auto selection = word == "single" ? VictimSelection::kSingle : VictimSelection::kMultiple;
  if (std::find(out.begin(), out.end(), selection) != out.end()) {
    fields.Fault(at, "found " + std::string(word) + " a second time, expected it once");
  } else {
    out.push_back(selection);
  }
}

// [single, multiple], or YuniKorn's "single,multiple".
void ReadSelections(FieldReader& fields, const Value& value, std::vector<VictimSelection>& out) {
  out.clear();
  if (value.kind() == Value::Kind::kString) {
    std::string_view rest = value.text();
    for (;;) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string_view word = rest.substr(0, comma);
      while (word.starts_with(' ')) word.remove_prefix(1);
      while (word.ends_with(' ')) word.remove_suffix(1);
      AddSelection(fields, value, word, out);
      if (comma == rest.size()) return;
      rest.remove_prefix(comma + 1);
    }
  }
  if (value.items().empty()) {
    fields.Unexpected(value, kSelections);
    return;
  }
  for (const Value* item : value.items()) {
    AddSelection(fields, *item, item->kind() == Value::Kind::kString ? item->text() : "", out);
  }
}

// The member under our name or YuniKorn's; both is a fault.
std::string_view Either(FieldReader& fields, const Value* parent, std::string_view name,
                        std::string_view alias) {
  if (FieldReader::Get(parent, alias) == nullptr) return name;
  if (FieldReader::Get(parent, name) != nullptr) {
    fields.FaultBelow(*parent, alias,
                      "found beside " + std::string(name) + ", expected one of them");
  }
  return alias;
}

void ReadDaemonSetPreemption(FieldReader& fields, const Value* part,
                             SchedulerConfiguration::DaemonSetPreemption& out) {
  constexpr std::string_view kDelay = "preemption_start_delay";
  constexpr std::string_view kStrategy = "preemption_victim_pods_selection_strategy";
  fields.Known(part,
               {"enabled", "startDelay", "victimSelection", "singleMaxDeviationPercent",
                "multipleMaxVictims", "respectMinRuntime", "namespaceSelector", kDelay, kStrategy});
  fields.Bool(part, "enabled", out.enabled);
  fields.Duration(part, Either(fields, part, "startDelay", kDelay), out.start_delay);
  const Value* selection =
      FieldReader::Get(part, Either(fields, part, "victimSelection", kStrategy));
  if (selection != nullptr) ReadSelections(fields, *selection, out.victim_selection);
  fields.Integer(part, "singleMaxDeviationPercent", out.single_max_deviation_percent, 0,
                 std::numeric_limits<std::int32_t>::max());
  fields.Integer(part, "multipleMaxVictims", out.multiple_max_victims, 1);
  fields.Bool(part, "respectMinRuntime", out.respect_min_runtime);
  if (const Value* selector = fields.Mapping(part, "namespaceSelector")) {
    fields.Known(selector, {"matchLabels", "matchExpressions"});
    ReadLabelSelector(fields, *selector, out.name_spaces.emplace());
  }
}

void ReadMinRuntime(FieldReader& fields, const Value* part, SchedulerConfiguration& out) {
  fields.Known(part, {"preempt", "reclaim", "reclaimResolve"});
  fields.Duration(part, "preempt", out.preempt_min_runtime);
  fields.Duration(part, "reclaim", out.reclaim_min_runtime);
  fields.Enum(part, "reclaimResolve", kResolves, out.reclaim_resolve);
}

void ReadPartialAdmission(FieldReader& fields, const Value* part,
                          SchedulerConfiguration::PartialAdmission& out) {
  fields.Known(part, {"enabled", "reduce", "fill"});
  fields.Bool(part, "enabled", out.enabled);
  fields.Enum(part, "reduce", kReductions, out.reduce);
  fields.Bool(part, "fill", out.fill);
}

// An eviction that asks for no time at all would delete the pod from the API server at once, while
// its containers still run on the node.
void ReadMaxGracePeriod(FieldReader& fields, const Value& document, Duration& out) {
  if (!fields.Duration(&document, "maxGracePeriod", out) || out >= Duration::Seconds(1)) return;
  fields.Unexpected(*document.Find("maxGracePeriod"), "1s or more");
}

void ReadReclaim(FieldReader& fields, const Value* part, SchedulerConfiguration& out) {
  fields.Known(part, {"enabled", "maxLoss", "repeatProtection", "lend"});
  fields.Bool(part, "enabled", out.reclaim_enabled);
  ReadMaxLoss(fields, part, out.max_loss);
  fields.Duration(part, "repeatProtection", out.repeat_protection);
  fields.Integer(part, "lend", out.lend, 0, 100);
}

void ReadBackfill(FieldReader& fields, const Value* part, SchedulerConfiguration::Backfill& out) {
  fields.Known(part, {"reservations", "after", "drainAfter", "maxDrainedPercent"});
  fields.Integer(part, "reservations", out.reservations, 0, 1000);
  fields.Duration(part, "after", out.after);
  fields.Duration(part, "drainAfter", out.drain_after);
  fields.Integer(part, "maxDrainedPercent", out.max_drained_percent, 0, 100);
}

void ReadUsage(FieldReader& fields, const Value* part, std::optional<UsageOverTime>& out) {
  if (part == nullptr) return;
  fields.Known(part, {"halfLife", "influence"});
  UsageOverTime& usage = out.emplace();
  if (fields.Duration(part, "halfLife", usage.half_life) &&
      (usage.half_life < Duration::Seconds(60) || usage.half_life > kLongestHalfLife)) {
    fields.Unexpected(*part->Find("halfLife"), "1m to 87600h");
  }
  const Value* influence = part->Find("influence");
  std::int64_t milli = 0;
  if (influence != nullptr &&
      ReadThousandths(fields, *influence, kMostInfluence,
                      "a number from 0 to 1000 with at most 3 decimals", milli)) {
    usage.influence_milli = static_cast<std::int32_t>(milli);
  }
}

}  // namespace

void DecodeConfiguration(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "SchedulerConfiguration", Scope::kCluster, file, into);
  SchedulerConfiguration config;
  config.meta.source = std::string(file) + ":" + std::to_string(document.line());
  fields.Known(&document, {"apiVersion",
                           "kind",
                           "metadata",
                           "schedulerName",
                           "defaultQueue",
                           "nodeSelector",
                           "placement",
                           "minRuntime",
                           "partialAdmission",
                           "admission",
                           "daemonSetPreemption",
                           "disruptionBudgets",
                           "maxGracePeriod",
                           "reclaim",
                           "preempt",
                           "backfill",
                           "consolidation",
                           "staleGang",
                           "usage",
                           "jobKinds"});
  fields.String(&document, "schedulerName", config.scheduler_name);
  if (fields.String(&document, "defaultQueue", config.default_queue)) {
    CheckName(fields, *document.Find("defaultQueue"), NameRule::kCapitals);
  }
  fields.Strings(fields.Mapping(&document, "nodeSelector"), config.node_selector);
  ReadPlacement(fields, fields.Mapping(&document, "placement"), config);
  ReadMinRuntime(fields, fields.Mapping(&document, "minRuntime"), config);
  ReadPartialAdmission(fields, fields.Mapping(&document, "partialAdmission"),
                       config.partial_admission);
  const Value* admission = fields.Mapping(&document, "admission");
  fields.Known(admission, {"podsTimeout"});
  fields.Duration(admission, "podsTimeout", config.pods_timeout);
  ReadDaemonSetPreemption(fields, fields.Mapping(&document, "daemonSetPreemption"),
                          config.daemon_set_preemption);
  const Value* budgets = fields.Mapping(&document, "disruptionBudgets");
  fields.Known(budgets, {"onBorrowedRoom"});
  fields.Enum(budgets, "onBorrowedRoom", kOnBorrowedRoom, config.budgets_on_borrowed_room);
  ReadMaxGracePeriod(fields, document, config.max_grace_period);
  ReadReclaim(fields, fields.Mapping(&document, "reclaim"), config);
  const Value* preempt = fields.Mapping(&document, "preempt");
  fields.Known(preempt, {"enabled"});
  fields.Bool(preempt, "enabled", config.preempt_enabled);
  ReadBackfill(fields, fields.Mapping(&document, "backfill"), config.backfill);
  const Value* consolidation = fields.Mapping(&document, "consolidation");
  fields.Known(consolidation, {"enabled", "cooldown", "maxLoss"});
  fields.Bool(consolidation, "enabled", config.consolidation.enabled);
  fields.Duration(consolidation, "cooldown", config.consolidation.cooldown);
  ReadMaxLoss(fields, consolidation, config.consolidation.max_loss);
  const Value* stale_gang = fields.Mapping(&document, "staleGang");
  fields.Known(stale_gang, {"grace"});
  fields.Duration(stale_gang, "grace", config.stale_gang_grace);
  ReadUsage(fields, fields.Mapping(&document, "usage"), config.usage);
  ReadJobKinds(fields, fields.List(&document, "jobKinds"), config.job_kinds);
  if (fields.ok()) into.objects.emplace_back(std::move(config));
}

}  // namespace fairlead::objects
