#include "runtime/judge/dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <queue>

namespace wend {
namespace {

using Clock = PaceClock;

// An upper bound on one sleep: cheap, and it keeps a lost wake-up from becoming a hang.
constexpr std::chrono::milliseconds kLongestSleep{1000};

std::chrono::milliseconds round_up(Clock::duration duration) {
  return std::chrono::ceil<std::chrono::milliseconds>(duration);
}

// Failures that say something about the server rather than about one request.
bool blames_server(JudgeStatus status) {
  switch (status) {
    case JudgeStatus::network_error:
    case JudgeStatus::timeout:
    case JudgeStatus::truncated:
    case JudgeStatus::rate_limited:
    case JudgeStatus::http_error:
      return true;
    default:
      return false;
  }
}

}  // namespace

// One run over its jobs. A job is waiting (fresh or for its next try), in flight, or done.
class Dispatcher::Run {
 public:
  Run(Dispatcher& dispatcher, std::span<const ChatJob> jobs, const JobDone& done)
      : owner_(dispatcher), jobs_(jobs), done_(done), progress_(jobs.size()) {
    for (const auto& transfer : owner_.transfers_) idle_.push_back(transfer.get());
  }

  void all() {
    while (ended_ < jobs_.size()) {
      start_ready();
      if (ended_ == jobs_.size()) break;
      int running = 0;
      curl_multi_perform(owner_.multi_.get(), &running);
      if (collect() == 0) curl_multi_poll(owner_.multi_.get(), nullptr, 0, sleep_milliseconds(), nullptr);
    }
  }

 private:
  struct Progress {
    int attempts = 0;
    Verdict last;  // of the last attempt
  };
  struct Retry {
    Clock::time_point due;
    std::size_t job;
    // Earliest first in a priority queue; ties by job, so that the order is defined.
    bool operator<(const Retry& other) const { return due != other.due ? due > other.due : job > other.job; }
  };

  void end(std::size_t job, Verdict verdict) {
    ++ended_;
    done_(job, JudgeReply{verdict.status, verdict.score, std::move(verdict.reason), progress_[job].attempts, false,
                          verdict.label});
  }

  bool over_budget() const {
    return owner_.limits_.max_requests != 0 && owner_.requests_ >= owner_.limits_.max_requests;
  }

  // The job that may be sent now, retries before fresh ones; nothing if none is waiting or due.
  std::optional<std::size_t> next_job(Clock::time_point now) {
    if (!retries_.empty() && retries_.top().due <= now) {
      const std::size_t job = retries_.top().job;
      retries_.pop();
      return job;
    }
    if (next_fresh_ < jobs_.size()) return next_fresh_++;
    return std::nullopt;
  }

  bool something_due(Clock::time_point now) const {
    return next_fresh_ < jobs_.size() || (!retries_.empty() && retries_.top().due <= now);
  }

  void start_ready() {
    if (over_budget()) drop_waiting(JudgeStatus::over_budget, "the run has used up its judge requests");
    const Clock::time_point now = Clock::now();
    while (!idle_.empty() && now >= blocked_until_ && something_due(now) && !over_budget() &&
           owner_.bucket_.take(now)) {
      const std::optional<std::size_t> job = next_job(now);
      assert(job);
      start(*job);
    }
  }

  void start(std::size_t job) {
    Transfer* transfer = idle_.back();
    idle_.pop_back();
    ++owner_.requests_;
    if (++progress_[job].attempts > 1) ++owner_.retries_;
    transfer->begin(jobs_[job].body, jobs_[job].labels, job);
    const CURLMcode added = curl_multi_add_handle(owner_.multi_.get(), transfer->handle());
    if (added == CURLM_OK) return;
    // Out of memory, in practice. A job must end all the same, or run() would wait for it for ever.
    idle_.push_back(transfer);
    settle(job, {{JudgeStatus::network_error, 0, curl_multi_strerror(added)}, false, {}});
  }

  // Takes in the transfers that have ended; returns their number.
  int collect() {
    int count = 0;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(owner_.multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      CURL* easy = message->easy_handle;
      void* raw = nullptr;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &raw);
      auto* transfer = static_cast<Transfer*>(raw);
      curl_multi_remove_handle(owner_.multi_.get(), easy);  // `message` is gone from here on
      idle_.push_back(transfer);
      settle(transfer->job(), transfer->finish(code));
      ++count;
    }
    return count;
  }

