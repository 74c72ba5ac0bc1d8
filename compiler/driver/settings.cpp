#include "compiler/driver/settings.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <set>

namespace wend::driver {
namespace {

struct Assignment {
  uint32_t param = 0;
  std::string text;  // what is right of `=`, empty without one
};

Result<Assignment> split(const ProgramInfo& info, const std::string& text) {
  const size_t equals = text.find('=');
  Result<uint32_t> param = info.find_param(text.substr(0, equals));
  if (!param) return param.error();
  return Assignment{*param, equals == std::string::npos ? "" : text.substr(equals + 1)};
}

Result<double> number(const ParamInfo& param, std::string_view text) { return parse_param(param, text); }

// The ends of "lo..hi"; false if the text has no "..".
bool is_interval(const std::string& text) { return text.find("..") != std::string::npos; }

struct Interval {
  double low = 0, high = 0;
  std::string rest;  // behind `:`
};

Result<Interval> interval(const ParamInfo& param, const std::string& text) {
  const size_t dots = text.find(".."), colon = text.find(':', dots);
  Interval result;
  Result<double> low = number(param, text.substr(0, dots));
  if (!low) return low.error();
  Result<double> high = number(param, text.substr(dots + 2, colon == std::string::npos ? colon : colon - dots - 2));
  if (!high) return high.error();
  if (*high < *low) return Error{fmt::format("the interval `{}` of `{}` is empty", text, param.qualified)};
  return Interval{*low, *high, colon == std::string::npos ? "" : text.substr(colon + 1)};
}

Result<std::vector<double>> listed(const ParamInfo& param, const std::string& text) {
  std::vector<double> values;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    Result<double> value = number(param, text.substr(begin, comma - begin));
    if (!value) return value.error();
    values.push_back(*value);
    begin = comma + 1;
  }
  return values;
}

// The values of one --grid.
Result<std::vector<double>> grid_values(const ParamInfo& param, const std::string& text) {
  if (text.empty()) return Error{fmt::format("--grid needs {}=a,b,c or {}=lo..hi:steps", param.name, param.name)};
  if (!is_interval(text)) return listed(param, text);
  Result<Interval> ends = interval(param, text);
  if (!ends) return ends.error();
  uint64_t steps = 0;
  const std::string& rest = ends->rest;
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), steps);
  if (error != std::errc() || end != rest.data() + rest.size() || steps < 1 || steps > kMaxSettings) {
    return Error{
        fmt::format("--grid {}={} needs a number of steps: {}..{}:11", param.name, text, ends->low, ends->high)};
  }
  std::vector<double> values;
  for (uint64_t i = 0; i < steps; ++i) {
    const double share = steps == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(steps - 1);
    const double value = i + 1 == steps && steps > 1 ? ends->high : ends->low + share * (ends->high - ends->low);
    if (param.type == "int" && value != std::floor(value)) {
      return Error{
          fmt::format("param `{}` takes whole numbers: {} steps do not divide {}", param.qualified, steps, text)};
    }
    values.push_back(value);
  }
  return values;
}

// What a random sample may give a param: one of `values`, or a number between low and high.
struct Choice {
  uint32_t param = 0;
  std::vector<double> values;
  double low = 0, high = 0;
  bool whole = false;
};

Result<Choice> choice(const ProgramInfo& info, const std::string& text) {
  Result<Assignment> part = split(info, text);
  if (!part) return part.error();
  const ParamInfo& param = info.params[part->param];
  Choice result{part->param, {}, param.low, param.high, param.type == "int"};
  if (part->text.empty()) {
    if (param.type == "bool") result.values = {0, 1};
    for (size_t i = 0; i < param.labels.size(); ++i) result.values.push_back(static_cast<double>(i));
    if (result.values.empty() && !(std::isfinite(param.low) && std::isfinite(param.high))) {
      return Error{fmt::format("param `{}` has no bounded range: give one, --vary {}=lo..hi", param.qualified, text)};
    }
    return result;
  }
  if (is_interval(part->text)) {
    Result<Interval> ends = interval(param, part->text);
    if (!ends) return ends.error();
    if (!ends->rest.empty()) return Error{fmt::format("--vary takes {}=lo..hi, without steps", param.name)};
    result.low = ends->low;
    result.high = ends->high;
    return result;
  }
  Result<std::vector<double>> values = listed(param, part->text);
  if (!values) return values.error();
  result.values = *values;
  return result;
}

