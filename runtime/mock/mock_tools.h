// Tools that only pretend, for rollouts: stateful within a dialogue, and as strict as real ones or as forgiving as the
// paper's (App. G.1). What is expected is answered as recorded; everything else is made up from the schemas.
#ifndef WEND_RUNTIME_MOCK_MOCK_TOOLS_H_
#define WEND_RUNTIME_MOCK_MOCK_TOOLS_H_

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/synth/world.h"
#include "runtime/tools/pool.h"

namespace wend::mock {

enum class Strictness : uint8_t {
  strict,     // what a real API refuses is refused
  forgiving,  // only unknown tools and undeclared parameters are
};

// Why a call is refused.
enum class Refusal : uint8_t {
  none,
  malformed,  // the arguments are no JSON object
  unknown_tool,
  undeclared_parameter,
  missing_parameter,
  wrong_type,
  bad_choice,  // not one of the `enum`, or outside of `minimum` and `maximum`
  unknown_id,  // an id that nothing has returned and nobody has said
};
inline constexpr size_t kRefusals = 8;
std::string_view name_of(Refusal refusal);

struct Reply {
  std::string text;  // JSON: what the tool returns, or {"error": {"code", "message"}}
  bool error = false;
  Refusal would_refuse = Refusal::none;  // what a real API would say
  bool expected = false;                 // answered as recorded
};

// One dialogue. Not to be shared by threads; the pool may be.
class MockTools {
 public:
  MockTools(const tools::Pool& pool, Strictness strictness, uint64_t seed)
      : pool_(pool), strictness_(strictness), world_(pool, seed) {}

  // A call that is expected, and what it returned when it was recorded. Arguments are a JSON object; equal calls are
  // answered in the order in which they were announced, the last one from then on.
  void expect(std::string_view tool, std::string_view arguments, std::string_view result);
  // What the user or the system says: ids in it are known.
  void hear(std::string_view text) { heard_ += std::string(text) + "\n"; }

  Reply call(std::string_view tool, std::string_view arguments);

  // Of all calls so far, how many a real API would have refused, by cause; at `none` those that it would not.
  const std::array<uint64_t, kRefusals>& counts() const { return counts_; }

 private:
  struct Expected {
    std::string tool;
    nlohmann::json arguments;
    std::string result;
    bool used = false;
  };

  Refusal check(uint32_t tool, const nlohmann::json& arguments, std::string& cause) const;
  Refusal check_value(const tools::Parameter& parameter, const nlohmann::json& value, std::string& cause) const;
  Expected* find_expected(std::string_view tool, const nlohmann::json& arguments);

  const tools::Pool& pool_;
  Strictness strictness_;
  synth::World world_;
  std::vector<Expected> expected_;
  std::string heard_;
  std::array<uint64_t, kRefusals> counts_{};
};

}  // namespace wend::mock

#endif  // WEND_RUNTIME_MOCK_MOCK_TOOLS_H_
