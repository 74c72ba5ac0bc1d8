#include "runtime/belief/label_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "judge_testing.h"

namespace wend::belief {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Pair;
using wend::testing::answer;
using wend::testing::BadServer;
using wend::testing::dead_url;
using wend::testing::HttpJudgeTest;
using wend::testing::InOrder;
using wend::testing::Open;
using wend::testing::Options;
using wend::testing::Script;
using wend::testing::Seen;

using LabelJudgeTest = HttpJudgeTest;
using Status = std::pair<std::uint32_t, JudgeStatus>;

std::vector<ClassifierInfo> classifiers() {
  return {{"intent", "", {"none", "modified", "reset"}}, {"mood", "", {"good", "bad"}}};
}

TEST_F(LabelJudgeTest, AsksForTheLabelsOfTheClassifier) {
  BadServer server(InOrder({{answer(R"({"label": "reset", "confidence": 0.75})")}, {answer(R"({"label": "bad"})")}}));
  LabelJudge judge(Open(Options(server.url())), classifiers());
  const std::optional<Label> intent = judge.ask(0, "label the intent", "never mind");
  ASSERT_TRUE(intent);
  EXPECT_EQ(intent->label, 2u);
  EXPECT_EQ(intent->confidence, 0.75);
  const std::optional<Label> mood = judge.ask(1, "", "oh well");
  ASSERT_TRUE(mood);
  EXPECT_EQ(mood->label, 1u);
  EXPECT_EQ(mood->confidence, 1);
  const auto messages = [&](std::size_t i) { return nlohmann::json::parse(server.seen().at(i).body)["messages"]; };
  EXPECT_EQ(messages(0)[0]["content"], "label the intent");
  EXPECT_EQ(messages(0)[1]["content"], "never mind");
  EXPECT_EQ(messages(1)[0]["content"], "oh well") << "no system message";
  EXPECT_THAT(judge.counts(), ElementsAre(Pair(Status{0, JudgeStatus::ok}, 1), Pair(Status{1, JudgeStatus::ok}, 1)));
}

TEST_F(LabelJudgeTest, AFailureIsNoAnswerAndIsCounted) {
  BadServer server(InOrder({{answer(R"({"label": "bad"})")}, {answer("none")}, {answer(R"({"label": "none"})")}}));
  LabelJudge judge(Open(Options(server.url())), classifiers());
  EXPECT_FALSE(judge.ask(0, "label the intent", "a")) << "a label of another classifier";
  EXPECT_FALSE(judge.ask(0, "label the intent", "b"));
  EXPECT_TRUE(judge.ask(0, "label the intent", "c"));
  EXPECT_FALSE(judge.ask(0, "label the intent", "")) << "no question";
  EXPECT_THAT(judge.counts(),
              ElementsAre(Pair(Status{0, JudgeStatus::ok}, 1), Pair(Status{0, JudgeStatus::bad_reply}, 1),
                          Pair(Status{0, JudgeStatus::no_label}, 1)));
}

TEST_F(LabelJudgeTest, WithoutAServerThereIsNoAnswer) {
  HttpJudgeOptions options = Options(dead_url());
  options.max_attempts = 1;
  LabelJudge judge(Open(options), classifiers());
  EXPECT_FALSE(judge.ask(0, "label the intent", "a"));
  EXPECT_THAT(judge.counts(), ElementsAre(Pair(Status{0, JudgeStatus::network_error}, 1)));
}

// Each thread gets the answer to its own question, and questions that wait at one moment are asked together.
TEST_F(LabelJudgeTest, ServesThreadsAtOnce) {
  constexpr int kThreads = 6;
  constexpr int kEach = 20;
  BadServer server([](int, const Seen& seen) {
    const std::string prompt = nlohmann::json::parse(seen.body)["messages"].back()["content"];
    const nlohmann::json label = {{"label", classifiers()[0].labels[prompt.size() % 3]}};
    return Script{answer(label.dump()), 2ms};
  });
  LabelJudge judge(Open(Options(server.url())), classifiers());
  std::vector<int> wrong(kThreads, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        const std::string prompt(static_cast<std::size_t>(1 + t * kEach + i), 'x');
        const std::optional<Label> answer = judge.ask(0, "label the intent", prompt);
        if (!answer || answer->label != prompt.size() % 3) ++wrong[static_cast<std::size_t>(t)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ::testing::Each(0));
  EXPECT_THAT(judge.counts(), ElementsAre(Pair(Status{0, JudgeStatus::ok}, kThreads * kEach)));
  EXPECT_EQ(server.requests(), kThreads * kEach);
  EXPECT_GT(server.peak(), 1);
}

}  // namespace
}  // namespace wend::belief
