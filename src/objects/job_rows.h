#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "objects/field_path.h"
#include "objects/meta.h"

// The kinds of jobs, one row each. All that names a kind of job is made from its row: its decoder
// and writer, what admission changes of it, the resource that is watched and patched, the
// controller of the virtual cluster, the table of `get`. The rights in deploy/ are held against the
// rows by a test. The configuration's jobKinds are rows, too (objects/read/decode_job_kinds.cc).
//
// A job is a JobObject (objects/objects.h) with its row's fields. Only batch/v1 Job has a value of
// its own, objects::Job: its pods at once follow from two counts, its completions from annotations.

namespace fairlead::objects {

// What a count is made of: a number, an integer of the object, or one of several of these.
struct CountFactor {
  enum class Type : std::uint8_t {
    kNumber,  // `number`
    kField,   // the integer at `field`; where it is not there `number`, or nothing
    kLeast,   // the least of `of`, of those that are there
    kMost,    // the greatest, likewise
    kWithin,  // the second of `of`, no less than the first, no more than the third
    kLess,    // the first of `of` less the second, 0 at least; an absent first is 1
  };
  static CountFactor Number(std::int64_t number) { return {.number = number}; }
  static CountFactor At(FieldPath field, std::optional<std::int64_t> absent = {}) {
    return {.type = Type::kField, .number = absent, .field = std::move(field)};
  }
  static CountFactor Least(std::vector<CountFactor> of) {
    return {.type = Type::kLeast, .of = std::move(of)};
  }
  static CountFactor Most(std::vector<CountFactor> of) {
    return {.type = Type::kMost, .of = std::move(of)};
  }
  static CountFactor Within(CountFactor min, CountFactor value, CountFactor max) {
    return {.type = Type::kWithin, .of = {std::move(min), std::move(value), std::move(max)}};
  }

  static CountFactor Less(CountFactor from, CountFactor less) {
    return {.type = Type::kLess, .of = {std::move(from), std::move(less)}};
  }

  Type type = Type::kNumber;
  std::optional<std::int64_t> number;
  FieldPath field;
  std::vector<CountFactor> of;
  bool operator==(const CountFactor&) const = default;
};

struct JobRow {
  // kSpark: a role of a SparkApplication, "spec.driver", of which Spark makes a template.
  enum class TemplateForm : std::uint8_t { kPodTemplate, kSpark };
  // A container that is in no template: the operator adds it to each pod where the field holds
  // that word.
  struct Sidecar {
    FieldPath runs_if;
    std::string word;      // empty: where it is true
    FieldPath resources;   // of the container, as in a pod
    ResourceList request;  // where these say nothing
    bool operator==(const Sidecar&) const = default;
  };
  // Only where the field holds that word, or is not there.
  struct Only {
    FieldPath path;
    std::string word;
    bool operator==(const Only&) const = default;
  };
  // Pods of one template, in the order of admission. Of a list's elements, where its paths say so,
  // each is a pod set.
  struct PodSet {
    std::string name;   // "worker"; empty: at
    FieldPath name_at;  // of each element
    // Their product. The first is the unit of `min` and `max`, and what admission writes. Empty: 1.
    std::vector<CountFactor> count;
    std::optional<std::int32_t> only_count;                   // any other number is a fault
    std::vector<FieldPath> pod_template;                      // the first that is there
    TemplateForm template_form = TemplateForm::kPodTemplate;  // of what is there
    FieldPath min;  // with how few of its units the job may run; empty: with all of them
    // An annotation that says so by name, as JSON: {"worker": 2}. Empty: none.
    std::string min_annotation;
    // A minimum by so much above the count is no mistake, and means all of them; nor is 0.
    std::int32_t min_beyond = 0;
    bool zero_means_all = false;
    // So many units it may have while it runs, where they come and go one by one. `elastic_if`: a
    // field that has to be true for that; then a maximum that is not there is none, and so is a
    // minimum. Both empty: it has those that it is admitted with.
    FieldPath max, elastic_if;
    bool count_writable = false;   // admission writes the first factor, a field
    bool optional = false;         // it is there only where its template is
    std::string index_label;       // of its pods, whose value is the pod's index; empty: none
    std::int32_t first_index = 0;  // the lowest that its pods have
    std::string unit_label;        // likewise, the index of the unit that the pod is in
    bool ends_job = false;         // the job is complete when its pods have succeeded
    std::vector<Sidecar> sidecars;
    // It is there only where its template names a scheduler other than the default one …
    bool names_scheduler = false;
    Only only;  // … and only where that field says so

    bool is_of_each() const { return name.empty(); }
    bool operator==(const PodSet&) const = default;
  };
  // How its end shows: by a condition that holds, or by a word.
  struct Finished {
    std::vector<std::string> conditions;  // types
    FieldPath path;                       // or the field that holds …
    std::vector<std::string> values;      // … one of these
    std::vector<std::string> succeeded;   // those of either that are a success
    bool operator==(const Finished&) const = default;
  };
  // Labels by which its pods name their job and their pod set. An operator may make them by way of
  // a job of another kind; they are this one's all the same. Empty: there is none.
  struct PodLabels {
    std::string job, pod_set;
    // Values of `pod_set` that are no names of pod sets, and whose they are; "*": any other.
    std::map<std::string, std::string, std::less<>> values;
    // Of jobs that come as several workloads, NAME-VALUE: the label whose value says of which a
    // pod is.
    std::string group;
    // A pod whose owner is no kind of job is of the job that `job` names, too.
    bool whoever_owns = false;
    bool operator==(const PodLabels&) const = default;
  };
  // What keeps its pods from running before there is room for them.
  enum class LetGoBy : std::uint8_t {
    kSuspend,  // it makes none while it is suspended
    kPods,     // it makes them, whoever owns them then, and they wait for each other
  };
  // Where the field holds one of these, pods of a set come when those of the sets before it run.
  struct Order {
    FieldPath path;
    std::vector<std::string> values;
    bool always = false;   // whatever it holds
    std::string absent;    // what it holds where it is not there
    FieldPath depends;     // a list of any element's: where it is there, too; empty: none
    std::string with_set;  // where there is a pod set of that name, too; empty: none
    bool operator==(const Order&) const = default;
  };

