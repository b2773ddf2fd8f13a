#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace fairlead::engine {

// What all auditors have in common: somewhere to say what they find wrong.
class Auditor {
 protected:
  explicit Auditor(std::vector<std::string>* faults) : faults_(faults) {}

  // One sentence more. REQUIRES: it was said where.
  template <typename... Args>
  void Fault(fmt::format_string<Args...> text, Args&&... args) {
    faults_->push_back(fmt::format(text, std::forward<Args>(args)...));
  }
  void SetFaults(std::vector<std::string>* faults) { faults_ = faults; }

 private:
  std::vector<std::string>* faults_;
};

}  // namespace fairlead::engine
