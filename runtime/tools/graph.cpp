#include "runtime/tools/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wend::tools {
namespace {

using Form = ValueType::Form;

constexpr int kExamples = 3;
constexpr int kTries = 60;

// What is returned as it was given is no new knowledge.
bool echoes(const PoolTool& tool, const Field& field) {
  return tool.find_parameter(field.name) < tool.parameters.size();
}

// By types, names and descriptions.
bool vote_by_schema(const Pool& pool, const Edge& edge, std::string* reason) {
  const PoolTool& from = pool.tool(edge.from);
  const PoolTool& to = pool.tool(edge.to);
  const Field& field = from.returns[edge.field];
  const Parameter& parameter = to.parameters[edge.parameter];
  const auto say = [&](const char* form, const auto&... names) {
    if (reason != nullptr) *reason = fmt::format(fmt::runtime(form), names...);
  };
  if (field.type.form != Form::kind || parameter.type.form != Form::kind || field.type.kind != parameter.type.kind) {
    say("they are values of different kinds");
    return false;
  }
  if (echoes(from, field)) {
    say("`{}` only gives back what it was given as `{}`", from.name, field.name);
    return false;
  }
  const std::string& kind = pool.values().name(field.type.kind);
  if (pool.values().is_id(field.type.kind)) {
    say("both are `{}`", kind);
    return true;
  }
  if (field.name == parameter.name && to.description.find(words_of(field.name)) != std::string::npos) {
    say("both are `{}` called `{}`, and the tool's description names it", kind, field.name);
    return true;
  }
  say("both are `{}`, but that is said of many things", kind);
  return false;
}

// By what an example call returns.
bool vote_by_example(const Pool& pool, const Edge& edge, std::string* reason) {
  const PoolTool& from = pool.tool(edge.from);
  const Field& field = from.returns[edge.field];
  const Parameter& parameter = pool.tool(edge.to).parameters[edge.parameter];
  Random random(seed_of(0, from.name, edge.field));
  std::string example;
  for (int i = 0; i < kExamples; ++i) {
    const Value value = pool.draw(field.type, random);
    example = said(value);
    const bool made = parameter.type.form == Form::kind && value.text() &&
                      (pool.values().makes(parameter.type.kind, example) ||
                       (!pool.values().is_id(parameter.type.kind) && field.type.kind == parameter.type.kind));
    if (made && pool.fits(parameter.type, value)) continue;
    if (reason != nullptr) *reason = fmt::format("`{}` is no value of `{}`", example, parameter.name);
    return false;
  }
  if (reason != nullptr) *reason = fmt::format("`{}` can be given as `{}`", example, parameter.name);
  return true;
}

}  // namespace

Verdict judge_edge(const Pool& pool, const Edge& edge) {
  Verdict out;
  out.by_schema = vote_by_schema(pool, edge, &out.schema_reason);
  out.by_example = vote_by_example(pool, edge, &out.example_reason);
  return out;
}

namespace {

// The edges that `fits` accepts and that example values allow, by the tool that they lead to.
template <class Fits>
std::vector<Edge> collect(const Pool& pool, GraphLimits limits, size_t& left_out, const Fits& fits) {
  // Only values of a kind can be told apart well enough: what returns them, by kind.
  std::map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>> producers;
  for (uint32_t t = 0; t < pool.size(); ++t) {
    const PoolTool& tool = pool.tool(t);
    for (uint32_t f = 0; f < tool.returns.size(); ++f)
      if (tool.returns[f].type.form == Form::kind && !echoes(tool, tool.returns[f]))
        producers[tool.returns[f].type.kind].emplace_back(t, f);
  }
  std::vector<Edge> edges;
  for (uint32_t t = 0; t < pool.size(); ++t) {
    const PoolTool& tool = pool.tool(t);
    for (uint32_t p = 0; p < tool.parameters.size(); ++p) {
      if (tool.parameters[p].type.form != Form::kind) continue;
      const auto found = producers.find(tool.parameters[p].type.kind);
      if (found == producers.end()) continue;
      uint32_t kept = 0;
      for (const bool same_category : {true, false}) {
        for (const auto& [from, field] : found->second) {
          const Edge edge{from, field, t, p};
          if ((pool.tool(from).category == tool.category) != same_category || from == t || !fits(edge)) continue;
          if (kept == limits.producers) {
            ++left_out;
          } else if (vote_by_example(pool, edge, nullptr)) {
            edges.push_back(edge);
            ++kept;
          }
        }
      }
    }
  }
  return edges;
}

}  // namespace

Graph::Graph(const Pool& pool, GraphLimits limits) {
  edges_ = collect(pool, limits, left_out_, [&](const Edge& edge) { return vote_by_schema(pool, edge, nullptr); });
  index(pool.size());
}

Graph::Graph(const Pool& pool, std::vector<Edge> edges) : edges_(std::move(edges)) {
  std::stable_sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) { return a.to < b.to; });
  index(pool.size());
}

std::vector<Edge> candidate_edges(const Pool& pool, GraphLimits limits) {
  size_t left_out = 0;
  return collect(pool, limits, left_out, [](const Edge&) { return true; });
}

