// How well starts are foretold where nobody says how long work runs (docs/reservations.md): Philly
// is replayed, and every so often all that waits is asked for its expected start, by what ended
// before. Prints a table in Markdown.
//
//   starts_table [--every DURATION] [--config FILE]
//       DURATION: 25h where nothing is said. FILE: a SchedulerConfiguration; without: as it is
//       shipped.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "bench/in_parallel.h"
#include "bench/worlds.h"
#include "drive/observer.h"
#include "history/past_durations.h"
#include "history/workload_tracker.h"
#include "host/expected_starts.h"
#include "host/saved_state.h"
#include "intake/intake.h"
#include "objects/key.h"
#include "objects/read/reader.h"
#include "show/progress.h"
#include "trace/philly.h"
#include "trace/run.h"
#include "virtual/world.h"

namespace fairlead::bench {
namespace {

using host::ExpectedStart;

constexpr Duration kAhead = Duration::Seconds(600);  // predictions nearer than that are left out
constexpr std::size_t kWaits = 100;                  // of which the simple guess is the mean

[[noreturn]] void GiveUp(const std::string& message) {
  fmt::print(stderr, "starts_table: {}\n", message);
  std::exit(2);
}

// As the chart has it.
constexpr std::string_view kShipped = R"(
apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
reclaim: {maxLoss: {grace: 4h, waitedPercent: 10, deadline: 24h}}
)";

struct Options {
  Duration every = Duration::Seconds(std::int64_t{25} * 3600);  // at other times each day
  std::optional<objects::SchedulerConfiguration> configuration;
};

// A moment of the replay.
struct Moment {
  Time now;
  std::vector<objects::Object> objects;
  history::PastDurations past;
  std::map<std::string, Duration> mean_waits;  // by queue: of the last that started
};

// What is known of a workload of the replay.
struct Life {
  std::string queue;
  Time created;
  std::optional<Time> started;
};

struct Prediction {
  std::string workload;
  Time said;
  ExpectedStart start;
  std::optional<Time> alone;  // when it starts if nothing else comes, by what all really run
  std::optional<Duration> mean_wait;
};

// Follows the replay: who started when, how long work ran, and moments to be asked about.
class Replay : public drive::Observer {
 public:
  Replay(Time start, Duration every) : every_(every), next_(start + every) {}

  void OnChanges(Time now, std::span<const state::Change> changes) override {
    std::vector<history::Record> records;
    tracker_.Apply(now, changes, records);
    for (const history::Record& record : records) {
      const auto* ended = std::get_if<history::Ended>(&record);
      if (ended == nullptr || ended->outcome != "Succeeded" || !ended->started) continue;
      past_.Add(ended->queue, ended->made_by.empty() ? ended->workload : ended->made_by,
                ended->finished - *ended->started);
    }
    for (const state::Change& change : changes) {
      if (const auto* pod = std::get_if<state::PodChange>(&change)) {
        if (pod->solo) Note(pod->name, *pod->solo);
      } else if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
        Note(workload->name, workload->traits);
      }
    }
  }
  void OnObject(const drive::ObjectNews& news) override {
    if (news.object != nullptr) {
      tracker_.Object(*news.object);
    } else {
      tracker_.Gone(news.kind, objects::JoinKey(news.name_space, news.name));
    }
  }
  void OnEvent(const drive::Event& event) override {
    if (event.type != drive::EventType::kBind) return;
    const auto found = lives_.find(std::string(event.workload));
    if (found == lives_.end() || found->second.started) return;
    Life& life = found->second;
    life.started = event.time;
    std::deque<Duration>& waits = waits_[life.queue];
    waits.push_back(event.time - life.created);
    if (waits.size() > kWaits) waits.pop_front();
  }

  bool OnInstant(const virtual_cluster::VirtualCluster& cluster) {
    if (cluster.Now() < next_) return true;
    while (next_ <= cluster.Now()) next_ = next_ + every_;
    Moment moment{.now = cluster.Now(), .objects = host::CopyOf(cluster), .past = past_};
    for (const auto& [queue, waits] : waits_) {
      const auto sum =
          std::accumulate(waits.begin(), waits.end(), std::int64_t{0},
                          [](std::int64_t all, Duration wait) { return all + wait.us; });
      moment.mean_waits.emplace(queue, Duration{sum / std::ssize(waits)});
    }
    moments_.push_back(std::move(moment));
    return true;
  }

