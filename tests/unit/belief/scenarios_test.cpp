// The paper's belief over a dialogue of every scenario: blocks that were worked out by hand (tests/data/belief).
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/unit/belief/testing.h"

namespace wend::belief::testing {
namespace {

std::string file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Scenarios, BlocksAreThoseWorkedOutByHand) {
  std::istringstream lines(file(WEND_TEST_DATA "/belief/scenarios.jsonl"));
  size_t dialogues = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const Json data = Json::parse(line);
    const std::string id = data["id"];
    Dialogue dialogue = Dialogue::open(paper_engine(), tools_of(data["tools"].dump()));
    play(data["messages"], dialogue);
    std::string wanted = file(WEND_TEST_DATA "/belief/blocks/" + id + ".xml");
    while (wanted.ends_with('\n')) wanted.pop_back();
    EXPECT_EQ(block_of(dialogue), wanted) << id;
    ++dialogues;
  }
  const std::filesystem::directory_iterator blocks(WEND_TEST_DATA "/belief/blocks"), end;
  EXPECT_EQ(dialogues, static_cast<size_t>(std::distance(blocks, end)));
}

}  // namespace
}  // namespace wend::belief::testing