Result<std::vector<Choice>> choices(const ProgramInfo& info, const std::vector<std::string>& vary) {
  std::vector<Choice> result;
  for (const std::string& text : vary) {
    Result<Choice> one = choice(info, text);
    if (!one) return one.error();
    result.push_back(*one);
  }
  if (!vary.empty()) return result;
  for (uint32_t i = 0; i < info.params.size(); ++i) {
    const ParamInfo& param = info.params[i];
    if (param.structural || !std::isfinite(param.low) || !std::isfinite(param.high)) continue;
    result.push_back({i, {}, param.low, param.high, param.type == "int"});
  }
  if (result.empty()) return Error{"no number param has a bounded range: name what to vary, --vary NAME=lo..hi"};
  return result;
}

// The number `index` of stream `seed`, the same on every machine (splitmix64 of their mixture).
double uniform(uint64_t seed, uint64_t index) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + (index + 1) * 0xD1B54A32D192ED03u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

double draw(const Choice& from, double u) {
  if (!from.values.empty()) return from.values[static_cast<size_t>(u * static_cast<double>(from.values.size()))];
  if (from.whole) return std::min(from.high, from.low + std::floor(u * (from.high - from.low + 1)));
  return from.low + u * (from.high - from.low);
}

Result<void> add_grid(const ProgramInfo& info, std::span<const double> base, const std::vector<std::string>& grid,
                      std::set<uint32_t>& varied, Settings& settings) {
  std::vector<std::vector<double>> made = {{base.begin(), base.end()}};
  for (const std::string& text : grid) {
    Result<Assignment> part = split(info, text);
    if (!part) return part.error();
    if (!varied.insert(part->param).second) {
      return Error{fmt::format("--grid names `{}` twice", info.params[part->param].qualified)};
    }
    Result<std::vector<double>> values = grid_values(info.params[part->param], part->text);
    if (!values) return values.error();
    if (made.size() * values->size() > kMaxSettings) {
      return Error{fmt::format("the grid has more than {} settings", kMaxSettings)};
    }
    std::vector<std::vector<double>> product;
    for (const std::vector<double>& setting : made) {
      for (double value : *values) {
        product.push_back(setting);
        product.back()[part->param] = value;
      }
    }
    made = std::move(product);
  }
  settings.values.insert(settings.values.end(), made.begin(), made.end());
  return {};
}

}  // namespace

Result<Settings> make_settings(const ProgramInfo& info, std::span<const double> base, const SettingOptions& options) {
  Settings settings;
  std::set<uint32_t> varied;
  if (!options.grid.empty()) {
    Result<void> added = add_grid(info, base, options.grid, varied, settings);
    if (!added) return added.error();
  }
  if (options.random > 0) {
    if (settings.values.size() + options.random > kMaxSettings) {
      return Error{fmt::format("that are more than {} settings", kMaxSettings)};
    }
    Result<std::vector<Choice>> drawn = choices(info, options.vary);
    if (!drawn) return drawn.error();
    for (const Choice& one : *drawn) varied.insert(one.param);
    for (uint64_t i = 0; i < options.random; ++i) {
      settings.values.emplace_back(base.begin(), base.end());
      for (size_t k = 0; k < drawn->size(); ++k) {
        settings.values.back()[(*drawn)[k].param] = draw((*drawn)[k], uniform(options.seed, i * drawn->size() + k));
      }
    }
  } else if (!options.vary.empty()) {
    return Error{"--vary says what --random changes: give --random N as well"};
  }
  if (settings.values.empty()) return Error{"nothing to try: give --grid NAME=lo..hi:steps or --random N"};
  settings.varied.assign(varied.begin(), varied.end());
  return settings;
}

}  // namespace wend::driver
