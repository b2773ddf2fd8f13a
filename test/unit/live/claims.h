#pragma once

#include <string>

#include "unit/kube/fake_api.h"

// What controllers of volumes do, and show, in namespace `team`.

namespace fairlead::live {

// One that waits for a pod. Provisioner kubernetes.io/no-provisioner: its volumes are there.
void AddStorageClass(kube::FakeApi& api, const std::string& name, const std::string& provisioner);
// The annotation selected-node; empty: it has none; "gone": there is no such claim.
std::string NodeSelectedFor(const kube::FakeApi& api, const std::string& claim);
// No volume can be made there: the annotation is taken back. REQUIRES, as the next: it is there.
void RefuseClaim(kube::FakeApi& api, const std::string& claim);
void BindClaim(kube::FakeApi& api, const std::string& claim, const std::string& volume);

}  // namespace fairlead::live