  std::string group;                  // "kubeflow.org"
  std::vector<std::string> versions;  // {"v2beta1"}: that are read; of a server's the first it has
  std::string kind, plural;           // "MPIJob", "mpijobs"
  bool always_served = false;  // no server is without; others are watched where they are served
  LetGoBy let_go_by = LetGoBy::kSuspend;
  // Of kPods: only where it says fairlead.dev/gang do its pods wait for each other. It owns them
  // itself, and replaces each that goes.
  bool gang_if_asked = false;
  // It has its pods run by jobs of these kinds, which it makes and which are left to it: their pods
  // are its own. Empty: it makes its pods itself.
  struct Made {
    std::string kind;
    std::string pod_set;  // all of their pods are in this one; empty: as their labels say
    bool operator==(const Made&) const = default;
  };
  std::vector<Made> makes;
  // Its pod sets are those of the first of these, which has its name; it says none itself.
  bool has_pod_sets_of_made = false;
  // A list of objects of any kinds that it makes, each at "template": its pod sets are theirs
  // (read/decode_components.cc). Empty: none.
  FieldPath components;
  FieldPath suspend;      // of kSuspend
  FieldPath suspends_if;  // has to be true, else its controller refuses that; empty: none
  std::vector<FieldPath> priority_class;  // the job's own, the first that is set; else its pods'
  Finished finished = {.conditions = {"Succeeded", "Failed"}, .succeeded = {"Succeeded"}};
  PodLabels pod_labels;
  FieldPath deadline;  // so many seconds it may run, and its controller ends it; empty: none
  // The fewest pods of all sets together: the last sets that may be fewer give first.
  FieldPath min_total;
  FieldPath groups;  // how many it comes in, 1 where it does not say; empty: by its pods alone
  Order order;
  std::vector<PodSet> pod_sets;
  bool has_own_value = false;  // objects::Job

  // Set by AddJobRow:
  std::size_t number = 0;                 // its place among JobRows()
  std::vector<std::string> api_versions;  // {"kubeflow.org/v2beta1"}, as `versions`

  bool is_generic() const { return !has_own_value; }
  // Its pods are found by their labels alone: what it owns may be owners of others in turn.
  bool is_let_go_by_pods() const { return let_go_by == LetGoBy::kPods; }
  // Its pods are made in groups, each anew as a whole.
  bool comes_in_groups() const { return is_let_go_by_pods() && !gang_if_asked; }
  // But for what AddJobRow sets.
  bool SaysTheSame(const JobRow& other) const;
  bool operator==(const JobRow&) const = default;
};

// Integers of one object at the fields of a count, as ForEachField goes through them.
using CountValues = std::vector<std::optional<std::int64_t>>;

// visit(field), depth first.
template <typename Visit>
void ForEachField(const std::vector<CountFactor>& factors, Visit visit) {
  for (const CountFactor& factor : factors) {
    if (factor.type == CountFactor::Type::kField) visit(factor.field);
    ForEachField(factor.of, visit);
  }
}
// The first factor, and the product of the others; of either kMostPods + 1 at most.
inline constexpr std::int64_t kMostPods = std::numeric_limits<std::int32_t>::max();
std::int64_t UnitsOf(const JobRow::PodSet& set, const CountValues& values);
std::int64_t PodsPerUnitOf(const JobRow::PodSet& set, const CountValues& values);
// Which of the values admission writes. REQUIRES: set.count_writable.
std::size_t WrittenValue(const JobRow::PodSet& set);

// The first counts where jobs of several kinds have one name. Rows stay where they are for ever.
const std::deque<JobRow>& JobRows();
const JobRow* FindJobRow(std::string_view kind);  // null: no kind of job

// REQUIRES: no other thread runs; the kind has no row yet; its row is generic, and has a label for
// pod sets where it has several.
const JobRow& AddJobRow(JobRow row);

// Adds those that are not there. False: all of them were. REQUIRES: as AddJobRow; a row that is
// there says the same.
bool AddJobRows(const std::vector<JobRow>& rows);

// Calls `follow` after each row that is added from now on. Any thread.
void FollowJobRows(std::function<void()> follow);

// What is made of all rows, of those that are added later, too. For statics: it is never forgotten.
template <typename Made>
class OfJobRows {
 public:
  explicit OfJobRows(Made (*make)()) : made_(make()) {
    FollowJobRows([this, make] { made_ = make(); });
  }
  OfJobRows(const OfJobRows&) = delete;
  OfJobRows& operator=(const OfJobRows&) = delete;

  const Made& Get() const { return made_; }

 private:
  Made made_;
};

}  // namespace fairlead::objects