  std::vector<Moment>& moments() { return moments_; }
  const std::map<std::string, Life>& lives() const { return lives_; }

 private:
  void Note(const std::string& name, const state::WorkloadTraits& traits) {
    const auto [life, fresh] = lives_.try_emplace(name);
    if (fresh) life->second = {.queue = traits.queue, .created = traits.created};
  }

  const Duration every_;
  Time next_;
  history::WorkloadTracker tracker_{Time{}};
  history::PastDurations past_;
  std::map<std::string, Life> lives_;
  std::map<std::string, std::deque<Duration>> waits_;  // by queue
  std::vector<Moment> moments_;
};

// Of each moment what is said of all that waits then.
std::vector<std::vector<Prediction>> Foretell(const std::vector<Moment>& moments,
                                              const std::map<std::string, Life>& lives) {
  std::vector<std::vector<Prediction>> all(moments.size());
  InParallel(moments.size(), "foretelling", "moments", [&](std::size_t k) {
    const Moment& moment = moments[k];
    const auto alone = host::ExpectedStarts(moment.objects, {.start = moment.now});
    std::vector<objects::Object> objects = moment.objects;
    for (objects::Object& object : objects) ForgetRun(object);
    const auto past = [&](std::string_view queue, std::string_view work) {
      return moment.past.Of(queue, work);
    };
    const auto starts = host::ExpectedStarts(objects, {.start = moment.now}, {.from = past});
    for (const auto& [workload, start] : starts) {
      Prediction prediction{.workload = workload, .said = moment.now, .start = start};
      const auto life = lives.find(workload);
      if (life == lives.end()) continue;
      if (const auto real = alone.find(workload); real != alone.end()) {
        prediction.alone = real->second.at;
      }
      const auto mean = moment.mean_waits.find(life->second.queue);
      if (mean != moment.mean_waits.end()) prediction.mean_wait = mean->second;
      all[k].push_back(std::move(prediction));
    }
  });
  return all;
}

struct Row {
  std::int64_t said = 0, within = 0, early = 0, late = 0, alone = 0;
  std::vector<Duration> errors, of_means;
};

Duration Between(Time a, Time b) { return std::max(a - b, b - a); }

std::string MedianHours(std::vector<Duration>& errors) {
  if (errors.empty()) return "–";
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>((errors.size() - 1) / 2);
  std::ranges::nth_element(errors, middle);
  return fmt::format("{:.2f}", static_cast<double>(middle->us) / 3.6e9);
}

void Print(const std::string& name, Row& row) {
  const auto part = [&](std::int64_t count) {
    return row.said == 0 ? std::string("–") : fmt::format("{} %", count * 100 / row.said);
  };
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name, row.said, part(row.within),
             part(row.early), part(row.late), part(row.alone), MedianHours(row.errors),
             MedianHours(row.of_means));
}

// The first that was said of each workload, where it lies ahead far enough and rests on history.
void PrintTable(const std::vector<std::vector<Prediction>>& foretold,
                const std::map<std::string, Life>& lives) {
  std::map<std::string, Row> rows;
  std::map<std::string, bool> said;
  std::int64_t unknown = 0, near = 0;
  for (const std::vector<Prediction>& of_moment : foretold) {
    for (const Prediction& prediction : of_moment) {
      if (!said.emplace(prediction.workload, true).second) continue;
      const ExpectedStart& start = prediction.start;
      if (!start.at || start.basis != ExpectedStart::Basis::kHistory) {
        ++unknown;
        continue;
      }
      if (*start.at - prediction.said < kAhead) {
        ++near;
        continue;
      }
      const Life& life = lives.at(prediction.workload);
      if (!life.started) continue;
      const Duration ahead = *start.at - prediction.said;
      const char* distance = ahead < Duration::Seconds(3600)        ? "2: less than 1 h ahead"
                             : ahead < Duration::Seconds(6 * 3600)  ? "3: 1–6 h"
                             : ahead < Duration::Seconds(24 * 3600) ? "4: 6–24 h"
                                                                    : "5: more than a day";
      for (const char* name : {"1: all", distance}) {
        Row& row = rows[name];
        ++row.said;
        row.early += *life.started < start.from.value_or(*start.at) ? 1 : 0;
        row.late += *life.started > start.until.value_or(*start.at) ? 1 : 0;
        row.within = row.said - row.early - row.late;
        row.alone += prediction.alone && *prediction.alone >= start.from.value_or(*start.at) &&
                             *prediction.alone <= start.until.value_or(*start.at)
                         ? 1
                         : 0;
        row.errors.push_back(Between(*life.started, *start.at));
        if (prediction.mean_wait) {
          const Time guess = std::max(prediction.said, life.created + *prediction.mean_wait);
          row.of_means.push_back(Between(*life.started, guess));
        }
      }
    }
  }
  fmt::print(
      "| starts said with basis `History` | said | within their range | earlier | later | within, "
      "if "
      "nothing else had come | median error, h | of \"mean of the last hundred waits\", h "
      "|\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|\n");
  for (auto& [name, row] : rows) Print(name.substr(3), row);
  fmt::print("\nLeft out: {} less than 10 minutes ahead, {} of which no time was said.\n", near,
             unknown);
}

