#include "kube/program.h"

#include <cerrno>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace fairlead::kube {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{1} << 20;

std::int64_t NowMs() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

std::vector<std::string> Environment(const std::vector<std::pair<std::string, std::string>>& env) {
  std::vector<std::string> all;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string line = *one;
    const std::string name = line.substr(0, line.find('='));
    bool replaced = false;
    for (const auto& [key, value] : env) replaced = replaced || key == name;
    if (!replaced) all.push_back(line);
  }
  for (const auto& [key, value] : env) all.push_back(key + "=" + value);
  return all;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Everything up to the end, or why not.
Result<std::string> ReadAll(int fd, Duration most) {
  const std::int64_t deadline = NowMs() + most.us / 1000;
  std::string output;
  for (;;) {
    const std::int64_t left = deadline - NowMs();
    pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
    const int ready = left <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Fail(fmt::format("it did not end within {}", FormatDuration(most)));
    char part[4096];
    const ssize_t count = ::read(fd, part, sizeof(part));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return output;
    output.append(part, static_cast<std::size_t>(count));
    if (output.size() > kMaxOutput) return Fail("it printed more than 1 MiB");
  }
}

}  // namespace

Result<std::string> RunProgram(const std::string& command, const std::vector<std::string>& args,
                               const std::vector<std::pair<std::string, std::string>>& env,
                               Duration most) {
  const auto fail = [&](const std::string& why) { return Fail(command + ": " + why); };
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(std::strerror(errno));
  std::vector<std::string> words = {command}, environment = Environment(env);
  words.insert(words.end(), args.begin(), args.end());
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t child = 0;
  const int problem = ::posix_spawnp(&child, command.c_str(), &actions, nullptr,
                                     Pointers(words).data(), Pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (problem != 0) {
    ::close(ends[0]);
    return fail(std::strerror(problem));
  }
  Result<std::string> output = ReadAll(ends[0], most);
  ::close(ends[0]);
  if (!output) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!output) return fail(output.error().message);
  if (WIFSIGNALED(status)) return fail(fmt::format("it was ended by signal {}", WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) {
    return fail(fmt::format("it failed with exit code {}", WEXITSTATUS(status)));
  }
  return output;
}

}  // namespace fairlead::kube
