// The settings of params that `wend tune` tries: grids, their product, and random samples.
#ifndef WEND_COMPILER_DRIVER_SETTINGS_H_
#define WEND_COMPILER_DRIVER_SETTINGS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/program.h"
#include "runtime/result.h"

namespace wend::driver {

struct SettingOptions {
  std::vector<std::string> grid;  // NAME=a,b,c or NAME=lo..hi:steps; several are multiplied
  uint64_t random = 0;            // that many samples
  uint64_t seed = 0;
  std::vector<std::string> vary;  // what random samples change: NAME=lo..hi, NAME=a,b,c or NAME (its whole range)
};

struct Settings {
  std::vector<uint32_t> varied;             // params that differ between settings, ascending
  std::vector<std::vector<double>> values;  // of all params, by setting
};

// At most that many; more is a mistake.
inline constexpr uint64_t kMaxSettings = 1'000'000;

// Settings around `base`. Random samples without `vary` change every number param whose range is bounded.
Result<Settings> make_settings(const ProgramInfo& info, std::span<const double> base, const SettingOptions& options);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_SETTINGS_H_
