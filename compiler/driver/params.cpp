#include "compiler/driver/params.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>

namespace wend::driver {
namespace {

// Sets what the map says; the keys of a map inside it continue the name: `iacm: {alpha: 2}` sets iacm.alpha.
Result<void> set_from(const YAML::Node& map, const std::string& prefix, const ProgramInfo& info,
                      std::vector<double>& values) {
  for (const auto& entry : map) {
    if (!entry.first.IsScalar()) return Error{"the names of params must be texts"};
    std::string name = prefix + entry.first.Scalar();
    if (entry.second.IsMap()) {
      Result<void> inner = set_from(entry.second, name + ".", info, values);
      if (!inner) return inner;
    } else if (entry.second.IsScalar()) {
      Result<void> set = set_param(info, values, name, entry.second.Scalar());
      if (!set) return set;
    } else {
      return Error{fmt::format("param `{}` needs one value", name)};
    }
  }
  return {};
}

// JSON is YAML. yaml-cpp reports by throwing; nothing of it leaves this function.
Result<void> set_from_file(const std::string& path, const ProgramInfo& info, std::vector<double>& values) {
  try {
    if (std::filesystem::is_directory(path)) return Error{fmt::format("{} is a folder, not a file of params", path)};
    YAML::Node root = YAML::LoadFile(path);
    if (root.IsNull()) return {};
    if (!root.IsMap()) return Error{fmt::format("{}: expected a map of param names to values", path)};
    Result<void> set = set_from(root, "", info, values);
    return set ? set : Result<void>(Error{fmt::format("{}: {}", path, set.error().message)});
  } catch (const YAML::BadFile&) {
    return Error{fmt::format("cannot read {}", path)};
  } catch (const YAML::Exception& failure) {
    return Error{fmt::format("{}:{}:{}: {}", path, failure.mark.line + 1, failure.mark.column + 1, failure.msg)};
  }
}

}  // namespace

Result<std::vector<double>> param_values(const Program& program, const SpecOptions& options) {
  std::vector<double> values = program.defaults();
  if (!options.set_file.empty()) {
    Result<void> set = set_from_file(options.set_file, program.info(), values);
    if (!set) return set.error();
  }
  for (const std::string& setting : options.sets) {
    size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error{fmt::format("--set needs NAME=VALUE, not `{}`", setting)};
    }
    Result<void> set = set_param(program.info(), values, setting.substr(0, equals), setting.substr(equals + 1));
    if (!set) return set.error();
  }
  return values;
}

std::string param_text(const ParamInfo& param, double value) {
  if (!param.labels.empty()) return param.labels[static_cast<size_t>(value)];
  if (param.type == "bool") return value != 0 ? "true" : "false";
  return fmt::format("{}", value);
}

}  // namespace wend::driver
