#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "objects/field_path.h"

// The kinds of jobs, one row each. All that names a kind of job is made from its row: its decoder
// and writer, what admission changes of it, the resource that is watched and patched, the
// controller of the virtual cluster, the table of `get`. The rights in deploy/ are held against the
// rows by a test.
//
// A job is a JobObject (objects/objects.h) with its row's fields. Only batch/v1 Job has a value of
// its own, objects::Job: its pods at once follow from two counts, its completions from annotations.

namespace fairlead::objects {

struct JobRow {
  // Pods of one template, in the order of admission.
  struct PodSet {
    std::string name;  // "worker"
    FieldPath at;      // the mapping that holds its count and template
    std::string count = "replicas", pod_template = "template";  // fields of it
    // It must be there, with so many pods where it says how many. Absent: it may have any number,
    // absent ones are 0, and admission writes it.
    std::optional<std::int32_t> only_count;
    FieldPath min;  // with how few of its pods the job may run; empty: with all of them
    // A minimum by so much above the count is no mistake, and means all of them.
    std::int32_t min_beyond = 0;
    std::string index_label;  // of its pods, whose value is the pod's index; empty: none
    bool ends_job = false;    // the job is complete when its pods have succeeded

    FieldPath template_path;  // of `pod_template`, from the root; set by AddJobRow
  };

  std::string group, version;  // "kubeflow.org", "v2beta1"
  std::string kind, plural;    // "MPIJob", "mpijobs"
  bool always_served = false;  // every API server has it; else it is watched where its CRD is
  FieldPath suspend;
  FieldPath priority_class;  // the job's own; empty: its pod sets' alone count
  // Types of conditions of which one that holds says that it is over.
  std::string succeeded = "Succeeded", failed = "Failed";
  // Labels by which its pods name their job and their pod set. An operator may make them by way of
  // a job of another kind; they are this one's all the same. Empty: there is none.
  std::string job_label, pod_set_label;
  std::vector<PodSet> pod_sets;  // empty: a value of its own, batch/v1 Job

  // Set by AddJobRow:
  std::size_t number = 0;   // its place among JobRows()
  std::string api_version;  // "kubeflow.org/v2beta1"

  bool is_generic() const { return !pod_sets.empty(); }
};

// The first counts where jobs of several kinds have one name. Rows stay where they are for ever.
const std::deque<JobRow>& JobRows();
const JobRow* FindJobRow(std::string_view kind);  // null: no kind of job

// REQUIRES: nothing was read yet, no other thread runs; the kind has no row yet; its row is
// generic, and has a label for pod sets where it has several.
const JobRow& AddJobRow(JobRow row);

}  // namespace fairlead::objects
