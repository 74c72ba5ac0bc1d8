// What tools return, made up: conforming to their schemas, the same for the same call, and consistent within a
// dialogue. An argument comes back under its name; what a call says of an id ("booking_id") is kept and comes back with
// it, and a later call that says otherwise changes it.
#ifndef WEND_RUNTIME_SYNTH_WORLD_H_
#define WEND_RUNTIME_SYNTH_WORLD_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/tools/pool.h"

namespace wend::synth {

// An argument as it is given; the name need not be declared.
struct Given {
  std::string_view name;
  const tools::Value* value = nullptr;
};

class World {
 public:
  World(const tools::Pool& pool, uint64_t seed) : pool_(pool), seed_(seed) {}

  // By field of the tool's returns.
  std::vector<tools::Value> call(uint32_t tool, const std::vector<Given>& args);
  // Whether a call has returned or taken this id.
  bool knows(const tools::Value& id) const { return facts_.contains(id.json); }

 private:
  using Facts = std::vector<std::pair<std::string, tools::Value>>;

  const tools::Pool& pool_;
  uint64_t seed_;
  std::map<std::string, Facts, std::less<>> facts_;  // by id, as JSON
};

// {"field": value, ...}, or the value alone where the tool returns no object; without a known return, a short receipt.
std::string result_text(const tools::PoolTool& tool, const std::vector<tools::Value>& returned);

}  // namespace wend::synth

#endif  // WEND_RUNTIME_SYNTH_WORLD_H_
