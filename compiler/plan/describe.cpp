// The program's description (JSON) and its fingerprint.
#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "compiler/plan/plan.h"
#include "compiler/plan/sha256.h"

namespace wend::plan {
namespace {

using Json = nlohmann::ordered_json;

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json describe_param(const ParamInfo& param) {
  return {{"name", param.name},         {"qualified", param.qualified},
          {"type", param.type},         {"labels", param.labels},
          {"default", param.fallback},  {"low", finite(param.low)},
          {"high", finite(param.high)}, {"doc", param.doc},
          {"place", param.place},       {"structural", param.structural}};
}

// Indices of the signals whose sums are read below `root`.
void collect_signals(const Plan& plan, NodeId root, std::set<NodeId>& seen, std::set<uint32_t>& signals) {
  if (root == kNoNode || !seen.insert(root).second) return;
  const Node& node = plan.node(root);
  if (node.op == Op::signal_sum) signals.insert(static_cast<uint32_t>(node.integer));
  for (NodeId child : node.children) collect_signals(plan, child, seen, signals);
}

Json describe_metric(const Plan& plan, const Metric& metric) {
  std::set<NodeId> seen;
  std::set<uint32_t> signals;
  collect_signals(plan, metric.value, seen, signals);
  collect_signals(plan, metric.defined, seen, signals);
  return {{"name", metric.name},
          {"doc", metric.doc},
          {"place", metric.place},
          {"percent", metric.percent},
          {"requires", metric.requirements},
          {"signals", signals}};
}

Json describe_term(const Term& term, const char* kind) {
  return {{"kind", kind},
          {"layer", term.layer},
          {"name", term.name},
          {"doc", term.doc},
          {"place", term.place},
          {"text", term.text},
          {"requires", term.requirements}};
}

Json describe_reward(const Reward& reward) {
  Json layers = Json::array(), terms = Json::array();
  for (const Layer& layer : reward.layers) layers.push_back({{"name", layer.name}, {"supervises", layer.supervises}});
  for (const Term& stop : reward.stops) terms.push_back(describe_term(stop, "stop"));
  for (const Term& term : reward.terms) terms.push_back(describe_term(term, "term"));
  if (reward.clamp_low != kNoNode) {
    Term clamp;
    clamp.name = "clamp";
    clamp.place = reward.place;
    terms.push_back(describe_term(clamp, "clamp"));
  }
  const bool limited = reward.judge_limit != 0xFFFFFFFFu;
  return {{"name", reward.name}, {"doc", reward.doc}, {"place", reward.place},
          {"layers", layers},    {"terms", terms},    {"judge_limit", limited ? Json(reward.judge_limit) : Json()}};
}

Json describe_judge(const Judge& judge) {
  return {{"name", judge.name},
          {"system", judge.system},
          {"prompt", judge.prompt},
          {"holes", judge.holes.size()},
          {"requires", judge.requirements}};
}

// Names of FieldKind.
constexpr const char* kFieldKinds[] = {"slots", "goal", "stack", "last", "queue",      "objects", "bool",  "label",
                                       "int",   "real", "text",  "json", "references", "texts",   "values"};

Json describe_belief(const Belief& belief) {
  Json fields = Json::array();
  for (const BeliefFieldInfo& field : belief.fields) {
    fields.push_back({{"name", field.name},
                      {"doc", field.doc},
                      {"kind", kFieldKinds[static_cast<size_t>(field.kind)]},
                      {"labels", field.labels}});
  }
  return {{"name", belief.name}, {"doc", belief.doc}, {"place", belief.place}, {"fields", fields}};
}

Json describe_cues(const CuesInfo& cues) {
  Json phrases = Json::array();
  for (const CueInfo& cue : cues.cues) {
    phrases.push_back({{"words", cue.words}, {"label", cue.label}, {"weight", cue.weight}, {"param", cue.param}});
  }
  return {{"enum", cues.enumeration}, {"labels", cues.labels}, {"cues", phrases}};
}

Json describe_render(const Render& render) {
  Json blocks = Json::array();
  for (const RenderBlockInfo& block : render.blocks) blocks.push_back({{"name", block.name}, {"order", block.order}});
  return {{"name", render.name}, {"doc", render.doc},       {"place", render.place},   {"belief", render.belief},
          {"xml", render.xml},   {"budget", render.budget}, {"tokens", render.tokens}, {"blocks", blocks}};
}

// Names of ContextStepKind and UpdatePolicy.
constexpr const char* kContextSteps[] = {"history_all",  "history_none", "history_current_turn",
                                         "history_last", "draft",        "render",
                                         "inject",       "update",       "instruct",
                                         "carry",        "compress"};
constexpr const char* kUpdatePolicies[] = {"accumulate", "last_only", "first_only"};

Json describe_context(const ContextInfo& context) {
  Json params = Json::array(), steps = Json::array();
  for (const ContextParamInfo& p : context.params)
    params.push_back({{"name", p.name}, {"type", p.type}, {"default", p.fallback}});
  for (const ContextStepInfo& s : context.steps) {
    steps.push_back({{"kind", kContextSteps[static_cast<size_t>(s.kind)]},
                     {"render", s.render},
                     {"prompt", s.prompt},
                     {"into_system", s.into_system},
                     {"policy", kUpdatePolicies[static_cast<size_t>(s.policy)]},
                     {"text", s.text},
                     {"author", s.author}});
  }
  return {{"name", context.name},   {"module", context.module}, {"doc", context.doc},
          {"place", context.place}, {"params", params},         {"steps", steps}};
}

// Everything in a fixed byte form, lengths before contents, so that different plans have different bytes.
class Bytes {
 public:
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  void add(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add(const std::string& text) {
    add(uint64_t{text.size()});
    bytes_ += text;
  }
  template <class T>
  void add(const std::vector<T>& items) {
    add(uint64_t{items.size()});
    for (const T& item : items) add(item);
  }
  template <class A, class B>
  void add(const std::pair<A, B>& pair) {
    add(pair.first);
    add(pair.second);
  }
  void add(const Node& node) {
    add(node.op), add(node.type), add(node.index_type);
    add(node.column), add(node.table), add(node.integer), add(node.real);
    add(node.children);
  }
  void add(const Column& column) {
    add(column.table), add(column.type), add(column.subject), add(column.body), add(column.late), add(column.gold);
  }
  void add(const Pass& pass) { add(pass.table), add(pass.gold), add(pass.late), add(pass.columns); }
  void add(const Signal& signal) { add(signal.value), add(signal.requirements); }
  void add(const Metric& metric) { add(metric.value), add(metric.defined), add(metric.requirements); }
  void add(const Layer& layer) { add(layer.weight); }
  void add(const Term& term) {
    add(term.requirements), add(term.raw), add(term.weighted), add(term.evidence), add(term.condition);
  }
  void add(const Reward& reward) {
    add(reward.layers), add(reward.stops), add(reward.terms), add(reward.clamp_low), add(reward.clamp_high);
  }
  void add(const Instruction& i) {
    add(i.kind), add(i.effect), add(i.field), add(i.put), add(i.type), add(i.variable), add(i.second), add(i.integer);
    add(i.args), add(i.body), add(i.otherwise);
  }
  void add(const Belief& belief) {
    add(belief.begin);
    for (const Procedure& handler : belief.handlers) add(handler);
  }
  void add(const Render& render) { add(render.body), add(uint64_t{render.blocks.size()}); }
  void add(const Context& context) { add(context.body); }
  void add(const Judge& judge) { add(judge.asked), add(judge.subject), add(judge.holes), add(judge.requirements); }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace

// {
//   "name": "iacm.reward", "hash": fingerprint,
//   "params":  [{"name", "qualified", "type", "labels": [..], "default", "low", "high" (null: unbounded), "doc",
//   "place",
//                "structural"}],
//   "signals": [{"name", "requires": WEND_CAP_* bits}],
//   "metrics": [{"name", "doc", "place", "percent", "requires", "signals": [indices of the signals it is made of]}],
//   "rewards": [{"name", "doc", "place", "layers": [{"name", "supervises": [..]}],
//                "terms": [{"kind": "stop" | "term" | "clamp", "layer", "name", "doc", "place", "text", "requires"}],
//                "judge_limit" (null: none)}],          terms are in the order of the outputs
//   "judges":  [{"name", "system", "prompt", "holes": count, "requires"}],
//   "beliefs": [{"name", "doc", "place", "fields": [{"name", "doc", "kind", "labels": [..]}]}],
//   "cues":    [{"enum", "labels": [..], "cues": [{"words", "label": index, "weight", "param": index or -1}]}],
//   "classifiers": [{"name", "system", "labels": [..]}],
//   "renders": [{"name", "doc", "place", "belief": index, "xml", "budget", "tokens",
//                "blocks": [{"name", "order": place in the order of shortening or -1}]}],
//   "contexts": [{"name", "module", "doc", "place", "params": [{"name", "type", "default": as written}],
//                 "steps": [{"kind", "render", "prompt", "into_system", "policy", "text", "author"}]}]  ContextStepInfo
// }
std::string metadata(const Plan& plan) {
  Json root = {{"name", plan.name}, {"hash", fingerprint(plan)}};
  for (const char* list : {"params", "signals", "metrics", "rewards", "judges"}) root[list] = Json::array();
  for (const ParamInfo& param : plan.params) root["params"].push_back(describe_param(param));
  for (const Signal& signal : plan.signals) {
    root["signals"].push_back({{"name", signal.name}, {"requires", signal.requirements}});
  }
  for (const Metric& metric : plan.metrics) root["metrics"].push_back(describe_metric(plan, metric));
  for (const Reward& reward : plan.rewards) root["rewards"].push_back(describe_reward(reward));
  for (const Judge& judge : plan.judges) root["judges"].push_back(describe_judge(judge));
  for (const char* list : {"beliefs", "cues", "classifiers", "renders", "contexts"}) root[list] = Json::array();
  for (const Belief& belief : plan.beliefs) root["beliefs"].push_back(describe_belief(belief));
  for (const CuesInfo& cues : plan.cues) root["cues"].push_back(describe_cues(cues));
  for (const ClassifierInfo& c : plan.classifiers) {
    root["classifiers"].push_back({{"name", c.name}, {"system", c.system}, {"labels", c.labels}});
  }
  for (const Render& render : plan.renders) root["renders"].push_back(describe_render(render));
  for (const Context& context : plan.contexts) root["contexts"].push_back(describe_context(context.info));
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string fingerprint(const Plan& plan) {
  Bytes bytes;
  bytes.add(uint32_t{WEND_ABI_VERSION});
  bytes.add(uint32_t{WEND_BATCH_VERSION});
  bytes.add(uint32_t{WEND_N_COLUMNS});
  bytes.add(plan.nodes);
  bytes.add(plan.strings);
  bytes.add(plan.literals);
  bytes.add(uint64_t{plan.params.size()});
  bytes.add(plan.columns);
  bytes.add(plan.passes);
  bytes.add(plan.signals);
  bytes.add(plan.metrics);
  bytes.add(plan.rewards);
  bytes.add(plan.judges);
  bytes.add(plan.beliefs);
  bytes.add(plan.renders);
  bytes.add(plan.contexts);
  bytes.add(plan.trace_variable);
  bytes.add(plan.n_variables);
  return sha256(bytes.bytes());
}

}  // namespace wend::plan
