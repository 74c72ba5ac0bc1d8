// Reads data and works on it with several threads; what comes of each batch is handed over in the order of the data,
// so that results do not depend on the number of threads.
#ifndef WEND_COMPILER_DRIVER_PIPELINE_H_
#define WEND_COMPILER_DRIVER_PIPELINE_H_

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/data/batch.h"
#include "runtime/data/reader.h"
#include "runtime/result.h"

namespace wend::driver {

// Made by each thread for itself. May take the batch (move it away); otherwise its memory serves the next one.
template <class T>
using Work = std::function<T(std::unique_ptr<Batch>& batch)>;

// Takes results one at a time, in order; false: enough, the rest is not read.
template <class T>
using Accept = std::function<bool(T&& result)>;

template <class T>
class Pipeline {
 public:
  Pipeline(Reader& reader, std::function<Work<T>()> make_work, Accept<T> accept)
      : reader_(reader), make_work_(std::move(make_work)), accept_(std::move(accept)) {}

  // Called with the number of bytes done, from time to time.
  void on_progress(std::function<void(uint64_t)> progress) { progress_ = std::move(progress); }

  // Fails where a file cannot be read, or on the first bad record if the reader is strict. What was skipped is in
  // report().
  Result<void> run(unsigned threads) {
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back([this] { guarded_work(); });
    guarded_work();
    for (std::thread& thread : others) thread.join();
    if (exception_) std::rethrow_exception(exception_);
    if (error_) return *error_;
    return {};
  }

  const ReadReport& report() const { return report_; }

 private:
  struct Finished {
    std::optional<T> result;  // none: `error`
    ReadReport report;
    std::optional<Error> error;
  };
  static constexpr uint64_t kAhead = 16;  // batches that may be finished before their turn

  void guarded_work() {
    try {
      work();
    } catch (...) {
      std::lock_guard lock(done_mutex_);
      if (!exception_) exception_ = std::current_exception();
      stopped_ = true;
      turn_.notify_all();
    }
  }

  void work() {
    Work<T> work = make_work_();
    auto batch = std::make_unique<Batch>();
    RecordChunk chunk;
    while (std::optional<uint64_t> number = take(chunk)) {
      Finished finished;
      if (!batch) batch = std::make_unique<Batch>();
      Result<void> parsed = reader_.parse(chunk, *batch, finished.report);
      if (parsed) {
        finished.result = work(batch);
      } else {
        finished.error = parsed.error();
      }
      hand_over(*number, std::move(finished));
    }
  }

  // The next chunk's number, or nothing at the end.
  std::optional<uint64_t> take(RecordChunk& chunk) {
    {
      std::unique_lock lock(done_mutex_);
      turn_.wait(lock, [this] { return stopped_ || taken_ < next_ + kAhead; });
      if (stopped_) return std::nullopt;
    }
    std::lock_guard lock(read_mutex_);
    if (ended_) return std::nullopt;
    Result<bool> more = reader_.next_chunk(chunk);
    if (more && *more) return taken_++;
    ended_ = true;
    if (!more) {
      Finished failed;
      failed.error = more.error();
      hand_over(taken_++, std::move(failed));
    }
    return std::nullopt;
  }

  void hand_over(uint64_t number, Finished finished) {
    std::lock_guard lock(done_mutex_);
    waiting_.emplace(number, std::move(finished));
    while (!stopped_ && !waiting_.empty() && waiting_.begin()->first == next_) {
      Finished first = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      ++next_;
      report_.merge(first.report);
      if (first.error) {
        error_ = first.error;
        stopped_ = true;
      } else if (first.result && !accept_(std::move(*first.result))) {
        stopped_ = true;
      }
      if (progress_) progress_(report_.bytes);
    }
    turn_.notify_all();
  }

  Reader& reader_;
  std::function<Work<T>()> make_work_;
  Accept<T> accept_;
  std::function<void(uint64_t)> progress_;

  std::mutex read_mutex_;
  bool ended_ = false;
  std::atomic<uint64_t> taken_{0};

  std::mutex done_mutex_;
  std::condition_variable turn_;
  std::map<uint64_t, Finished> waiting_;
  uint64_t next_ = 0;
  std::atomic<bool> stopped_{false};
  ReadReport report_;
  std::optional<Error> error_;
  std::exception_ptr exception_;
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_PIPELINE_H_
