// The same work on many items, by several threads.
#ifndef WEND_COMPILER_DRIVER_PARALLEL_H_
#define WEND_COMPILER_DRIVER_PARALLEL_H_

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace wend::driver {

// Calls make() once in each thread, and what it returns with each of 0..n-1, in no particular order.
template <class Make>
void parallel_for(size_t n, unsigned threads, const Make& make) {
  std::atomic<size_t> next{0};
  std::exception_ptr exception;
  std::mutex mutex;
  auto work = [&] {
    try {
      auto one = make();
      for (size_t i = next++; i < n; i = next++) one(i);
    } catch (...) {
      std::lock_guard lock(mutex);
      if (!exception) exception = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads && i < n; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  if (exception) std::rethrow_exception(exception);
}

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_PARALLEL_H_
