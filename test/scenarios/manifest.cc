#include "scenarios/manifest.h"

namespace fairlead::scenario {
namespace {

std::string Quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

// {a: x, b: y}, where what is empty is left out.
class Map {
 public:
  Map& Add(std::string_view key, const std::string& yaml) {
    if (yaml.empty() || yaml == "{}" || yaml == "[]") return *this;
    if (!text_.empty()) text_ += ", ";
    text_ += Quoted(key) + ": " + yaml;
    return *this;
  }
  Map& AddText(std::string_view key, std::string_view text) {
    return text.empty() ? *this : Add(key, Quoted(text));
  }
  std::string Yaml() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string ListOf(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return "[" + text + "]";
}

std::string TimeOf(std::string_view seconds) {
  if (seconds.empty()) return "";
  return FormatTime(kEpoch + Duration::Seconds(std::stoll(std::string(seconds))));
}

std::string ResourceName(std::string_view column) {
  if (column == "gpu") return "nvidia.com/gpu";
  if (column == "amd") return "amd.com/gpu";
  if (column == "gpu-milli") return "fairlead.dev/gpu-milli";
  return std::string(column);
}

bool IsResource(std::string_view column) {
  return column == "cpu" || column == "memory" || column == "gpu" || column == "amd" ||
         column == "gpu-milli" || column.find('/') != std::string_view::npos;
}

// The row's columns that are resources.
std::string ResourcesOf(const Row& row) {
  Map map;
  for (const auto& [column, cell] : row.cells) {
    if (IsResource(column)) map.AddText(ResourceName(column), cell);
  }
  return map.Yaml();
}

// "cpu:4,gpu:1" or, for labels, "a=b,c=d".
std::string Pairs(std::string_view cell, std::string_view separator, bool resources) {
  Map map;
  for (const std::string& item : Split(cell, ',')) {
    auto [key, value] = Cut(item, separator);
    map.Add(resources ? ResourceName(key) : key, Quoted(value));
  }
  return map.Yaml();
}

std::string Labels(std::string_view cell) { return Pairs(cell, "=", false); }
std::string Amounts(std::string_view cell) { return Pairs(cell, ":", true); }

// "a=b,c=d", each a text.
void AddTexts(std::string_view cell, Map& map) {
  for (const std::string& item : Split(cell, ',')) {
    const auto [key, value] = Cut(item, "=");
    map.AddText(key, value);
  }
}

// "dedicated=ml:NoSchedule", "dedicated:NoExecute", "dedicated=ml", "dedicated", "*".
std::string Tolerations(std::string_view cell, bool taints) {
  std::vector<std::string> items;
  for (const std::string& item : Split(cell, ',')) {
    const auto [pair, effect] = Cut(item, ":");
    const auto [key, value] = Cut(pair, "=");
    Map map;
    if (key != "*") map.AddText("key", key);
    if (!taints) map.AddText("operator", value.empty() ? "Exists" : "Equal");
    items.push_back(map.AddText("value", value).AddText("effect", effect).Yaml());
  }
  return ListOf(items);
}

// "zone:In:a|b", "zone:Exists"; requirements of a term are joined by `,`, terms by `;`. The key
// metadata.name is a field.
std::string NodeTerm(std::string_view term) {
  std::vector<std::string> labels, fields;
  for (const std::string& requirement : Split(term, ',')) {
    const auto [key, rest] = Cut(requirement, ":");
    const auto [op, values] = Cut(rest, ":");
    std::vector<std::string> quoted;
    for (const std::string& value : Split(values, '|')) quoted.push_back(Quoted(value));
    Map map;
    map.AddText("key", key).AddText("operator", op).Add("values", ListOf(quoted));
    (key == "metadata.name" ? fields : labels).push_back(map.Yaml());
  }
  return Map().Add("matchExpressions", ListOf(labels)).Add("matchFields", ListOf(fields)).Yaml();
}

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

// What is preferred has its weight before it: "80:zone:In:a|b".
std::string NodeAffinity(std::string_view required, std::string_view preferred) {
  std::vector<std::string> terms, weighed;
  for (const std::string& term : Split(required, ';')) terms.push_back(NodeTerm(term));
  for (const std::string& item : Split(preferred, ';')) {
    const auto [weight, term] = Cut(item, ":");
    weighed.push_back(
        Map().Add("weight", std::string(weight)).Add("preference", NodeTerm(term)).Yaml());
  }
  Map map;
  if (!terms.empty()) {
    map.Add(kRequired, Map().Add("nodeSelectorTerms", ListOf(terms)).Yaml());
  }
  return map.Add(kPreferred, ListOf(weighed)).Yaml();
}

// "app=db,x=y", or "*": whatever the labels. An empty selector is there, too.
std::string Selector(std::string_view cell) {
  if (cell == "*") return R"({"matchLabels": {}})";
  return Map().Add("matchLabels", Labels(cell)).Yaml();
}

// Pods of a domain: "zone:app=db", "host:*", "zone:app=db@team" (of that namespace),
// "zone:app=db@*" (of all).
std::string PodTerm(std::string_view item) {
  const auto [key, rest] = Cut(item, ":");
  const auto [labels, name_space] = Cut(rest, "@");
  Map term;
  term.AddText("topologyKey", key).Add("labelSelector", Selector(labels));
  if (name_space == "*") {
    term.Add("namespaceSelector", Selector("*"));
  } else if (!name_space.empty()) {
    term.Add("namespaces", ListOf({Quoted(name_space)}));
  }
  return term.Yaml();
}

// Several are joined by `;`; what is preferred has its weight before it: "80:zone:app=db".
std::string PodTerms(std::string_view required, std::string_view preferred) {
  std::vector<std::string> terms, weighed;
  for (const std::string& item : Split(required, ';')) terms.push_back(PodTerm(item));
  for (const std::string& item : Split(preferred, ';')) {
    const auto [weight, term] = Cut(item, ":");
    weighed.push_back(
        Map().Add("weight", std::string(weight)).Add("podAffinityTerm", PodTerm(term)).Yaml());
  }
  return Map().Add(kRequired, ListOf(terms)).Add(kPreferred, ListOf(weighed)).Yaml();
}

// "zone:1:app=db": at most 1 uneven; then fields of it, "zone:1:app=db:minDomains=2". Several are
// joined by `;`.
std::string SpreadConstraints(std::string_view cell) {
  std::vector<std::string> items;
  for (const std::string& item : Split(cell, ';')) {
    const std::vector<std::string> parts = Split(item, ':');
    Map constraint;
    constraint.AddText("topologyKey", parts[0]).Add("maxSkew", parts[1]);
    const bool kept = item.find(":whenUnsatisfiable=") == std::string::npos;
    if (kept) constraint.AddText("whenUnsatisfiable", "DoNotSchedule");
    if (parts.size() > 2) constraint.Add("labelSelector", Selector(parts[2]));
    for (std::size_t i = 3; i < parts.size(); ++i) {
      const auto [field, value] = Cut(parts[i], "=");
      constraint.Add(field, field == "minDomains" ? std::string(value) : Quoted(value));
    }
    items.push_back(constraint.Yaml());
  }
  return ListOf(items);
}

// "8080", "8080/UDP", "10.0.0.1:8080".
std::string Ports(std::string_view cell) {
  std::vector<std::string> items;
  for (const std::string& item : Split(cell, ',')) {
    auto [address, protocol] = Cut(item, "/");
    auto [ip, port] = Cut(address, ":");
    if (port.empty()) std::swap(ip, port);
    items.push_back(Map()
                        .Add("containerPort", port)
                        .Add("hostPort", port)
                        .AddText("hostIP", ip)
                        .AddText("protocol", protocol)
                        .Yaml());
  }
  return ListOf(items);
}

std::string Container(const std::string& resources, std::string_view ports) {
  Map map;
  map.AddText("name", "c").Add("resources", Map().Add("requests", resources).Yaml());
  return ListOf({map.Add("ports", Ports(ports)).Yaml()});
}

// "Kind/name" is its controller, "group/version/Kind/name" one of that group, "name" or "name@uid"
// a pod. A pod of a DaemonSet is of "ds".
std::string Owners(const Row& row) {
  const std::string_view cell = row.Of("daemonset").empty() ? row.Of("owner") : "DaemonSet/ds";
  if (cell.empty()) return "";
  Map owner;
  if (const std::vector<std::string> parts = Split(cell, '/'); parts.size() > 1) {
    const std::string& name = parts.back();
    owner.AddText("apiVersion", parts.size() == 4 ? parts[0] + "/" + parts[1] : "apps/v1");
    owner.AddText("kind", parts[parts.size() - 2]).AddText("name", name);
    owner.AddText("uid", name).Add("controller", "true");
  } else {
    const auto [pod, uid] = Cut(cell, "@");
    owner.AddText("apiVersion", "v1").AddText("kind", "Pod").AddText("name", pod);
    owner.AddText("uid", uid);
  }
  return ListOf({owner.Yaml()});
}

std::string Meta(const Row& row, bool namespaced, const Map& labels, const Map& annotations) {
  Map map;
  if (namespaced) {
    const auto [name_space, name] = Cut(WithNamespace(row.Of("name")), "/");
    map.AddText("namespace", name_space).AddText("name", name);
  } else {
    map.AddText("name", row.Of("name"));
  }
  map.AddText("uid", row.Of("uid")).Add("labels", labels.Yaml());
  map.Add("annotations", annotations.Yaml());
  map.AddText("creationTimestamp", TimeOf(row.Of("created")));
  map.AddText("deletionTimestamp", TimeOf(row.Of("terminating")));
  map.Add("ownerReferences", Owners(row));
  return map.Yaml();
}

std::string Document(const std::string& kind, const std::string& meta, const std::string& spec,
                     const std::string& status) {
  const auto [version, name] = Cut(kind, " ");
  Map map;
  map.AddText("apiVersion", version).AddText("kind", name).Add("metadata", meta);
  return map.Add("spec", spec).Add("status", status).Yaml() + "\n";
}

std::string Node(const Row& row) {
  Map labels;
  for (const std::string& item : Split(row.Of("labels"), ',')) {
    auto [key, value] = Cut(item, "=");
    labels.Add(key, Quoted(value));
  }
  Map allocatable;
  for (const auto& [column, cell] : row.cells) {
    if (IsResource(column) || column == "pods") allocatable.AddText(ResourceName(column), cell);
  }
  Map spec;
  spec.Add("taints", Tolerations(row.Of("taints"), true));
  if (row.Of("cordoned") == "yes") spec.Add("unschedulable", "true");
  Map status;
  status.Add("allocatable", allocatable.Yaml());
  if (!row.Of("ready").empty()) {
    const bool ready = row.Of("ready") == "yes";
    status.Add(
        "conditions",
        ListOf(
            {Map().AddText("type", "Ready").AddText("status", ready ? "True" : "False").Yaml()}));
  }
  return Document("v1 Node", Meta(row, false, labels, Map()), spec.Yaml(), status.Yaml());
}

// "4h:10:24h": grace, waitedPercent, deadline; "Unlimited".
std::string LossBound(std::string_view cell) {
  if (cell == "Unlimited") return Quoted(cell);
  const auto [grace, rest] = Cut(cell, ":");
  const auto [percent, deadline] = Cut(rest, ":");
  return Map()
      .AddText("grace", grace)
      .Add("waitedPercent", std::string(percent))
      .AddText("deadline", deadline)
      .Yaml();
}

// For both rights, or "guarantee=…,share=…".
std::string MaxLoss(std::string_view cell) {
  if (cell.empty()) return "";
  if (cell.find('=') == std::string_view::npos) return LossBound(cell);
  Map map;
  for (const std::string& item : Split(cell, ',')) {
    const auto [right, bound] = Cut(item, "=");
    map.Add(right, LossBound(bound));
  }
  return map.Yaml();
}

// "user/max=gpu:2/running=5/waiting=50", "users=a|b/max=cpu:1,gpu:1"; several are joined by `;`.
std::string UserLimits(std::string_view cell) {
  std::vector<std::string> limits;
  for (const std::string& item : Split(cell, ';')) {
    const auto [who, what] = Cut(item, "/");
    const auto [key, names] = Cut(who, "=");
    Map limit;
    if (names.empty()) {
      limit.AddText("each", key);
    } else {
      std::vector<std::string> quoted;
      for (const std::string& name : Split(names, '|')) quoted.push_back(Quoted(name));
      limit.Add(key, ListOf(quoted));
    }
    for (const std::string& part : Split(what, '/')) {
      const auto [field, value] = Cut(part, "=");
      if (field == "max") limit.Add("max", Amounts(value));
      if (field == "running") limit.Add("maxRunning", value);
      if (field == "waiting") limit.Add("maxWaiting", value);
    }
    limits.push_back(limit.Yaml());
  }
  return ListOf(limits);
}

// Who asked for it, as annotations of the object.
void AddSubmitter(const Row& row, Map& annotations) {
  annotations.AddText("fairlead.dev/user", row.Of("user"));
  annotations.AddText("fairlead.dev/groups", row.Of("groups"));
}

// "SECONDS:gpu=100,cpu=3": what a queue used by then; and how long its work runs in the median.
std::string StatusOfQueue(std::string_view used_by_then, std::string_view median) {
  if (used_by_then.empty() && median.empty()) return "";
  Map status;
  status.AddText("medianDuration", median);
  if (used_by_then.empty()) return status.Yaml();
  const auto [at, amounts] = Cut(used_by_then, ":");
  Map resources;
  for (const std::string& item : Split(amounts, ',')) {
    const auto [resource, used] = Cut(item, "=");
    resources.AddText(ResourceName(resource), used);
  }
  const std::string usage =
      Map().AddText("at", TimeOf(at)).Add("resources", resources.Yaml()).Yaml();
  return status.Add("usage", usage).Yaml();
}

std::string Queue(const Row& row) {
  Map spec;
  spec.AddText("parent", row.Of("parent")).Add("guaranteed", Amounts(row.Of("guaranteed")));
  spec.Add("limit", Amounts(row.Of("limit"))).Add("priority", std::string(row.Of("priority")));
  const std::string_view weight = row.Of("weight");
  const bool by_resource = weight.find(':') != std::string_view::npos;
  spec.Add("weight", by_resource ? Amounts(weight) : std::string(weight));
  if (row.Of("active") == "no") spec.Add("active", "false");
  spec.Add("lend", std::string(row.Of("lend")));
  for (const std::string_view field : {"preemptMinRuntime", "reclaimMinRuntime", "repeatProtection",
                                       "order", "ageing", "maxRunTime", "defaultRunTime"}) {
    spec.AddText(field, row.Of(field));
  }
  spec.Add("maxLoss", MaxLoss(row.Of("maxLoss"))).Add("limits", UserLimits(row.Of("limits")));
  return Document("fairlead.dev/v1alpha1 Queue", Meta(row, false, Map(), Map()), spec.Yaml(),
                  StatusOfQueue(row.Of("used"), row.Of("median")));
}

// What the DaemonSet controller adds to each of its pods (daemonset_util.go).
constexpr std::string_view kDaemonSetTolerations =
    "node.kubernetes.io/not-ready:NoExecute,node.kubernetes.io/unreachable:NoExecute,"
    "node.kubernetes.io/disk-pressure:NoSchedule,node.kubernetes.io/memory-pressure:NoSchedule,"
    "node.kubernetes.io/pid-pressure:NoSchedule,node.kubernetes.io/unschedulable:NoSchedule";

// Where the pod may run: one of a DaemonSet is pinned to its node, whatever else it says.
void AddConstraints(const Row& row, Map& spec) {
  std::string tolerations(row.Of("tolerations"));
  std::string affinity(row.Of("affinity"));
  if (const std::string_view node = row.Of("daemonset"); !node.empty()) {
    tolerations.append(tolerations.empty() ? "" : ",").append(kDaemonSetTolerations);
    affinity = "metadata.name:In:" + std::string(node);
  }
  spec.Add("nodeSelector", Labels(row.Of("selector")));
  spec.Add("tolerations", Tolerations(tolerations, false));
  Map all;
  all.Add("nodeAffinity", NodeAffinity(affinity, row.Of("prefers")));
  all.Add("podAffinity", PodTerms(row.Of("near"), row.Of("prefers-near")));
  all.Add("podAntiAffinity", PodTerms(row.Of("apart"), row.Of("prefers-apart")));
  spec.Add("affinity", all.Yaml());
  spec.Add("topologySpreadConstraints", SpreadConstraints(row.Of("spread")));
}

std::string Condition(std::string_view type, std::string_view since) {
  Map condition;
  condition.AddText("type", type).AddText("status", "True");
  return condition.AddText("lastTransitionTime", TimeOf(since)).Yaml();
}

std::string Conditions(const Row& row) {
  std::vector<std::string> items;
  if (const auto at = row.Of("scheduled"); !at.empty()) {
    items.push_back(Condition("PodScheduled", at));
  }
  if (const auto at = row.Of("reserved"); !at.empty()) {
    items.push_back(Condition("fairlead.dev/NodeReserved", at));
  }
  if (const auto device = row.Of("device"); !device.empty()) {
    Map condition;
    condition.AddText("type", "fairlead.dev/GpuDevice").AddText("status", "True");
    items.push_back(condition.AddText("reason", "Device" + std::string(device)).Yaml());
  }
  return ListOf(items);
}

std::string Pod(const Row& row) {
  Map labels, annotations;
  labels.AddText("fairlead.dev/queue", row.Of("queue"));
  labels.AddText("fairlead.dev/workload", row.Of("workload"));
  labels.AddText("fairlead.dev/pod-set", row.Of("podset"));
  if (row.Of("preemptible") == "no") labels.AddText("fairlead.dev/preemptible", "false");
  labels.AddText("fairlead.dev/allow-preemption", row.Of("allow-preemption"));
  AddTexts(row.Of("labels"), labels);
  AddTexts(row.Of("annotations"), annotations);
  AddSubmitter(row, annotations);
  if (row.Of("static") == "yes") annotations.AddText("kubernetes.io/config.mirror", "mirror");
  Map spec;
  const std::string_view scheduler = row.Of("scheduler");
  spec.AddText("schedulerName", scheduler.empty() ? "fairlead" : scheduler);
  spec.AddText("nodeName", row.Of("node")).Add("priority", std::string(row.Of("priority")));
  spec.AddText("priorityClassName", row.Of("class"));
  AddConstraints(row, spec);
  spec.Add("activeDeadlineSeconds", std::string(row.Of("deadline")));
  if (row.Of("gated") == "yes") spec.Add("schedulingGates", R"([{"name": "wait"}])");
  spec.Add("containers", Container(ResourcesOf(row), row.Of("ports")));
  Map status;
  const bool bound = !row.Of("node").empty();
  const std::string_view phase = row.Of("phase");
  const bool refused = !row.Of("refused").empty();
  status.AddText("phase", !phase.empty() ? phase
                          : refused      ? "Failed"
                          : bound        ? "Running"
                                         : "Pending");
  if (const auto at = row.Of("refused"); !at.empty()) {
    status.AddText("reason", "OutOfcpu").AddText("message", "no cores are left");
    status.AddText("startTime", TimeOf(at));
  }
  status.AddText("nominatedNodeName", row.Of("nominated"));
  status.Add("conditions", Conditions(row));
  return Document("v1 Pod", Meta(row, true, labels, annotations), spec.Yaml(), status.Yaml());
}

// "worker:2..4{cpu:1,gpu:1}": at least 2, of 4, made from a template that asks this. Several are
// joined by `;`.
std::string PodSets(std::string_view cell) {
  std::vector<std::string> sets;
  for (const std::string& item : Split(cell, ';')) {
    const auto [head, shape] = Cut(item, "{");
    const auto [name, range] = Cut(head, ":");
    const auto [low, high] = Cut(range, "..");
    Map set;
    set.AddText("name", name).Add("count", high.empty() ? low : high);
    if (!high.empty()) set.Add("minCount", low);
    if (!shape.empty()) {
      const std::string resources = Amounts(std::string_view(shape).substr(0, shape.size() - 1));
      Map spec;
      spec.AddText("schedulerName", "fairlead").Add("containers", Container(resources, ""));
      set.Add("template", Map().Add("spec", spec.Yaml()).Yaml());
    }
    sets.push_back(set.Yaml());
  }
  return ListOf(sets);
}

// "required=rack;preferred=host;slices=4@rack;onTopologyBroken=Restart".
std::string TopologyConstraint(std::string_view cell) {
  Map map;
  for (const std::string& item : Split(cell, ';')) {
    const auto [field, value] = Cut(item, "=");
    const auto [size, level] = Cut(value, "@");
    if (field == "slices") {
      map.Add(field, Map().Add("size", size).AddText("required", level).Yaml());
    } else {
      map.AddText(field, value);
    }
  }
  return map.Yaml();
}

std::string Topology(const Row& row) {
  std::vector<std::string> levels;
  for (const std::string& level : Split(row.Of("levels"), ',')) levels.push_back(Quoted(level));
  return Document("fairlead.dev/v1alpha1 Topology", Meta(row, false, Map(), Map()),
                  Map().Add("levels", ListOf(levels)).Yaml(), "");
}

std::string Window(const Row& row) {
  const auto list_of = [&row](std::string_view column) {
    std::vector<std::string> names;
    for (const std::string& name : Split(row.Of(column), ',')) names.push_back(Quoted(name));
    return names.empty() ? std::string() : ListOf(names);
  };
  Map spec;
  if (!row.Of("selector").empty()) spec.Add("nodeSelector", Labels(row.Of("selector")));
  spec.Add("nodes", list_of("nodes")).AddText("from", TimeOf(row.Of("from")));
  spec.AddText("until", TimeOf(row.Of("until"))).Add("queues", list_of("queues"));
  spec.AddText("atBegin", row.Of("atBegin"));
  return Document("fairlead.dev/v1alpha1 Window", Meta(row, false, Map(), Map()), spec.Yaml(), "");
}

std::string Workload(const Row& row) {
  Map spec;
  spec.AddText("queueName", row.Of("queue")).AddText("priorityClassName", row.Of("class"));
  spec.Add("priority", std::string(row.Of("priority"))).AddText("resize", row.Of("resize"));
  spec.AddText("expectedDuration", row.Of("expectedDuration"));
  spec.AddText("maxRunTime", row.Of("maxRunTime"));
  spec.AddText("onRunTimeLimit", row.Of("onRunTimeLimit"));
  if (row.Of("preemptible") == "no") spec.Add("preemptible", "false");
  if (row.Of("active") == "no") spec.Add("active", "false");
  spec.Add("podSets", PodSets(row.Of("podsets")));
  if (!row.Of("topology").empty()) spec.Add("topology", TopologyConstraint(row.Of("topology")));
  Map status;
  status.AddText("startTime", TimeOf(row.Of("started"))).Add("stops", std::string(row.Of("stops")));
  std::vector<std::string> assigned;
  for (const std::string& item : Split(row.Of("admitted"), ',')) {
    const auto [name, count] = Cut(item, "=");
    assigned.push_back(Map().AddText("name", name).Add("count", count).Yaml());
  }
  if (!assigned.empty()) {
    status.Add("admission", Map().Add("podSetAssignments", ListOf(assigned)).Yaml());
  }
  if (!row.Of("admitted-at").empty()) {
    const std::string admitted = Map()
                                     .AddText("type", "Admitted")
                                     .AddText("status", "True")
                                     .AddText("lastTransitionTime", TimeOf(row.Of("admitted-at")))
                                     .Yaml();
    status.Add("conditions", ListOf({admitted}));
  }
  Map annotations;
  AddSubmitter(row, annotations);
  return Document("fairlead.dev/v1alpha1 Workload", Meta(row, true, Map(), annotations),
                  spec.Yaml(), status.Yaml());
}

std::string PriorityClass(const Row& row) {
  Map map, labels, annotations;
  AddTexts(row.Of("labels"), labels);
  AddTexts(row.Of("annotations"), annotations);
  annotations.AddText("yunikorn.apache.org/allow-preemption", row.Of("allow-preemption"));
  map.AddText("apiVersion", "scheduling.k8s.io/v1").AddText("kind", "PriorityClass");
  map.Add("metadata", Meta(row, false, labels, annotations));
  map.Add("value", std::string(row.Of("value")));
  if (row.Of("default") == "yes") map.Add("globalDefault", "true");
  return map.AddText("preemptionPolicy", row.Of("preemption")).Yaml() + "\n";
}

std::string Budget(const Row& row) {
  Map spec;
  spec.Add("selector", Map().Add("matchLabels", Labels(row.Of("selector"))).Yaml());
  // Numbers, or text with a percent sign.
  for (const std::string_view field : {"minAvailable", "maxUnavailable"}) {
    const std::string_view cell = row.Of(field);
    spec.Add(field, cell.ends_with('%') ? Quoted(cell) : std::string(cell));
  }
  Map status;
  status.Add("disruptionsAllowed", std::string(row.Of("allowed")));
  return Document("policy/v1 PodDisruptionBudget", Meta(row, true, Map(), Map()), spec.Yaml(),
                  status.Yaml());
}

// Named "quota" where the row does not say otherwise.
std::string Quota(const Row& row) {
  Row named = row;
  const std::string name = row.Of("name").empty() ? "quota" : std::string(row.Of("name"));
  named.cells["name"] = std::string(row.Of("namespace")) + "/" + name;
  Map spec;
  spec.Add("min", Amounts(row.Of("min"))).Add("max", Amounts(row.Of("max")));
  return Document("scheduling.x-k8s.io/v1alpha1 ElasticQuota", Meta(named, true, Map(), Map()),
                  spec.Yaml(), "");
}

std::string DaemonSetPreemption(const Row& row) {
  Map map;
  if (row.Of("daemonSetPreemption") == "no") map.Add("enabled", "false");
  map.AddText("startDelay", row.Of("startDelay"));
  map.AddText("victimSelection", row.Of("victimSelection"));
  for (const std::string_view field : {"singleMaxDeviationPercent", "multipleMaxVictims"}) {
    map.Add(field, std::string(row.Of(field)));
  }
  if (row.Of("respectMinRuntime") == "no") map.Add("respectMinRuntime", "false");
  const std::string_view trusted = row.Of("namespaceSelector");
  if (!trusted.empty()) {
    map.Add("namespaceSelector", Map().Add("matchLabels", Labels(trusted)).Yaml());
  }
  return map.Yaml();
}

std::string Configuration(const Row& row) {
  Map map, runtimes;
  map.AddText("apiVersion", "fairlead.dev/v1alpha1").AddText("kind", "SchedulerConfiguration");
  runtimes.AddText("preempt", row.Of("preemptMinRuntime"));
  runtimes.AddText("reclaim", row.Of("reclaimMinRuntime"));
  runtimes.AddText("reclaimResolve", row.Of("reclaimResolve"));
  map.Add("minRuntime", runtimes.Yaml());
  Map placement;
  placement.AddText("gpu", row.Of("gpuPlacement"));
  placement.AddText("cpu", row.Of("cpuPlacement"));
  placement.AddText("preferences", row.Of("preferences"));
  map.Add("placement", placement.Yaml());
  Map reclaim, preempt;
  if (row.Of("reclaim") == "no") reclaim.Add("enabled", "false");
  if (row.Of("preempt") == "no") preempt.Add("enabled", "false");
  reclaim.Add("maxLoss", MaxLoss(row.Of("maxLoss")));
  reclaim.AddText("repeatProtection", row.Of("repeatProtection"));
  reclaim.Add("lend", std::string(row.Of("lend")));
  map.Add("reclaim", reclaim.Yaml()).Add("preempt", preempt.Yaml());
  map.Add("daemonSetPreemption", DaemonSetPreemption(row));
  map.Add("disruptionBudgets", Map().AddText("onBorrowedRoom", row.Of("onBorrowedRoom")).Yaml());
  Map partial;
  if (row.Of("partialAdmission") == "no") partial.Add("enabled", "false");
  if (row.Of("fill") == "no") partial.Add("fill", "false");
  partial.AddText("reduce", row.Of("reduce"));
  map.Add("partialAdmission", partial.Yaml());
  Map usage;
  usage.AddText("halfLife", row.Of("halfLife")).AddText("influence", row.Of("influence"));
  map.Add("usage", usage.Yaml());
  map.Add("staleGang", Map().AddText("grace", row.Of("staleGrace")).Yaml());
  Map consolidation;
  if (row.Of("consolidation") == "yes") consolidation.Add("enabled", "true");
  consolidation.AddText("cooldown", row.Of("cooldown"));
  consolidation.Add("maxLoss", MaxLoss(row.Of("movesMaxLoss")));
  map.Add("consolidation", consolidation.Yaml());
  Map admission;
  admission.AddText("podsTimeout", row.Of("podsTimeout"));
  map.Add("admission", admission.Yaml());
  return map.Yaml() + "\n";
}

}  // namespace

std::string WithNamespace(std::string_view name) {
  const bool has = name.find('/') != std::string_view::npos;
  return has ? std::string(name) : "default/" + std::string(name);
}

std::string YamlOf(const Row& row) {
  if (row.table == "nodes") return Node(row);
  if (row.table == "queues") return Queue(row);
  if (row.table == "pods") return Pod(row);
  if (row.table == "workloads") return Workload(row);
  if (row.table == "topologies") return Topology(row);
  if (row.table == "windows") return Window(row);
  if (row.table == "classes") return PriorityClass(row);
  if (row.table == "budgets") return Budget(row);
  if (row.table == "quotas") return Quota(row);
  if (row.table == "configuration") return Configuration(row);
  Map labels;
  labels.AddText("fairlead.dev/queue", row.Of("queue"));
  AddTexts(row.Of("labels"), labels);
  Map annotations;
  annotations.AddText("fairlead.dev/owner", row.Of("whose"));
  return Document("v1 Namespace", Meta(row, false, labels, annotations), "", "");
}

}  // namespace fairlead::scenario
