#include "compiler/driver/synth_preview.h"

#include <fmt/format.h>

#include <algorithm>

namespace wend::driver {
namespace {

using synth::Call;
using synth::Step;
using synth::Trace;
using synth::Turn;

constexpr const char* kReset = "\033[0m";
constexpr const char* kUser = "\033[1;36m";
constexpr const char* kAgent = "\033[32m";
constexpr const char* kTool = "\033[2m";
constexpr const char* kGold = "\033[33m";

std::string call_text(const Trace& trace, const tools::Pool& pool, uint32_t index) {
  const Call& call = trace.calls[index];
  const tools::PoolTool& tool = pool.tool(call.tool);
  std::string out = tool.name + "(";
  for (size_t a = 0; a < call.args.size(); ++a)
    out += fmt::format("{}{}: {}", a > 0 ? ", " : "", tool.parameters[call.args[a].parameter].name,
                       call.args[a].value.json);
  return out + ")";
}

}  // namespace

std::string preview_of(const Trace& trace, const tools::Pool& pool, size_t candidates, bool color) {
  static constexpr const char* kKinds[] = {"tool", "clarify", "language"};
  static constexpr const char* kSignals[] = {"none", "modified", "interrupted", "reset", "clarify", "accumulate"};
  std::string out;
  const auto line = [&](const char* how, std::string_view who, std::string_view text) {
    out += fmt::format("{}{:<9} {}{}\n", color ? how : "", who, text, color ? kReset : "");
  };
  if (!trace.system.empty()) line(kTool, "system", trace.system);
  for (uint32_t position = 0; position < trace.order.size(); ++position) {
    const Turn& turn = trace.turns[trace.order[position]];
    line(kUser, "user", turn.user);
    std::string expected;
    for (const Step& step : turn.steps) {
      if (!step.text.empty()) line(kAgent, "agent", step.text);
      for (const uint32_t c : step.calls) {
        line(kAgent, "call", call_text(trace, pool, c));
        if (trace.calls[c].expected) expected += (expected.empty() ? "" : ", ") + call_text(trace, pool, c);
      }
      for (const uint32_t c : step.calls) line(kTool, "result", trace.calls[c].result);
    }
    if (!turn.labelled) {
      line(kGold, "  gold", "(cut off: nothing is expected)");
      continue;
    }
    std::string gold = fmt::format("turn {}: {}", position + 1, kKinds[static_cast<size_t>(turn.kind)]);
    if (turn.signal != synth::Signal::none)
      gold += fmt::format(", signal {}", kSignals[static_cast<size_t>(turn.signal)]);
    line(kGold, "  gold", gold);
    if (!expected.empty()) line(kGold, "  calls", expected);
    for (const synth::StaleSlot& slot : turn.stale)
      line(kGold, "  stale",
           fmt::format("{}.{} = {}", pool.tool(slot.tool).name, pool.tool(slot.tool).parameters[slot.parameter].name,
                       slot.value.json));
    if (!turn.missing.empty()) line(kGold, "  missing", fmt::format("{}", fmt::join(turn.missing, ", ")));
    if (!turn.reference.empty()) line(kGold, "  wants", turn.reference);
  }
  return out + fmt::format("{} candidate tools\n", candidates);
}

}  // namespace wend::driver
