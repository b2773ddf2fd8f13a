#include "cli/log.h"

#include <ctime>

#include <boost/json.hpp>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "base/printable.h"

namespace fairlead::cli {
namespace {

// %* in a pattern: the message as a JSON string.
class QuotedMessage final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& into) override {
    const std::string text = boost::json::serialize(boost::json::string(
        boost::json::string_view(message.payload.data(), message.payload.size())));
    into.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<QuotedMessage>();
  }
};

// %~ in a pattern: the message as one line, whatever a tenant wrote into it.
class PrintableMessage final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& into) override {
    const std::string text = Printable({message.payload.data(), message.payload.size()});
    into.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<PrintableMessage>();
  }
};

}  // namespace

std::shared_ptr<spdlog::logger> MakeLog(const std::string& format) {
  auto log = std::make_shared<spdlog::logger>("fairlead",
                                              std::make_shared<spdlog::sinks::stderr_sink_mt>());
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc);
  formatter->add_flag<QuotedMessage>('*');
  formatter->add_flag<PrintableMessage>('~');
  formatter->set_pattern(
      format == "json" ? "{\"time\":\"%Y-%m-%dT%H:%M:%S.%eZ\",\"level\":\"%l\",\"message\":%*}"
                       : "%Y-%m-%dT%H:%M:%SZ %l: %~");
  log->set_formatter(std::move(formatter));
  log->flush_on(spdlog::level::info);
  return log;
}

}  // namespace fairlead::cli
