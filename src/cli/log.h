#pragma once

#include <memory>
#include <string>

#include <spdlog/spdlog.h>

namespace fairlead::cli {

// Writes to stderr: for people (time, level, message), or, for `format` "json", an object a line
// with `time`, `level` and `message`.
std::shared_ptr<spdlog::logger> MakeLog(const std::string& format);

}  // namespace fairlead::cli