  // Ends the job or has it wait for its next try.
  void settle(std::size_t job, Attempt attempt) {
    Progress& progress = progress_[job];
    const DispatchLimits& limits = owner_.limits_;
    const bool too_long = attempt.retry_after && *attempt.retry_after > limits.max_retry_wait;
    if (attempt.retry_after && !too_long) {
      // The server speaks to all of its clients' requests, not to this one alone.
      blocked_until_ = std::max(blocked_until_, Clock::now() + *attempt.retry_after);
    }
    if (attempt.transient && !too_long && !server_is_down() && progress.attempts < limits.max_attempts &&
        !over_budget()) {
      const Clock::time_point due = Clock::now() + backoff_delay(limits.backoff, jobs_[job].stream, progress.attempts);
      progress.last = std::move(attempt.verdict);
      retries_.push({due, job});
      return;
    }
    if (too_long) {
      attempt.verdict.reason += fmt::format(" (retry after {} s, which is too long)", attempt.retry_after->count());
    }
    count_failure(attempt.verdict);
    end(job, std::move(attempt.verdict));
  }

  // From giving up until something succeeds, in later runs, too.
  bool server_is_down() const {
    return owner_.limits_.give_up_after != 0 && owner_.failed_in_a_row_ >= owner_.limits_.give_up_after;
  }

  // Gives the run up when too many requests in a row have failed: a server that is down would otherwise hold up each
  // of thousands of requests for all of its timeouts.
  void count_failure(const Verdict& verdict) {
    int& in_a_row = owner_.failed_in_a_row_;
    in_a_row = blames_server(verdict.status) ? in_a_row + 1 : 0;
    const int limit = owner_.limits_.give_up_after;
    if (limit == 0 || in_a_row < limit || gave_up_) return;
    gave_up_ = true;
    drop_waiting(JudgeStatus::gave_up, fmt::format("not asked: {} requests in a row failed, the last with {}: {}",
                                                   in_a_row, to_string(verdict.status), verdict.reason));
  }

  // Ends every waiting job: with `status` if it was never sent, with its last failure if it was.
  void drop_waiting(JudgeStatus status, const std::string& reason) {
    while (!retries_.empty()) {
      const std::size_t job = retries_.top().job;
      retries_.pop();
      end(job, std::move(progress_[job].last));
    }
    while (next_fresh_ < jobs_.size()) end(next_fresh_++, {status, 0, reason});
  }

  // Until something can be started, at most; a transfer that moves wakes the sleeper earlier.
  int sleep_milliseconds() {
    const Clock::time_point now = Clock::now();
    Clock::duration sleep = kLongestSleep;
    if (!idle_.empty()) {
      Clock::time_point due = now + kLongestSleep;
      if (!retries_.empty()) due = std::min(due, retries_.top().due);
      if (next_fresh_ < jobs_.size()) due = now;
      due = std::max({due, blocked_until_, now + owner_.bucket_.wait(now)});
      sleep = std::clamp<Clock::duration>(due - now, Clock::duration::zero(), kLongestSleep);
    }
    return static_cast<int>(round_up(sleep).count());
  }

  Dispatcher& owner_;
  std::span<const ChatJob> jobs_;
  const JobDone& done_;
  std::vector<Progress> progress_;
  std::vector<Transfer*> idle_;  // not in flight; owned by the dispatcher
  std::priority_queue<Retry> retries_;
  std::size_t next_fresh_ = 0;  // jobs from here on were never sent
  std::size_t ended_ = 0;
  Clock::time_point blocked_until_{};  // nothing is sent before, at the server's wish
  bool gave_up_ = false;
};

Dispatcher::Dispatcher(const DispatchLimits& limits)
    : limits_(limits), bucket_(limits.requests_per_second, 1), multi_(curl_multi_init()) {}

Result<Dispatcher> Dispatcher::open(const ChatEndpoint& endpoint, const DispatchLimits& limits) {
  Dispatcher dispatcher(limits);
  if (!dispatcher.multi_) return Error{"cannot set up libcurl"};
  for (int i = 0; i < limits.concurrency; ++i) {
    std::unique_ptr<Transfer> transfer = Transfer::create(endpoint);
    if (!transfer) return Error{"cannot set up libcurl"};
    dispatcher.transfers_.push_back(std::move(transfer));
  }
  return dispatcher;
}

void Dispatcher::run(std::span<const ChatJob> jobs, const JobDone& done) { Run(*this, jobs, done).all(); }

}  // namespace wend
