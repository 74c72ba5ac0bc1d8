#include "runtime/judge/reply_parser.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace wend {
namespace {

struct Case {
  const char* text;
  JudgeStatus status;
  double score;
  const char* reason;  // checked if the status is ok
};

class Verdicts : public ::testing::TestWithParam<Case> {};

TEST_P(Verdicts, AreRead) {
  const Case& expected = GetParam();
  const Verdict verdict = parse_verdict(expected.text);
  EXPECT_EQ(to_string(verdict.status), to_string(expected.status)) << verdict.reason;
  EXPECT_EQ(verdict.score, expected.score);
  if (expected.status == JudgeStatus::ok) {
    EXPECT_EQ(verdict.reason, expected.reason);
  } else {
    EXPECT_FALSE(verdict.reason.empty());
  }
}

constexpr JudgeStatus kOk = JudgeStatus::ok;

INSTANTIATE_TEST_SUITE_P(
    Wrapping, Verdicts,
    ::testing::Values(Case{R"({"score": 0.25, "reason": "fine"})", kOk, 0.25, "fine"},
                      Case{"```json\n{\"score\": 1, \"reason\": \"a\"}\n```", kOk, 1, "a"},
                      Case{"Here is my verdict:\n{\"score\": -1, \"reason\": \"b\"}\nHope it helps!", kOk, -1, "b"},
                      Case{"The set {a, b} matters. {\"score\": 0.5}", kOk, 0.5, ""},
                      Case{"Unbalanced { first, then {\"score\": 0.5}", kOk, 0.5, ""},
                      // A draft and then the answer: the last one counts.
                      Case{R"(<think>{"score": 1}</think>{"score": -0.5, "reason": "c"})", kOk, -0.5, "c"},
                      // What is quoted from the dialogue is inside a string, not an answer.
                      Case{R"({"score": -0.5, "reason": "it says {\"score\": 1} itself"})", kOk, -0.5,
                           R"(it says {"score": 1} itself)"},
                      Case{R"({"score": 0.5, "reason": "a \" } b"})", kOk, 0.5, "a \" } b"},
                      Case{R"({"score": 0.5} {"note": "no score here"})", kOk, 0.5, ""}));

INSTANTIATE_TEST_SUITE_P(Forgiven, Verdicts,
                         ::testing::Values(Case{R"({"score": +0.7, "reason": "d",})", kOk, 0.7, "d"},
                                           Case{R"({"score": "0.7", "reasoning": "e"})", kOk, 0.7, "e"},
                                           Case{R"({"score": " +1 ", "explanation": "f"})", kOk, 1, "f"},
                                           Case{R"({"score": 1e-1, "reason": "+1, }", })", kOk, 0.1, "+1, }"},
                                           Case{R"({"score": -0.0, "reason": 3})", kOk, 0, ""}));

INSTANTIATE_TEST_SUITE_P(
    OutOfRange, Verdicts,
    ::testing::Values(Case{R"({"score": 1.0000001, "reason": "x"})", JudgeStatus::out_of_range, 0, ""},
                      Case{R"({"score": -7})", JudgeStatus::out_of_range, 0, ""},
                      Case{R"({"score": 85, "reason": "percent"})", JudgeStatus::out_of_range, 0, ""},
                      Case{R"({"score": NaN, "reason": "x"})", JudgeStatus::out_of_range, 0, ""},
                      Case{R"({"score": "nan"})", JudgeStatus::out_of_range, 0, ""},
                      Case{R"({"score": -Infinity})", JudgeStatus::out_of_range, 0, ""},
                      Case{R"({"score": "1e999"})", JudgeStatus::out_of_range, 0, ""}));

INSTANTIATE_TEST_SUITE_P(NoScore, Verdicts,
                         ::testing::Values(Case{R"({"reason": "forgot"})", JudgeStatus::no_score, 0, ""},
                                           Case{R"({"score": null})", JudgeStatus::no_score, 0, ""},
                                           Case{R"({"score": true})", JudgeStatus::no_score, 0, ""},
                                           Case{R"({"score": "high"})", JudgeStatus::no_score, 0, ""},
                                           Case{R"({"score": ""})", JudgeStatus::no_score, 0, ""},
                                           Case{R"({"score": [0.5]})", JudgeStatus::no_score, 0, ""},
                                           Case{R"({"score": "0.5 of 1"})", JudgeStatus::no_score, 0, ""}));