void Graph::index(size_t tools) {
  first_into_.assign(tools + 1, 0);
  first_out_.assign(tools + 1, 0);
  for (const Edge& edge : edges_) {
    ++first_into_[edge.to + 1];
    ++first_out_[edge.from + 1];
  }
  for (size_t t = 0; t < tools; ++t) {
    first_into_[t + 1] += first_into_[t];
    first_out_[t + 1] += first_out_[t];
  }
  out_.resize(edges_.size());
  std::vector<uint32_t> next(first_out_.begin(), first_out_.end() - 1);
  for (uint32_t e = 0; e < edges_.size(); ++e) out_[next[edges_[e].from]++] = e;
}

std::span<const Edge> Graph::into(uint32_t tool) const {
  return {edges_.data() + first_into_[tool], first_into_[tool + 1] - first_into_[tool]};
}

std::span<const uint32_t> Graph::out_of(uint32_t tool) const {
  return {out_.data() + first_out_[tool], first_out_[tool + 1] - first_out_[tool]};
}

bool Graph::joined(uint32_t a, uint32_t b) const {
  const auto leads = [&](uint32_t from, uint32_t to) {
    const std::span<const Edge> edges = into(to);
    return std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) { return edge.from == from; });
  };
  return leads(a, b) || leads(b, a);
}

Selection select(const Pool& pool, const Graph& graph, const std::vector<uint32_t>& tools) {
  Selection out;
  out.holds.assign(pool.size(), false);
  out.category.assign(pool.size(), 0);
  for (const uint32_t t : tools) out.holds[t] = pool.tool(t).unusable.empty();
  std::map<std::string, uint32_t> categories;
  for (const uint32_t t : tools) {
    if (!out.holds[t]) continue;
    out.tools.push_back(t);
    const auto [at, added] = categories.try_emplace(pool.tool(t).category, static_cast<uint32_t>(categories.size()));
    if (added) out.by_category.emplace_back();
    out.category[t] = at->second;
    out.by_category[at->second].push_back(t);
    const std::span<const uint32_t> leaving = graph.out_of(t);
    if (std::any_of(leaving.begin(), leaving.end(), [&](uint32_t e) { return out.holds[graph.edges()[e].to]; }))
      out.with_successors.push_back(t);
  }
  return out;
}

namespace {

bool walked(const std::vector<WalkStep>& walk, uint32_t tool) {
  return std::any_of(walk.begin(), walk.end(), [&](const WalkStep& step) { return step.tool == tool; });
}

// The step, with each parameter that the latest step before it can feed.
WalkStep fed_step(const Graph& graph, const std::vector<WalkStep>& walk, uint32_t tool) {
  WalkStep step{tool, {}};
  for (const Edge& edge : graph.into(tool)) {
    for (uint32_t s = 0; s < walk.size(); ++s) {
      if (walk[s].tool != edge.from) continue;
      const auto known = std::find_if(step.feeds.begin(), step.feeds.end(),
                                      [&](const Feed& feed) { return feed.parameter == edge.parameter; });
      if (known == step.feeds.end())
        step.feeds.push_back({edge.parameter, s, edge.field});
      else if (known->step <= s)
        *known = {edge.parameter, s, edge.field};
    }
  }
  return step;
}

}  // namespace

bool chain_walk(const Graph& graph, const Selection& from, uint32_t length, Random& random,
                std::vector<WalkStep>& out) {
  const std::vector<uint32_t>& starts = length > 1 ? from.with_successors : from.tools;
  if (starts.empty()) return false;
  for (int i = 0; i < kTries; ++i) {
    out.clear();
    out.push_back({starts[random.below(static_cast<uint32_t>(starts.size()))], {}});
    std::vector<uint32_t> next;
    while (out.size() < length) {
      next.clear();
      for (const uint32_t e : graph.out_of(out.back().tool)) {
        const uint32_t to = graph.edges()[e].to;
        if (from.holds[to] && !walked(out, to)) next.push_back(to);
      }
      if (next.empty()) break;
      out.push_back(fed_step(graph, out, next[random.below(static_cast<uint32_t>(next.size()))]));
    }
    if (out.size() == length) return true;
  }
  return false;
}

bool loose_walk(const Graph& graph, const Selection& from, uint32_t length, Random& random,
                std::vector<WalkStep>& out) {
  if (from.tools.empty()) return false;
  for (int i = 0; i < kTries; ++i) {
    out.clear();
    const uint32_t first = from.tools[random.below(static_cast<uint32_t>(from.tools.size()))];
    const std::vector<uint32_t>& siblings = from.by_category[from.category[first]];
    if (siblings.size() < length) continue;
    out.push_back({first, {}});
    for (int j = 0; j < kTries && out.size() < length; ++j) {
      const uint32_t tool = siblings[random.below(static_cast<uint32_t>(siblings.size()))];
      if (!walked(out, tool)) out.push_back(fed_step(graph, out, tool));
    }
    if (out.size() == length) return true;
  }
  return false;
}

}  // namespace wend::tools
