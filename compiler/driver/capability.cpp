#include "compiler/driver/capability.h"

#include <fmt/format.h>

namespace wend::driver {

std::string capability_text(const ProgramInfo& info, uint32_t bits) {
  static constexpr std::pair<uint32_t, const char*> kNames[] = {
      {WEND_CAP_RESPONSE, "a response of the agent"},
      {WEND_CAP_GOLD, "expected calls"},
      {WEND_CAP_GOLD_TURNS, "expected calls by turn"},
      {WEND_CAP_LABELS, "labels of the turns (kind, signal)"},
      {WEND_CAP_CHAINS, "dependency chains"},
      {WEND_CAP_POOL, "the candidate tools"},
      {WEND_CAP_DRAFTS, "blocks that should have been drafted"},
  };
  std::string text;
  auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  // Who knows the expected calls by turn knows the expected calls: one of the two is enough to say.
  if (bits & WEND_CAP_GOLD_TURNS) bits &= ~static_cast<uint32_t>(WEND_CAP_GOLD);
  for (auto [bit, name] : kNames) {
    if (bits & bit) add(name);
  }
  for (size_t k = 0; k < info.judges.size(); ++k) {
    if (bits & (static_cast<uint32_t>(WEND_CAP_JUDGE0) << k))
      add(fmt::format("an answer of judge {}", info.judges[k].name));
  }
  return text;
}

}  // namespace wend::driver
