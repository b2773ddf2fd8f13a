#include "host/view_board.h"

#include <utility>

namespace fairlead::host {
namespace {

constexpr auto kEvery = std::chrono::seconds(1);
constexpr auto kOldView = std::chrono::milliseconds(1500);  // the owner may be late
constexpr auto kLookedFor = std::chrono::seconds(10);
constexpr auto kOwnerPatience = std::chrono::seconds(2);

}  // namespace

ViewBoard::ViewBoard(const engine::Scheduler& scheduler, std::function<void()> wake)
    : builder_(scheduler), wake_(std::move(wake)) {}

void ViewBoard::Outdate() {
  const MutexLock lock(mutex_);
  outdated_ = true;
}

bool ViewBoard::Due() const {
  const MutexLock lock(mutex_);
  if (asked_) return true;
  const Clock::time_point now = Clock::now();
  return view_ != nullptr && now - published_at_ >= kEvery && now - looked_at_ < kLookedFor;
}

void ViewBoard::Publish(Time now, const view::Status& status,
                        std::vector<objects::KnownTopology> topologies) {
  view::View fresh = *builder_.Publish(now, status, std::move(topologies));
  std::shared_ptr<const view::View> old;  // it may be large: given up without the lock
  {
    const MutexLock lock(mutex_);
    fresh.starts = starts_;
    fresh.version += starts_told_;
    old = std::exchange(view_, std::make_shared<const view::View>(std::move(fresh)));
    published_at_ = Clock::now();
    ++publications_;
    outdated_ = asked_ = false;
  }
  published_.NotifyAll();
}

void ViewBoard::SetStarts(std::shared_ptr<const view::ExpectedStarts> starts) {
  const MutexLock lock(mutex_);
  starts_ = std::move(starts);
  ++starts_told_;
}

std::shared_ptr<const view::View> ViewBoard::Last() const {
  const MutexLock lock(mutex_);
  return view_;
}

std::shared_ptr<const view::View> ViewBoard::Look() {
  MutexLock lock(mutex_);
  const Clock::time_point now = Clock::now();
  looked_at_ = now;
  const bool old = view_ == nullptr || outdated_ || now - published_at_ > kOldView;
  if (!old || stopped_) return view_;
  asked_ = true;
  const std::uint64_t before = publications_;
  lock.Unlock();
  wake_();
  lock.Lock();
  const Clock::time_point at_most = Clock::now() + kOwnerPatience;
  while (publications_ == before && !stopped_ && published_.WaitUntil(lock, at_most)) continue;
  return view_;
}

server::Answer ViewBoard::Answer(const view::Question& question) {
  const std::shared_ptr<const view::View> view = Look();
  if (view == nullptr) {
    return tl::unexpected(
        server::Refusal{.status = 503, .message = "there is nothing to show yet: try again"});
  }
  auto answer = view::Answer(*view, question);
  if (!answer) {
    return tl::unexpected(server::Refusal{.status = answer.error().not_there ? 404 : 400,
                                          .message = std::move(answer.error().message)});
  }
  return std::move(*answer);
}

void ViewBoard::Stop() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
  }
  published_.NotifyAll();
}

}  // namespace fairlead::host
