#include "show/report_html.h"

#include <filesystem>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/version.h"
#include "server/page.h"
#include "show/comparison_view.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;

json::array ToJson(const std::vector<double>& values) {
  return json::array(values.begin(), values.end());
}

json::object ToJson(const account::Pictures& pictures) {
  json::array queues, waiting;
  for (const account::Pictures::Queue& queue : pictures.queues) {
    queues.push_back(json::object{{"name", queue.name},
                                  {"allocated", ToJson(queue.allocated)},
                                  {"fair", ToJson(queue.fair)},
                                  {"requested", ToJson(queue.requested)}});
  }
  for (const account::Pictures::Waiting& curve : pictures.waiting) {
    waiting.push_back(json::object{
        {"of", curve.of}, {"percent", ToJson(curve.percent)}, {"seconds", ToJson(curve.seconds)}});
  }
  return {{"resource", pictures.resource},        {"unit", pictures.unit},
          {"stepSeconds", pictures.step_seconds}, {"offered", ToJson(pictures.offered)},
          {"pending", ToJson(pictures.pending)},  {"evictions", ToJson(pictures.evictions)},
          {"queues", std::move(queues)},          {"waiting", std::move(waiting)}};
}

json::object ToJson(const ReportedRun& run) {
  json::array figures;
  for (const account::Figure& figure : run.figures) {
    figures.push_back(json::object{
        {"name", figure.name}, {"of", figure.of}, {"unit", figure.unit}, {"value", figure.value}});
  }
  return {
      {"name", run.name},     {"start", FormatTime(run.start)}, {"end", FormatTime(run.end)},
      {"digest", run.digest}, {"figures", std::move(figures)},  {"pictures", ToJson(run.pictures)}};
}

json::object DataOf(const ReportPage& page) {
  json::array runs;
  for (const ReportedRun& run : page.runs) runs.push_back(ToJson(run));
  json::object data{{"title", page.title},
                    {"command", page.command},
                    {"version", Version()},
                    {"runs", std::move(runs)},
                    {"comparison", nullptr}};
  if (!page.comparison) return data;
  json::object comparison = ComparisonToJson(*page.comparison);
  comparison["jitterSeconds"] = page.jitter.WholeSeconds();
  data["comparison"] = std::move(comparison);
  return data;
}

// Inside a script element nothing may look like its end.
std::string Inlined(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string HtmlEscaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string ReportHtml(const ReportPage& page) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<div id=\"report\"><p>This report draws itself with the script in this file.</p></div>\n"
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{}</script>\n"
      "</body>\n</html>\n",
      HtmlEscaped(page.title), server::PageText("report.css"),
      Inlined(json::serialize(DataOf(page))), server::PageText("report.js"));
}

ReportedRun ReportOf(std::string name, const account::Ledger& ledger, std::string digest,
                     std::vector<account::Figure> figures) {
  constexpr std::size_t kPieces = 400;
  return {.name = std::move(name),
          .start = ledger.start,
          .end = ledger.end,
          .digest = std::move(digest),
          .figures = std::move(figures),
          .pictures = PicturesOf(ledger, kPieces)};
}

std::string CsvDirectory(const std::string& report_path) {
  const std::filesystem::path path(report_path);
  return (path.parent_path() / (path.stem().string() + "-csv")).string();
}

}  // namespace fairlead::show
