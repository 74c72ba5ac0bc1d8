// Edges between tools, and walks along them.
#include <gmock/gmock.h>

#include <numeric>

#include "runtime/tools/graph.h"
#include "tests/unit/synth/testing.h"

namespace wend::tools {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

std::vector<std::string> edges_of(const Pool& pool, const Graph& graph) {
  std::vector<std::string> out;
  for (const Edge& edge : graph.edges())
    out.push_back(pool.tool(edge.from).name + "." + pool.tool(edge.from).returns[edge.field].name + " > " +
                  pool.tool(edge.to).name + "." + pool.tool(edge.to).parameters[edge.parameter].name);
  return out;
}

Selection all_of(const Pool& pool, const Graph& graph) {
  std::vector<uint32_t> all(pool.size());
  std::iota(all.begin(), all.end(), 0u);
  return select(pool, graph, all);
}

// Worked out by hand: cities and persons are said of many things, and an echo is no knowledge.
TEST(Graph, IdsFeedAndEchoesDoNot) {
  const Pool pool = some_pool();
  const Graph graph(pool);
  EXPECT_THAT(edges_of(pool, graph), UnorderedElementsAre("search_hotels.hotel_id > book_hotel.hotel_id",
                                                          "book_hotel.booking_id > move_booking.booking_id",
                                                          "book_hotel.booking_id > get_booking.booking_id"));
  EXPECT_TRUE(graph.joined(0, 1));
  EXPECT_TRUE(graph.joined(1, 0));
  EXPECT_FALSE(graph.joined(0, 2));
}

TEST(Graph, BothVotesHaveToAgree) {
  const Pool pool = some_pool();
  const Verdict yes = judge_edge(pool, {0, 0, 1, 0});
  EXPECT_TRUE(yes.by_schema && yes.by_example) << yes.schema_reason << yes.example_reason;
  const Verdict other = judge_edge(pool, {0, 0, 2, 0});  // a hotel's id as a booking's
  EXPECT_FALSE(other.by_schema);
  EXPECT_FALSE(other.by_example);
  const Verdict echo = judge_edge(pool, {2, 0, 3, 0});
  EXPECT_FALSE(echo.by_schema);
  EXPECT_TRUE(echo.by_example);
}

TEST(Graph, AParameterHasABoundedNumberOfEdges) {
  const Pool pool = some_pool();
  const Graph graph(pool, GraphLimits{0});
  EXPECT_TRUE(graph.edges().empty());
  EXPECT_EQ(graph.left_out(), 3u);
}

TEST(Graph, AChainFeedsEachOfItsTools) {
  const Pool pool = some_pool();
  const Graph graph(pool);
  const Selection all = all_of(pool, graph);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    std::vector<WalkStep> walk;
    ASSERT_TRUE(chain_walk(graph, all, 3, random, walk));
    EXPECT_EQ(walk[0].tool, 0u);
    EXPECT_EQ(walk[1].tool, 1u);
    ASSERT_EQ(walk[1].feeds.size(), 1u);
    EXPECT_EQ(walk[1].feeds[0].step, 0u);
    ASSERT_EQ(walk[2].feeds.size(), 1u);
    EXPECT_EQ(walk[2].feeds[0].step, 1u);
  }
  Random random(1);
  std::vector<WalkStep> walk;
  EXPECT_FALSE(chain_walk(graph, all, 4, random, walk));  // there is none
  const Selection few = select(pool, graph, {0, 3});
  EXPECT_FALSE(chain_walk(graph, few, 2, random, walk));
  ASSERT_TRUE(loose_walk(graph, few, 2, random, walk));
  EXPECT_TRUE(walk[1].feeds.empty());
  EXPECT_FALSE(loose_walk(graph, few, 3, random, walk));
}

}  // namespace
}  // namespace wend::tools