objects::SchedulerConfiguration ReadConfiguration(const std::string& path) {
  objects::Manifest manifest;
  if (path.empty()) {
    objects::ReadText(kShipped, "shipped", intake::AllDecoders(), manifest);
  } else {
    objects::ReadPath(path, intake::AllDecoders(), manifest);
  }
  if (!manifest.faults.empty()) GiveUp(manifest.faults.front().message);
  for (const objects::Object& object : manifest.objects) {
    const auto* found = std::get_if<objects::SchedulerConfiguration>(&object);
    if (found != nullptr) return *found;
  }
  GiveUp(path + " has no SchedulerConfiguration");
}

Options OptionsOf(int argc, char** argv) {
  Options options{.configuration = ReadConfiguration("")};
  for (int i = 1; i < argc; i += 2) {
    const std::string flag = argv[i];
    if (i + 1 == argc) GiveUp(flag + ": a value is missing");
    const std::string value = argv[i + 1];
    if (flag == "--every") {
      const auto every = ParseDuration(value);
      if (!every || every->us <= 0) GiveUp("--every: expected a duration, as in 24h");
      options.every = *every;
    } else if (flag == "--config") {
      options.configuration = ReadConfiguration(value);
    } else {
      GiveUp(flag + ": expected --every or --config");
    }
  }
  return options;
}

int Main(int argc, char** argv) {
  const Options options = OptionsOf(argc, argv);
  const std::filesystem::path folder = std::filesystem::path(DataFolder()) / "philly";
  if (DataFolder().empty() || !std::filesystem::exists(folder / "philly.csv")) {
    fmt::print("Philly is not there (FAIRLEAD_DATA): nothing is foretold.\n");
    return 0;
  }
  objects::Manifest manifest;
  auto jobs = std::make_shared<trace::JobList>();
  trace::ReadPhillyFiles((folder / "philly.csv").string(), (folder / "philly_vc.csv").string(),
                         {.nodes = 64, .per_node = 8}, manifest, *jobs);
  if (!manifest.faults.empty()) GiveUp(manifest.faults.front().message);
  const Time start = intake::NewestTime(manifest.objects);
  const std::int64_t count = jobs->JobCount();
  Replay replay(start, options.every);
  trace::RunOptions run{.start = start};
  run.configuration = options.configuration;
  run.jobs = std::move(jobs);
  run.forget_ended = true;
  run.observers = {&replay};
  auto progress = std::make_optional<show::Progress>("replaying");
  run.on_instant = [&](const auto& cluster) {
    progress->Show(std::ssize(replay.lives()), static_cast<std::int64_t>(count), "jobs", {});
    return replay.OnInstant(cluster);
  };
  const auto result = trace::Run(std::move(manifest.objects), run);
  progress.reset();
  if (!result) GiveUp(result.error().front().message);
  fmt::print("Philly, {} jobs on 64 nodes of 8 GPUs, asked every {}:\n\n", count,
             FormatDuration(options.every));
  PrintTable(Foretell(replay.moments(), replay.lives()), replay.lives());
  return 0;
}

}  // namespace
}  // namespace fairlead::bench

int main(int argc, char** argv) { return fairlead::bench::Main(argc, argv); }
