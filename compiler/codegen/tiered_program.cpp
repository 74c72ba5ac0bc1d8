#include "compiler/codegen/tiered_program.h"

namespace wend::codegen {

TieredProgram::TieredProgram(std::shared_ptr<const Program> first, Improve improve, std::chrono::nanoseconds patience)
    : first_(std::move(first)), improve_(std::move(improve)), patience_(patience.count()), current_(first_.get()) {
  info_ = first_->info();
  tables_ = {first_->param_defaults(),  first_->literals(),      first_->memo(),
             first_->signal_requires(), first_->term_requires(), first_->reward_terms()};
}

TieredProgram::~TieredProgram() {
  if (thread_.joinable()) thread_.join();
}

void TieredProgram::start() const {
  std::call_once(started_, [this] {
    thread_ = std::thread([this] {
      auto better = improve_();
      if (!better) return;
      better_ = *better;
      current_.store(better_.get(), std::memory_order_release);
    });
  });
}

template <class Call>
void TieredProgram::run(const Call& call) const {
  using Clock = std::chrono::steady_clock;
  const Program* program = current_.load(std::memory_order_acquire);
  if (program != first_.get()) return call(*program);
  const Clock::time_point begin = Clock::now();
  call(*program);
  const int64_t took = std::chrono::nanoseconds(Clock::now() - begin).count();
  if (spent_.fetch_add(took, std::memory_order_relaxed) + took >= patience_) start();
}

void TieredProgram::requests(const wend_context& context, uint32_t begin, uint32_t end, uint8_t* asks) const {
  run([&](const Program& program) { program.requests(context, begin, end, asks); });
}
void TieredProgram::prepare(const wend_context& context, uint32_t begin, uint32_t end) const {
  run([&](const Program& program) { program.prepare(context, begin, end); });
}
void TieredProgram::signals(const wend_context& context, uint32_t begin, uint32_t end, double* out) const {
  run([&](const Program& program) { program.signals(context, begin, end, out); });
}
void TieredProgram::reward(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals,
                           double* terms, uint32_t* status) const {
  run([&](const Program& program) { program.reward(context, reward, begin, end, totals, terms, status); });
}
void TieredProgram::attribute(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end,
                              double* totals, double* terms, uint32_t* status) const {
  run([&](const Program& program) { program.attribute(context, reward, begin, end, totals, terms, status); });
}
void TieredProgram::metrics(const double* params, const double* sums, double* value, uint8_t* valid) const {
  run([&](const Program& program) { program.metrics(params, sums, value, valid); });
}
void TieredProgram::begin(const wend_context& context, const wend_engine& engine, uint32_t belief) const {
  run([&](const Program& program) { program.begin(context, engine, belief); });
}
void TieredProgram::on(const wend_context& context, const wend_engine& engine, uint32_t belief, uint32_t event) const {
  run([&](const Program& program) { program.on(context, engine, belief, event); });
}
void TieredProgram::render(const wend_context& context, uint32_t render, wend_output& output) const {
  run([&](const Program& program) { program.render(context, render, output); });
}
bool TieredProgram::context(const wend_context& context, const wend_engine& engine, uint32_t which) const {
  bool done = false;
  run([&](const Program& program) { done = program.context(context, engine, which); });
  return done;
}

}  // namespace wend::codegen
