// Blocks: a render is run in full, then under more and more limits until it meets its budget (docs/belief.md).
#include <limits>
#include <type_traits>

#include "runtime/belief/dialogue.h"
#include "runtime/belief/engine.h"
#include "runtime/belief/state.h"
#include "runtime/data/number.h"

namespace wend::belief {
namespace {

constexpr uint32_t kAll = std::numeric_limits<uint32_t>::max();

// The limits that are set, one after the other, each for all sub-blocks that may be shortened before the next.
struct Step {
  uint32_t wend_limit::* what;
  uint32_t most;
};
constexpr Step kSteps[] = {{&wend_limit::text, 160},
                           {&wend_limit::items, 16},
                           {&wend_limit::text, 60},
                           {&wend_limit::items, 4},
                           {&wend_limit::items, 0}};

// An output whose bytes are those of a string.
struct Output {
  wend_output seam{};
  std::string* text;

  Output(Rendered& out, const wend_limit* limits) : text(&out.text) {
    text->resize(text->capacity());
    seam = {text->data(), 0, text->size(), &grow, out.blocks.data(), limits, &real};
  }

  static Output& of(wend_output* output) { return *reinterpret_cast<Output*>(output); }
  static void grow(wend_output* output, size_t more) {
    std::string& text = *of(output).text;
    text.resize(2 * text.size() + more);
    output->data = text.data();
    output->capacity = text.size();
  }
  static void real(wend_output* output, double value) {
    std::string digits;
    append_real(value, digits);
    if (output->size + digits.size() > output->capacity) grow(output, digits.size());
    digits.copy(output->data + output->size, digits.size());
    output->size += digits.size();
  }
};
static_assert(std::is_standard_layout_v<Output>);

// Sub-blocks in the order in which they are shortened.
std::vector<uint32_t> shortening(const RenderInfo& info) {
  std::vector<uint32_t> order;
  for (uint32_t place = 0; place < info.blocks.size(); ++place) {
    for (uint32_t block = 0; block < info.blocks.size(); ++block) {
      if (info.blocks[block].order == place) order.push_back(block);
    }
  }
  return order;
}

}  // namespace

void Dialogue::render(uint32_t render, Rendered& out) const {
  const Program& program = state_->engine->program();
  const RenderInfo& info = program.info().renders[render];
  const Workspaces::Lease lease = state_->engine->impl().workspaces.take();
  std::vector<wend_limit>& limits = (*lease).limits;
  limits.assign(info.blocks.size(), {kAll, kAll});
  out.blocks.assign(info.blocks.size(), {0, 0});
  out.shortened = false;
  const auto write = [&] {
    Output output(out, limits.data());
    program.render(state_->context(), render, output.seam);
    out.text.resize(output.seam.size);
  };
  const auto fits = [&] {
    if (info.budget == 0) return true;
    const auto& tokens = state_->options.tokens;
    const size_t size = !info.tokens ? out.text.size() : tokens ? tokens(out.text) : (out.text.size() + 3) / 4;
    return size <= info.budget;
  };
  write();
  out.over_budget = !fits();
  if (!out.over_budget) return;
  const std::vector<uint32_t> order = shortening(info);
  for (const Step& step : kSteps) {
    for (uint32_t block : order) {
      limits[block].*step.what = step.most;
      write();
      out.shortened = true;
      out.over_budget = !fits();
      if (!out.over_budget) return;
    }
  }
}

}  // namespace wend::belief