INSTANTIATE_TEST_SUITE_P(NoObject, Verdicts,
                         ::testing::Values(Case{"", JudgeStatus::bad_reply, 0, ""},
                                           Case{"0.8", JudgeStatus::bad_reply, 0, ""},
                                           Case{"I would say good.", JudgeStatus::bad_reply, 0, ""},
                                           Case{"[0.5, \"list\"]", JudgeStatus::bad_reply, 0, ""},
                                           Case{R"({"score": 0.5, "reas)", JudgeStatus::bad_reply, 0, ""},
                                           Case{R"({"score": "\xff"})"
                                                "\xff",
                                                JudgeStatus::bad_reply, 0, ""}));

TEST(ParseVerdict, SurvivesHostileText) {
  EXPECT_EQ(parse_verdict(std::string(1 << 20, '{')).status, JudgeStatus::bad_reply);
  EXPECT_EQ(parse_verdict(R"({"score": )" + std::string(60'000, '[')).status, JudgeStatus::bad_reply);
  EXPECT_EQ(parse_verdict(R"({"score": )" + std::string(30'000, '[') + std::string(30'000, ']') + "}").status,
            JudgeStatus::no_score);
  EXPECT_EQ(parse_verdict(std::string(1 << 20, ' ') + R"({"score": 0.5})").status, JudgeStatus::ok);
}

TEST(ParseVerdict, KeepsReasonsShortAndOnOneLine) {
  std::string reason(5000, 'a');
  for (std::size_t i = 0; i < reason.size(); i += 2) reason.replace(i, 2, "ü");
  const Verdict verdict = parse_verdict(nlohmann::json{{"score", 0}, {"reason", "x\n\ty" + reason}}.dump());
  ASSERT_EQ(verdict.status, JudgeStatus::ok);
  EXPECT_LE(verdict.reason.size(), 2003u);
  EXPECT_EQ(verdict.reason.substr(0, 4), "x  y");
  EXPECT_NO_THROW(static_cast<void>(nlohmann::json(verdict.reason).dump())) << "cut inside a character";
}

struct LabelCase {
  const char* text;
  JudgeStatus status;
  std::uint32_t label;  // this and what follows is checked if the status is ok
  double confidence;
  const char* reason;
};

const std::vector<std::string> kLabels = {"none", "modified", "reset", "Reset"};

class Labels : public ::testing::TestWithParam<LabelCase> {};

TEST_P(Labels, AreRead) {
  const LabelCase& expected = GetParam();
  const Verdict verdict = parse_verdict(expected.text, kLabels);
  EXPECT_EQ(to_string(verdict.status), to_string(expected.status)) << verdict.reason;
  if (expected.status == JudgeStatus::ok) {
    EXPECT_EQ(verdict.label, expected.label);
    EXPECT_EQ(verdict.score, expected.confidence);
    EXPECT_EQ(verdict.reason, expected.reason);
  } else {
    EXPECT_FALSE(verdict.reason.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Good, Labels,
    ::testing::Values(LabelCase{R"({"label": "modified", "confidence": 0.75, "reason": "a"})", kOk, 1, 0.75, "a"},
                      LabelCase{R"({"label": "none"})", kOk, 0, 1, ""},
                      LabelCase{R"({"label": "none", "confidence": null})", kOk, 0, 1, ""},
                      LabelCase{R"({"label": "none", "confidence": "+0.5",})", kOk, 0, 0.5, ""},
                      LabelCase{"Sure:\n```json\n{\"label\": \" Modified\\n\"}\n```", kOk, 1, 1, ""},
                      LabelCase{R"({"label": "reset"})", kOk, 2, 1, ""},
                      LabelCase{R"({"label": "Reset"})", kOk, 3, 1, ""},
                      // A draft and then the answer; an object without a label is no answer.
                      LabelCase{R"({"label": "none"} {"label": "modified"} {"score": 1})", kOk, 1, 1, ""},
                      LabelCase{R"({"label": null, "intent": "modified"})", kOk, 1, 1, ""},
                      LabelCase{R"({"label": "none", "intent": "modified"})", kOk, 0, 1, ""},
                      // The paper's form.
                      LabelCase{R"({"intent": "modified", "confidence": 0.9, "reason": "b",
                                    "extracted_slots": {"book.day": "Monday", "label": "none"}, "new_goal": null,
                                    "stale_slot_keys": ["book.day"]})",
                                kOk, 1, 0.9, "b"}));

INSTANTIATE_TEST_SUITE_P(
    Bad, Labels,
    ::testing::Values(LabelCase{R"({"label": "other", "confidence": 1})", JudgeStatus::no_label, 0, 0, ""},
                      LabelCase{R"({"label": "RESET"})", JudgeStatus::no_label, 0, 0, ""},  // which of the two?
                      LabelCase{R"({"label": ""})", JudgeStatus::no_label, 0, 0, ""},
                      LabelCase{R"({"label": 1})", JudgeStatus::no_label, 0, 0, ""},
                      LabelCase{R"({"label": ["none"]})", JudgeStatus::no_label, 0, 0, ""},
                      LabelCase{R"({"score": 1})", JudgeStatus::no_label, 0, 0, ""},
                      LabelCase{R"({"label": "none", "confidence": 1.5})", JudgeStatus::out_of_range, 0, 0, ""},
                      LabelCase{R"({"label": "none", "confidence": -0.1})", JudgeStatus::out_of_range, 0, 0, ""},
                      LabelCase{R"({"label": "none", "confidence": NaN})", JudgeStatus::out_of_range, 0, 0, ""},
                      LabelCase{R"({"label": "none", "confidence": "high"})", JudgeStatus::no_score, 0, 0, ""},
                      LabelCase{"none", JudgeStatus::bad_reply, 0, 0, ""},
                      LabelCase{R"({"label": "none)", JudgeStatus::bad_reply, 0, 0, ""}));

nlohmann::json completion(nlohmann::json message, const char* finish = "stop") {
  return {{"choices", {{{"message", std::move(message)}, {"finish_reason", finish}}}}};
}

TEST(ParseCompletion, ReadsStringsAndParts) {
  EXPECT_EQ(parse_completion(completion({{"content", R"({"score": 0.5})"}}).dump()).score, 0.5);
  const nlohmann::json parts = {{{"type", "text"}, {"text", R"({"score")"}}, {{"type", "text"}, {"text", ": -1}"}}};
  EXPECT_EQ(parse_completion(completion({{"content", parts}}).dump()).score, -1);
  EXPECT_EQ(parse_completion(completion({{"content", R"({"label": "modified"})"}}).dump(), kLabels).label, 1u);
}

TEST(ParseCompletion, TellsItsFailuresApart) {
  const auto status = [](const std::string& body) { return std::string(to_string(parse_completion(body).status)); };
  EXPECT_EQ(status(""), "truncated");
  EXPECT_EQ(status(R"({"choices": [{"message": {"content": "{\"sc)"), "truncated");
  EXPECT_EQ(status("<html>busy</html>"), "bad_reply");
  EXPECT_EQ(status("{}"), "bad_reply");
  EXPECT_EQ(status("[]"), "bad_reply");
  EXPECT_EQ(status("null"), "bad_reply");
  EXPECT_EQ(status(R"({"choices": []})"), "bad_reply");
  EXPECT_EQ(status(R"({"choices": [7]})"), "bad_reply");
  EXPECT_EQ(status(R"({"choices": {"0": 1}})"), "bad_reply");
  EXPECT_EQ(status(completion({{"content", nullptr}}).dump()), "bad_reply");
  EXPECT_EQ(status(completion({{"content", nullptr}, {"refusal", "I cannot help with that"}}).dump()), "declined");
  EXPECT_EQ(status(completion({{"content", ""}}, "content_filter").dump()), "declined");
}

TEST(ParseCompletion, NamesTheCause) {
  EXPECT_NE(parse_completion(R"({"error": {"message": "model is loading"}})").reason.find("model is loading"),
            std::string::npos);
  EXPECT_NE(parse_completion(completion({{"content", R"({"score": 0.5, "rea)"}}, "length").dump()).reason.find("token"),
            std::string::npos);
}

TEST(ErrorText, FindsTheMessage) {
  EXPECT_EQ(error_text(R"({"error": {"message": "no such\nmodel", "code": 404}})"), "no such model");
  EXPECT_EQ(error_text(R"({"error": "bad"})"), "bad");
  EXPECT_EQ(error_text(R"({"detail": "worse"})"), "worse");
  EXPECT_EQ(error_text("  plain\ttext\n"), "plain text");
  EXPECT_EQ(error_text(""), "");
}

TEST(JudgeStatus, EveryNameIsItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kJudgeStatusCount; ++i) names.insert(to_string(static_cast<JudgeStatus>(i)));
  EXPECT_EQ(names.size(), kJudgeStatusCount);
  EXPECT_EQ(names.count("unknown"), 0u);
  EXPECT_EQ(to_string(static_cast<JudgeStatus>(kJudgeStatusCount)), "unknown") << "the count lags behind the enum";
}

}  // namespace
}  // namespace wend
