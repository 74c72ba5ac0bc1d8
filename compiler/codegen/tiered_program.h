// A program that gets faster: starts with code that was quick to make, and is replaced when that has run for a while.
#ifndef WEND_COMPILER_CODEGEN_TIERED_PROGRAM_H_
#define WEND_COMPILER_CODEGEN_TIERED_PROGRAM_H_

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "runtime/program.h"
#include "runtime/result.h"

namespace wend::codegen {

class TieredProgram final : public Program {
 public:
  // Time spent in the first code before the better one is made: a run that ends sooner would only wait for it.
  static constexpr std::chrono::milliseconds kPatience{100};

  using Improve = std::function<Result<std::shared_ptr<const Program>>()>;
  // `improve` makes the same program, with the same tables; it is called once at most, on another thread. If it fails
  // the first code stays.
  TieredProgram(std::shared_ptr<const Program> first, Improve improve, std::chrono::nanoseconds patience = kPatience);
  // Waits for a compilation that is under way.
  ~TieredProgram() override;

  bool improved() const { return current_.load(std::memory_order_acquire) != first_.get(); }

  void requests(const wend_context& context, uint32_t begin, uint32_t end, uint8_t* asks) const override;
  void prepare(const wend_context& context, uint32_t begin, uint32_t end) const override;
  void signals(const wend_context& context, uint32_t begin, uint32_t end, double* out) const override;
  void reward(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals, double* terms,
              uint32_t* status) const override;
  void attribute(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals,
                 double* terms, uint32_t* status) const override;
  void metrics(const double* params, const double* sums, double* value, uint8_t* valid) const override;
  void begin(const wend_context& context, const wend_engine& engine, uint32_t belief) const override;
  void on(const wend_context& context, const wend_engine& engine, uint32_t belief, uint32_t event) const override;
  void render(const wend_context& context, uint32_t render, wend_output& output) const override;
  bool context(const wend_context& context, const wend_engine& engine, uint32_t which) const override;

 private:
  template <class Call>
  void run(const Call& call) const;
  void start() const;

  std::shared_ptr<const Program> first_;
  Improve improve_;
  const int64_t patience_;

  // What the calls, which are const for their callers, change behind the scenes.
  mutable std::atomic<const Program*> current_;
  mutable std::atomic<int64_t> spent_{0};  // nanoseconds in the first code, over all threads
  mutable std::once_flag started_;
  mutable std::shared_ptr<const Program> better_;  // written by the thread before current_
  mutable std::thread thread_;
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_TIERED_PROGRAM_H_
