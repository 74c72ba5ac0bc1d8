#include "runtime/data/parallel.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace wend {
namespace {

using Work = std::function<Result<InOrder>(Batch& batch, size_t index, unsigned worker)>;

class Pipeline {
 public:
  Pipeline(Reader& reader, unsigned threads, const Work& work)
      : reader_(reader), work_(work), ahead_(4 * static_cast<size_t>(threads)) {}

  // One thread's share: takes chunks until there is none.
  void Run(unsigned worker) {
    RecordChunk chunk;
    Batch batch;
    size_t index = 0;
    while (take(chunk, index)) {
      Done done;
      if (auto parsed = reader_.parse(chunk, batch, done.report); !parsed) {
        done.error = parsed.error();
      } else if (auto worked = work_(batch, index, worker); !worked) {
        done.error = worked.error();
      } else {
        done.step = std::move(*worked);
      }
      Put(index, std::move(done));
    }
  }

  Result<ReadReport> finish() {
    if (error_) return *error_;
    if (failed_read_) return *failed_read_;
    return std::move(report_);
  }

 private:
  struct Done {
    ReadReport report;
    InOrder step;
    std::optional<Error> error;
  };

  // The next chunk and its number. Waits while the others are far behind, so that finished work does not pile up.
  bool take(RecordChunk& chunk, size_t& index) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return stop_ || (!reading_ && next_ < merged_ + ahead_); });
    if (stop_) return false;
    reading_ = true;
    index = next_;
    lock.unlock();
    const auto more = reader_.next_chunk(chunk);
    lock.lock();
    reading_ = false;
    if (more && *more) {
      ++next_;
    } else {
      stop_ = true;
      if (!more) failed_read_ = more.error();
    }
    room_.notify_all();
    return more && *more;
  }

  // Keeps what was done, and runs the steps whose turn has come.
  void Put(size_t index, Done done) {
    std::unique_lock lock(mutex_);
    done_.emplace(index, std::move(done));
    if (merging_) return;
    merging_ = true;
    for (auto it = done_.find(merged_); it != done_.end() && !error_; it = done_.find(merged_)) {
      Done first = std::move(it->second);
      done_.erase(it);
      report_.merge(first.report);
      if (first.error) {
        error_ = first.error;
        stop_ = true;
      } else if (first.step) {
        lock.unlock();
        first.step();
        lock.lock();
      }
      ++merged_;
      room_.notify_all();
    }
    merging_ = false;
  }

  Reader& reader_;
  const Work& work_;
  const size_t ahead_;

  std::mutex mutex_;
  std::condition_variable room_;
  bool reading_ = false, merging_ = false, stop_ = false;
  size_t next_ = 0, merged_ = 0;
  std::map<size_t, Done> done_;
  ReadReport report_;
  std::optional<Error> error_;
  std::optional<Error> failed_read_;  // behind all batches that were handed out
};

}  // namespace

Result<ReadReport> for_each_batch(Reader& reader, unsigned threads, const Work& work) {
  if (threads == 0) threads = 1;
  Pipeline pipeline(reader, threads, work);
  std::vector<std::jthread> others;
  for (unsigned worker = 1; worker < threads; ++worker) {
    others.emplace_back([&pipeline, worker] { pipeline.Run(worker); });
  }
  pipeline.Run(0);
  for (std::jthread& thread : others) thread.join();
  return pipeline.finish();
}

}  // namespace wend
