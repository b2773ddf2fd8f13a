#pragma once

#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "intake/intake.h"
#include "objects/read/reader.h"

// Pods that name another scheduler: in an ordinary cluster, all of them.

namespace fairlead::host {

// "2 pending pods are not Fairlead's …: default-scheduler 1, kai-scheduler 1." and what to set, a
// line each; none where there are no such pods.
std::vector<std::string> OtherSchedulersText(const intake::Intake& intake);

// The same as `otherSchedulers`: [{"schedulerName":"default-scheduler","pendingPods":6}], by name.
void AddOtherSchedulers(const intake::Intake& intake, boost::json::object& into);

// Makes the pods of the schedulers `names` ("a,b"), and what makes such pods, name the one that the
// manifest configures. A name that nobody has is warned of.
void TakeAsOurs(const std::string& names, objects::Manifest& manifest);

}  // namespace fairlead::host
