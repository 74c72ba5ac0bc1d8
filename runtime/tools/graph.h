// Which tool's return can satisfy which parameter of another (paper, Sec. 3.1; docs/tools.md), and walks along that.
#ifndef WEND_RUNTIME_TOOLS_GRAPH_H_
#define WEND_RUNTIME_TOOLS_GRAPH_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/random.h"
#include "runtime/tools/pool.h"

namespace wend::tools {

// The return field of `from` feeds the parameter of `to`. Both votes are in favour: by the schemas alone, and by
// example values.
struct Edge {
  uint32_t from = 0, field = 0, to = 0, parameter = 0;
};

// A tool that may feed a parameter, and what each vote says.
struct Verdict {
  bool by_schema = false, by_example = false;
  std::string schema_reason, example_reason;
};

struct GraphLimits {
  uint32_t producers = 64;  // of one parameter; of more, those of the same category, then the first
};

class Graph {
 public:
  explicit Graph(const Pool& pool, GraphLimits limits = {});
  // Of edges that have been voted on.
  Graph(const Pool& pool, std::vector<Edge> edges);

  const std::vector<Edge>& edges() const { return edges_; }
  // Edges into a tool, and out of it.
  std::span<const Edge> into(uint32_t tool) const;
  std::span<const uint32_t> out_of(uint32_t tool) const;  // indices of edges
  // An edge joins them, in either direction.
  bool joined(uint32_t a, uint32_t b) const;
  // How many (return, parameter) pairs were left out for the limit.
  size_t left_out() const { return left_out_; }

 private:
  void index(size_t tools);

  std::vector<Edge> edges_;  // by `to`
  std::vector<uint32_t> first_into_, out_, first_out_;
  size_t left_out_ = 0;
};

// Pairs that a voter may be asked about: values of one kind that are not just given back, and fit by example. As many
// for a parameter as edges at most.
std::vector<Edge> candidate_edges(const Pool& pool, GraphLimits limits = {});

// The two votes of the deterministic voter.
Verdict judge_edge(const Pool& pool, const Edge& edge);

// Which return of an earlier step feeds the parameter of a step.
struct Feed {
  uint32_t parameter = 0, step = 0, field = 0;
};
struct WalkStep {
  uint32_t tool = 0;
  std::vector<Feed> feeds;
};

// Tools that may be used: those of a split. Their order is part of what a seed gives.
struct Selection {
  std::vector<uint32_t> tools;
  std::vector<uint32_t> with_successors;           // of these, those with an edge to another of these
  std::vector<bool> holds;                         // by tool
  std::vector<std::vector<uint32_t>> by_category;  // indices of tools; the category of tool t is category[t]
  std::vector<uint32_t> category;
};
Selection select(const Pool& pool, const Graph& graph, const std::vector<uint32_t>& tools);

// `length` tools, each fed by the one before it; false where a bounded number of tries found none.
bool chain_walk(const Graph& graph, const Selection& from, uint32_t length, Random& random, std::vector<WalkStep>& out);
// `length` tools of one category; what an earlier one returns is used where it can be.
bool loose_walk(const Graph& graph, const Selection& from, uint32_t length, Random& random, std::vector<WalkStep>& out);

}  // namespace wend::tools

#endif  // WEND_RUNTIME_TOOLS_GRAPH_H_
