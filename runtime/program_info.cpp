// The description of a program, and setting its params by name.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "runtime/program.h"

namespace wend {
namespace {

using Json = nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double number_or(const Json& object, const char* key, double fallback) {
  auto found = object.find(key);
  return found == object.end() || found->is_null() ? fallback : found->get<double>();
}

ParamInfo param_from(const Json& json) {
  ParamInfo param;
  param.name = json.at("name");
  param.qualified = json.at("qualified");
  param.type = json.at("type");
  param.labels = json.at("labels").get<std::vector<std::string>>();
  param.fallback = json.at("default");
  param.low = number_or(json, "low", -kInfinity);
  param.high = number_or(json, "high", kInfinity);
  param.doc = json.at("doc");
  param.place = json.at("place");
  param.structural = json.at("structural");
  return param;
}

MetricInfo metric_from(const Json& json) {
  MetricInfo metric;
  metric.name = json.at("name");
  metric.doc = json.at("doc");
  metric.place = json.at("place");
  metric.percent = json.at("percent");
  metric.requirements = json.at("requires");
  metric.signals = json.at("signals").get<std::vector<uint32_t>>();
  return metric;
}

TermInfo term_from(const Json& json) {
  TermInfo term;
  std::string kind = json.at("kind");
  term.kind = kind == "stop" ? TermKind::stop : kind == "clamp" ? TermKind::clamp : TermKind::term;
  term.layer = json.at("layer");
  term.name = json.at("name");
  term.doc = json.at("doc");
  term.place = json.at("place");
  term.text = json.at("text");
  term.requirements = json.at("requires");
  return term;
}

RewardInfo reward_from(const Json& json) {
  RewardInfo reward;
  reward.name = json.at("name");
  reward.doc = json.at("doc");
  reward.place = json.at("place");
  for (const Json& layer : json.at("layers")) {
    reward.layers.push_back({layer.at("name"), layer.at("supervises").get<std::vector<std::string>>()});
  }
  for (const Json& term : json.at("terms")) reward.terms.push_back(term_from(term));
  if (!json.at("judge_limit").is_null()) reward.judge_limit = json.at("judge_limit");
  return reward;
}

JudgeInfo judge_from(const Json& json) {
  JudgeInfo judge;
  judge.name = json.at("name");
  judge.system = json.at("system");
  judge.prompt = json.at("prompt");
  judge.holes = json.at("holes");
  judge.requirements = json.at("requires");
  return judge;
}

// The value of an enum whose names, in order, are `names`.
template <class Enum, size_t n>
Enum named(const char* const (&names)[n], const std::string& name) {
  return static_cast<Enum>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

FieldKind field_kind(const std::string& name) {
  static constexpr const char* kNames[] = {"slots", "goal", "stack", "last", "queue",      "objects", "bool",  "label",
                                           "int",   "real", "text",  "json", "references", "texts",   "values"};
  return named<FieldKind>(kNames, name);
}

BeliefInfo belief_from(const Json& json) {
  BeliefInfo belief{json.at("name"), json.at("doc"), json.at("place"), {}};
  for (const Json& field : json.at("fields")) {
    belief.fields.push_back({field.at("name"), field.at("doc"), field_kind(field.at("kind")),
                             field.at("labels").get<std::vector<std::string>>()});
  }
  return belief;
}

CuesInfo cues_from(const Json& json) {
  CuesInfo cues{json.at("enum"), json.at("labels").get<std::vector<std::string>>(), {}};
  for (const Json& cue : json.at("cues")) {
    cues.cues.push_back({cue.at("words"), cue.at("label"), cue.at("weight"), cue.at("param")});
  }
  return cues;
}

RenderInfo render_from(const Json& json) {
  RenderInfo render;
  render.name = json.at("name");
  render.doc = json.at("doc");
  render.place = json.at("place");
  render.belief = json.at("belief");
  render.xml = json.at("xml");
  for (const Json& block : json.at("blocks")) render.blocks.push_back({block.at("name"), block.at("order")});
  render.budget = json.at("budget");
  render.tokens = json.at("tokens");
  return render;
}

ContextStepInfo context_step_from(const Json& json) {
  static constexpr const char* kKinds[] = {"history_all",  "history_none", "history_current_turn",
                                           "history_last", "draft",        "render",
                                           "inject",       "update",       "instruct",
                                           "carry",        "compress"};
  static constexpr const char* kPolicies[] = {"accumulate", "last_only", "first_only"};
  ContextStepInfo step;
  step.kind = named<ContextStepKind>(kKinds, json.at("kind"));
  step.render = json.at("render");
  step.prompt = json.at("prompt");
  step.into_system = json.at("into_system");
  step.policy = named<UpdatePolicy>(kPolicies, json.at("policy"));
  step.text = json.at("text");
  step.author = json.at("author");
  return step;
}

ContextInfo context_from(const Json& json) {
  ContextInfo context{json.at("name"), json.at("module"), json.at("doc"), json.at("place"), {}, {}};
  for (const Json& param : json.at("params")) {
    context.params.push_back({param.at("name"), param.at("type"), param.at("default")});
  }
  for (const Json& step : json.at("steps")) context.steps.push_back(context_step_from(step));
  return context;
}

// Levenshtein distance with neighbouring transpositions; names are short.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::string suggestion(std::string_view given, const std::vector<std::string_view>& names) {
  size_t best = std::max<size_t>(1, given.size() / 3) + 1;
  std::string_view nearest;
  for (std::string_view name : names) {
    size_t distance = edit_distance(given, name);
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest.empty() ? "" : fmt::format(" (did you mean `{}`?)", nearest);
}

namespace {

template <class T>
Result<uint32_t> find_by_name(const char* what, const std::vector<T>& items, std::string_view name) {
  std::vector<std::string_view> names;
  for (uint32_t i = 0; i < items.size(); ++i) {
    if (items[i].name == name) return i;
    names.push_back(items[i].name);
  }
  return Error{fmt::format("no {} is called `{}`{}", what, name, suggestion(name, names))};
}

bool ends_with_path(std::string_view qualified, std::string_view name) {
  if (qualified == name) return true;
  return qualified.size() > name.size() && qualified.ends_with(name) &&
         qualified[qualified.size() - name.size() - 1] == '.';
}

std::string range_text(const ParamInfo& param) {
  if (std::isinf(param.low) && std::isinf(param.high)) return "any number";
  if (std::isinf(param.low)) return fmt::format("at most {}", param.high);
  if (std::isinf(param.high)) return fmt::format("at least {}", param.low);
  return fmt::format("{} .. {}", param.low, param.high);
}

template <class Number>
bool read_whole(std::string_view text, Number& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

Result<double> in_range(const ParamInfo& param, double value, std::string_view text) {
  if (value >= param.low && value <= param.high) return value;
  return Error{fmt::format("param `{}` cannot be {}: allowed is {}", param.qualified, text, range_text(param))};
}

}  // namespace

std::string tag_of(std::string_view render) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::string tag;
  for (size_t i = 0; i < render.size(); ++i) {
    if (i > 0 && upper(render[i]) && render[i - 1] != '_' && !upper(render[i - 1])) tag += '_';
    tag += render[i];
  }
  return tag;
}

Result<ProgramInfo> ProgramInfo::parse(std::string_view json) {
  // nlohmann reports wrong shapes by throwing; nothing of it leaves this function.
  try {
    Json root = Json::parse(json);
    ProgramInfo info;
    info.name = root.at("name");
    info.fingerprint = root.at("hash");
    for (const Json& param : root.at("params")) info.params.push_back(param_from(param));
    for (const Json& signal : root.at("signals")) {
      info.signals.push_back({signal.at("name"), signal.at("requires")});
    }
    for (const Json& metric : root.at("metrics")) info.metrics.push_back(metric_from(metric));
    for (const Json& reward : root.at("rewards")) info.rewards.push_back(reward_from(reward));
    for (const Json& judge : root.at("judges")) info.judges.push_back(judge_from(judge));
    for (const Json& belief : root.at("beliefs")) info.beliefs.push_back(belief_from(belief));
    for (const Json& cues : root.at("cues")) info.cues.push_back(cues_from(cues));
    for (const Json& c : root.at("classifiers")) {
      info.classifiers.push_back({c.at("name"), c.at("system"), c.at("labels").get<std::vector<std::string>>()});
    }
    for (const Json& render : root.at("renders")) info.renders.push_back(render_from(render));
    for (const Json& context : root.at("contexts")) info.contexts.push_back(context_from(context));
    return info;
  } catch (const Json::exception& failure) {
    return Error{fmt::format("the program's description cannot be read: {}", failure.what())};
  }
}

Result<uint32_t> ProgramInfo::find_reward(std::string_view reward) const {
  return find_by_name("reward", rewards, reward);
}

Result<uint32_t> ProgramInfo::find_metric(std::string_view metric) const {
  return find_by_name("metric", metrics, metric);
}

Result<uint32_t> ProgramInfo::find_context(std::string_view context) const {
  for (uint32_t i = 0; i < contexts.size(); ++i) {
    if (contexts[i].module + "." + contexts[i].name == context) return i;
  }
  return find_by_name("context", contexts, context);
}

Result<uint32_t> ContextInfo::find_param(std::string_view param) const {
  return find_by_name("parameter of the context", params, param);
}

UpdatePolicy ContextInfo::update() const {
  for (const ContextStepInfo& step : steps) {
    if (step.kind == ContextStepKind::update) return step.policy;
  }
  return UpdatePolicy::accumulate;
}

Result<uint32_t> ProgramInfo::find_param(std::string_view param) const {
  std::vector<uint32_t> matches;
  std::vector<std::string_view> names;
  for (uint32_t i = 0; i < params.size(); ++i) {
    if (params[i].qualified == param) return i;
    if (ends_with_path(params[i].qualified, param)) matches.push_back(i);
    names.push_back(params[i].name);
    names.push_back(params[i].qualified);
  }
  if (matches.size() == 1) return matches[0];
  if (matches.empty()) return Error{fmt::format("no param is called `{}`{}", param, suggestion(param, names))};
  std::vector<std::string> choices;
  for (uint32_t match : matches) choices.push_back("`" + params[match].qualified + "`");
  return Error{fmt::format("`{}` is the name of several params: {}", param, fmt::join(choices, ", "))};
}

Result<double> parse_param(const ParamInfo& param, std::string_view text) {
  if (!param.labels.empty()) {
    auto found = std::find(param.labels.begin(), param.labels.end(), text);
    if (found != param.labels.end()) return static_cast<double>(found - param.labels.begin());
    std::vector<std::string_view> names(param.labels.begin(), param.labels.end());
    return Error{fmt::format("param `{}` is one of {}, not `{}`{}", param.qualified, fmt::join(param.labels, ", "),
                             text, suggestion(text, names))};
  }
  if (param.type == "bool") {
    if (text == "true") return 1.0;
    if (text == "false") return 0.0;
    return Error{fmt::format("param `{}` is true or false, not `{}`", param.qualified, text)};
  }
  if (param.type == "int") {
    int64_t value = 0;
    // Beyond 2^53 a double, which is what the parameter block holds, would change the number.
    bool whole = read_whole(text, value) && std::abs(static_cast<double>(value)) <= 9007199254740992.0;
    if (!whole) return Error{fmt::format("param `{}` is a whole number, not `{}`", param.qualified, text)};
    return in_range(param, static_cast<double>(value), text);
  }
  double value = 0;
  if (!read_whole(text, value) || !std::isfinite(value)) {
    return Error{fmt::format("param `{}` is a number, not `{}`", param.qualified, text)};
  }
  return in_range(param, value, text);
}

Result<void> set_param(const ProgramInfo& info, std::span<double> values, std::string_view name,
                       std::string_view text) {
  Result<uint32_t> index = info.find_param(name);
  if (!index) return index.error();
  Result<double> value = parse_param(info.params[*index], text);
  if (!value) return value.error();
  values[*index] = *value;
  return {};
}

}  // namespace wend
