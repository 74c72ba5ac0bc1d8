#include "runtime/draft/reader.h"

#include <chrono>
#include <cstdlib>
#include <functional>
#include <set>

#include <gmock/gmock.h>

#include "tests/unit/draft/sample.h"

namespace wend {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::sample;
using testing::sample_json;
using testing::sub_block;
using testing::with_content;

class Reading : public ::testing::Test {
 protected:
  // The issues as "fault" and "Sub_Block: fault", in order.
  std::vector<std::string> issues(const std::string& text, bool continues = false) {
    text_ = text;
    reader_.read(text_, continues);
    std::vector<std::string> out;
    for (const DraftIssue& issue : draft().issues) {
      const std::string of = issue.sub_block == kNoSubBlock ? "" : reader_.shape().sub_block(issue.sub_block) + ": ";
      out.push_back(of + std::string(name(issue.fault)));
    }
    return out;
  }
  // The JSON made of the first sub-block, where `content` is all that it holds.
  std::string json_of(const std::string& content) {
    text_ = with_content(content);
    const Draft& draft = reader_.read(text_);
    return draft.sub_block(0).readable() ? std::string(draft.json(draft.sub_block(0))) : "(unreadable)";
  }
  std::string whole(uint32_t i) { return std::string(draft().bytes(draft().sub_block(i).whole)); }
  // What the last call of read made.
  const Draft& draft() const { return *last_; }

  std::string text_;
  DraftReader reader_{DraftShape::context_manager()};
  const Draft* last_ = &reader_.read("");
};

TEST_F(Reading, AWellFormedBlock) {
  EXPECT_THAT(issues(sample()), IsEmpty());
  EXPECT_TRUE(draft().found && draft().closed);
  EXPECT_EQ(draft().bytes(draft().block), text_);
  for (uint32_t i = 0; i < 9; ++i) {
    const DraftSubBlock& s = draft().sub_block(i);
    EXPECT_EQ(s.state, DraftState::valid);
    EXPECT_EQ(draft().json(s), sample_json()[i]);
    EXPECT_EQ(whole(i) + "\n", sub_block(i, sample_json()[i]));
  }
}

TEST_F(Reading, MembersHaveTheirPlaces) {
  issues(sample());
  const DraftSubBlock& user = draft().sub_block(0);
  ASSERT_EQ(user.fields.end - user.fields.begin, 2u);
  const DraftField* type = draft().find(user, "intent_type");
  ASSERT_NE(type, nullptr);
  EXPECT_EQ(draft().bytes(type->key), "\"intent_type\"");
  EXPECT_EQ(draft().bytes(type->value), "\"modify_previous_task\"");
  const DraftSubBlock& graph = draft().sub_block(6);
  const DraftField* arguments = draft().find(graph, "arguments", 0);
  ASSERT_NE(arguments, nullptr);
  EXPECT_EQ(draft().value(graph, *arguments), R"({"alarm.time":"06:30","alarm.repeat":"once"})");
  EXPECT_EQ(draft().find(graph, "arguments", 1), nullptr);
  EXPECT_EQ(draft().find(graph, "arguments"), nullptr);
  EXPECT_EQ(draft().sub_block(5).fields.begin, draft().sub_block(5).fields.end);
}

TEST_F(Reading, ItemsThatAreNoObjectsAreNoted) {
  text_ = with_content(R"([1, {}, {"a": [2], "b": {"c": 3}}, [4, {"d": 5}], "six"])");
  const Draft& read = reader_.read(text_);
  const DraftSubBlock& s = read.sub_block(0);
  std::vector<std::string> seen;
  for (uint32_t i = s.fields.begin; i < s.fields.end; ++i) {
    const DraftField& field = read.fields[i];
    seen.push_back(std::to_string(field.item) + " " + std::string(read.key(s, field)) + "=" +
                   std::string(read.value(s, field)));
  }
  EXPECT_THAT(seen, ElementsAre("0 =1", "2 a=[2]", "2 b={\"c\": 3}", "3 =[4, {\"d\": 5}]", "4 =\"six\""));
}

TEST_F(Reading, RepairedMembersHavePlacesInBoth) {
  text_ = with_content("{'a': True, b: [1,],\n 'a': 'x'}");
  const Draft& read = reader_.read(text_);
  const DraftSubBlock& s = read.sub_block(0);
  EXPECT_EQ(s.state, DraftState::repaired);
  const DraftField* a = read.find(s, "a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(read.bytes(a->value), "'x'");
  EXPECT_EQ(read.value(s, *a), "\"x\"");
  const DraftField* b = read.find(s, "b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(read.bytes(b->key), "b");
  EXPECT_EQ(read.bytes(b->value), "[1,]");
  EXPECT_EQ(read.value(s, *b), "[1]");
}

// ---- One example or more of every fault ------------------------------------------------------------------------

struct Example {
  const char* text;
  std::vector<std::string> issues;
  bool continues = false;
};

// In a block of the sub-blocks A and B.
const std::vector<Example>& examples() {
  static const std::vector<Example> kExamples = {
      {"", {"no_block"}},
      {"Sure, I will.", {"no_block"}},
      {"2 < 3 > 1 </X> </A>", {"no_block"}},
      {"<X><A>{}</A><B>[]</B></X>", {}},
      {"<X>\n<A>{}</A>\n\n<B>[]</B></X>\n", {}},
      {"<A>{}</A><B>[]</B></X>", {"unopened_block"}},
      {"<A>{}</A><B>[]</B></X>", {}, true},
      {"", {"unclosed_block", "A: missing", "B: missing"}, true},
      {"<X><A>{}</A><B>[]</B>", {"unclosed_block"}},
      {"<X><A>{}</A><B>[]</B> Done.", {"unclosed_block", "text_after_block"}},
      {"<X><X><A>{}</A><B>[]</B></X></X>", {"nested_block", "text_after_block", "stray_tag"}},
      {"<X><A>{}</A><B>[]</B></X><X></X>", {"text_after_block", "repeated_block", "stray_tag"}},
      {"Hm. <X><A>{}</A><B>[]</B></X>", {"text_before_block"}},
      {"<X><A>{}</A><B>[]</B></X> Done.", {"text_after_block"}},
      {"<X>so <A>{}</A> and <B>[]</B></X>", {"text_between"}},
      {"<X><A>{}</A><C>{\"x\": 1}</C><B>[]</B></X>", {"unknown_block"}},
      {"<X><A>{}</A><C/><B>[]</B></X>", {"unknown_block"}},
      {"<X><A>{}</A><C>{\"x\": 1}<B>[]</B></X>", {"text_between", "unknown_block"}},
      {"<X><A>{}</A><C><D>x</D></C></E><B>[]</B></X>", {"unknown_block", "stray_tag"}},
      {"<X><A>{}</A></A><B>[]</B></X>", {"stray_tag"}},
      {"<X><A>{}</A><B>[\"\xFF\"]</B></X>", {"not_utf8"}},
      {"<X><B>[]</B></X>", {"A: missing"}},
      {"<X></X>", {"A: missing", "B: missing"}},
      {"<X/>", {"A: missing", "B: missing"}},
      {"<X><A>{}</A><A>{'a'}</A><B>[]</B></X>", {"A: repeated"}},
      {"<X><B>[]</B><A>{}</A></X>", {"A: out_of_order"}},
      {"<X><A>{}<B>[]</B></X>", {"A: unclosed"}},
      {"<X><A>{} or so<B>[]</B></X>", {"A: unclosed", "text_between"}},
      {"<X><A>{}</A><B>[]", {"B: unclosed", "unclosed_block"}},
      {"<X><A>{}</A><B>[] I will", {"B: unclosed", "unclosed_block", "text_after_block"}},
      {"<X><A>{}</A><B>", {"B: empty", "B: unclosed", "unclosed_block"}},
      {"<X><A>{}</B><B>[]</B></X>", {"A: mismatched_tag"}},
      {"<X><A id=\"1\">{}</A><B>[]</B></X>", {"A: attributes"}},
      {"<X v=2><A>{}</A><B>[]</B></X>", {"attributes"}},
      {"<x><A>{}</A><B>[]</B></X >", {"tag_spelling"}},
      {"<X><a>{}</ A ><B>[]</B></X>", {"A: tag_spelling"}},
      {"<X><_A->{}</A><B>[]</B></X>", {"A: tag_spelling"}},
      {"<X><A></A><B>[]</B></X>", {"A: empty"}},
      {"<X><A/><B>[]</B></X>", {"A: empty"}},
      {"<X><A /><B>[]</B></X>", {"A: empty"}},
      {"<X><A>none</A><B>[]</B></X>", {"A: no_json"}},
      {"<X><A>\"{}\"</A><B>[]</B></X>", {"A: text_before_json", "A: text_after_json"}},
      {"<X><A>here: {}</A><B>[]</B></X>", {"A: text_before_json"}},
      {"<X><A>{} it is</A><B>[]</B></X>", {"A: text_after_json"}},
      {"<X><A>{}}</A><B>[]</B></X>", {"A: text_after_json"}},
      {"<X><A>```json\n{}\n```</A><B>[]</B></X>", {"A: fenced"}},
      {"<X><A>```{}```</A><B>[]</B></X>", {"A: fenced"}},
      {"<X><A>```json please {}```</A><B>[]</B></X>", {"A: text_before_json", "A: text_after_json"}},
      {"<X><A>{\n}</A><B>[]</B></X>", {"A: several_lines"}},
      {"<X><A>{\"a\": [1</A><B>[]</B></X>", {"A: truncated"}},
      {"<X><A>{\"a\": \"x</A><B>[]</B></X>", {"A: truncated"}},
      {"<X><A>{\"a\": 1, \"b\":</A><B>[]</B></X>", {"A: truncated"}},
      {"<X><A>{'a': 1}</A><B>[]</B></X>", {"A: single_quotes"}},
      {"<X><A>{\"a\": None}</A><B>[]</B></X>", {"A: python_literal"}},
      {"<X><A>{a: 1}</A><B>[]</B></X>", {"A: unquoted"}},
      {"<X><A>{\"a\": 1,}</A><B>[]</B></X>", {"A: extra_comma"}},
      {"<X><A>{\"a\": 1 \"b\": 2}</A><B>[]</B></X>", {"A: missing_comma"}},
      {"<X><A>{\"a\": {} \"b\": 2}</A><B>[]</B></X>", {"A: missing_comma"}},
      {"<X><A>{\"a\": , \"b\"}</A><B>[]</B></X>", {"A: missing_value"}},
      {"<X><A>{\"a\": \"say \"hi\" now\"}</A><B>[]</B></X>", {"A: inner_quote"}},
      {"<X><A>{\"a\": \"x\ty\"}</A><B>[]</B></X>", {"A: raw_control"}},
      {"<X><A>{\"a\": \"\\d\"}</A><B>[]</B></X>", {"A: bad_escape"}},
      {"<X><A>{\"a\": [1}]}</A><B>[]</B></X>", {"A: unbalanced", "A: text_after_json"}},
      {"<X><A>[1}]</A><B>[]</B></X>", {"A: unbalanced"}},
      {"<X><A>{\"a\":: 1}</A><B>[]</B></X>", {"A: unexpected"}},
      {"<X><A>[\"a\": 1]</A><B>[]</B></X>", {"A: missing_comma", "A: unexpected"}},
  };
  return kExamples;
}

std::vector<std::string> issues_of(const DraftReader& reader, const Draft& draft) {
  std::vector<std::string> out;
  for (const DraftIssue& issue : draft.issues) {
    const std::string of = issue.sub_block == kNoSubBlock ? "" : reader.shape().sub_block(issue.sub_block) + ": ";
    out.push_back(of + std::string(name(issue.fault)));
  }
  return out;
}

TEST(Faults, Examples) {
  DraftReader reader(DraftShape("X", {"A", "B"}));
  for (const Example& example : examples()) {
    const Draft& draft = reader.read(example.text, example.continues);
    EXPECT_EQ(issues_of(reader, draft), example.issues) << example.text;
  }
}

TEST(Faults, DeepAndLongTexts) {
  DraftReader reader(DraftShape("X", {"A"}), 6000);
  const auto nested = [](int depth) {
    const auto n = static_cast<size_t>(depth);
    return "<X><A>" + std::string(n, '[') + std::string(n, ']') + "</A></X>";
  };
  std::string text = nested(512);
  EXPECT_THAT(issues_of(reader, reader.read(text)), IsEmpty());
  text = nested(513);
  const Draft& deep = reader.read(text);
  EXPECT_THAT(issues_of(reader, deep), ElementsAre("A: too_deep"));
  EXPECT_EQ(deep.sub_block(0).state, DraftState::unreadable);
  text = "<X><A>{}</A></X>" + std::string(7000, ' ');
  EXPECT_THAT(issues_of(reader, reader.read(text)), ElementsAre("too_long"));
}

TEST(Faults, EachHasAnExample) {
  std::set<std::string> seen = {"too_deep", "too_long"};  // DeepAndLongTexts
  for (const Example& example : examples()) {
    for (const std::string& issue : example.issues) seen.insert(issue.substr(issue.find(' ') + 1));
  }
  for (unsigned i = 0; i < kDraftFaults; ++i) {
    const auto fault = static_cast<DraftFault>(i);
    EXPECT_EQ(seen.count(std::string(name(fault))), 1u) << name(fault);
    EXPECT_FALSE(describe(fault).empty());
  }
  EXPECT_EQ(seen.size(), kDraftFaults);
}

// ---- What is made of wrong JSON ----------------------------------------------------------------------------------

TEST_F(Reading, Repairs) {
  const std::vector<std::pair<const char*, const char*>> kRepairs = {
      {"{'a': 'b'}", R"({"a":"b"})"},
      {"{'it': 'don't stop'}", R"({"it":"don't stop"})"},
      {"{'a': 'say \"x\"'}", R"({"a":"say \"x\""})"},
      {"{'a': 'it\\'s'}", R"({"a":"it's"})"},
      {"{\"a\": True, \"b\": False, \"c\": None, \"d\": TRUE, \"e\": nUll}",
       R"({"a":true,"b":false,"c":null,"d":true,"e":null})"},
      {"{a: b c, d_e: 07:00, f: 1.5e3, g: -0}", R"({"a":"b c","d_e":"07:00","f":1.5e3,"g":-0})"},
      {"{\"n\": 007, \"p\": +1, \"q\": .5, \"r\": NaN}", R"({"n":"007","p":"+1","q":".5","r":"NaN"})"},
      {"[1, 2,]", "[1,2]"},
      {"[, 1,, 2]", "[1,2]"},
      {"[1 2]", R"(["1 2"])"},
      {"[[1] [2]]", "[[1],[2]]"},
      {"{\"a\": 1\n\"b\": \"x\"\n\"c\": 3}", R"({"a":1,"b":"x","c":3})"},
      {"{\"a\": \"x\ny\"}", "{\"a\":\"x\\u000ay\"}"},
      {"{\"a\": \"C:\\dir\"}", R"({"a":"C:\\dir"})"},
      {"{\"a\": \"\\u12\"}", R"({"a":"\\u12"})"},
      {"{\"a\": \"\\udefe\\ud83d\\u0041\\ud83d\\ude00\"}", R"({"a":"\\udefe\\ud83d\u0041\ud83d\ude00"})"},
      {"{\"a\": [1, {\"b\": 2", R"({"a":[1,{"b":2}]})"},
      {"{\"a\": 1, \"b\"", R"({"a":1})"},
      {"{\"a\": 1, \"b\":", R"({"a":1})"},
      {"{\"a\": \"x\\", R"({"a":"x"})"},
      {"{", "{}"},
      {"{\"a\": [1, 2}", R"({"a":[1,2]})"},
      {"[1], 2]", "[1]"},
      {"[{\"a\": 1]", R"([{"a":1}])"},
      {"{]\"a\": 1}", R"({"a":1})"},
      {"{{\"a\": 1}}", R"({"a":1})"},
      {"{\"a\" 1}", "{}"},
      {"{a 1}", R"({"a 1":null})"},
      {"{\"a\": \"x\" \"b\": 1}", R"({"a":"x\" \"b","1":null})"},
      {"{\"a\": 1 \"b\": 2}", R"({"a":1,"b":2})"},
      {"{\"a\"}", R"({"a":null})"},
      {"{\"a\"::: 1}", R"({"a":1})"},
      {"{1: 2}", R"({"1":2})"},
      {"[\"a\": 1]", R"(["a",1])"},
      {"{\"<\": \"</Nothing>\"}", R"({"<": "</Nothing>"})"},
  };
  for (const auto& [content, json] : kRepairs) EXPECT_EQ(json_of(content), json) << content;
}

TEST_F(Reading, RightJsonMayHoldTagsWrongJsonMayNot) {
  EXPECT_EQ(json_of(R"({"a": "</Current_User></Context_Manager>"})"), R"({"a": "</Current_User></Context_Manager>"})");
  EXPECT_EQ(json_of(R"({'a': "</Current_User></Context_Manager>"})"), R"({"a":""})");
}

TEST_F(Reading, OtherSpellingsOfTags) {
  for (const char* tag :
       {"current_user", "Current User", "CURRENT-USER", "CurrentUser", " Current_User", "Current_User "}) {
    const std::string text = sample(0, "<" + std::string(tag) + ">{\"a\": 1}</Current_User>");
    EXPECT_THAT(issues(text), ElementsAre("Current_User: tag_spelling")) << tag;
    EXPECT_EQ(draft().sub_block(0).state, DraftState::valid);
  }
}

TEST_F(Reading, TheFirstOfRepeatedSubBlocksCounts) {
  EXPECT_THAT(issues(sample(1, "<Current_User>[1]</Current_User>" + sub_block(1, "{}"))),
              ElementsAre("Current_User: repeated"));
  EXPECT_EQ(draft().json(draft().sub_block(0)), sample_json()[0]);
  EXPECT_EQ(draft().json(draft().sub_block(1)), "{}");
}

TEST_F(Reading, TrailingProse) {
  issues(sample() + "\n\n I call the tool now. \n");
  EXPECT_EQ(draft().bytes(draft().trailing), "I call the tool now.");
  issues("<Context_Manager>" + sub_block(0, "{}") + "I call <b>it</b> now.");
  EXPECT_EQ(draft().bytes(draft().trailing), "I call <b>it</b> now.");
  EXPECT_EQ(draft().bytes(draft().block), "<Context_Manager>" + sub_block(0, "{}").substr(0, 31));
}

TEST_F(Reading, BytesThatAreNoUtf8KeepPlaces) {
  text_ = with_content("{\"a\": \"x\xC3\", \"b\": \"\xE2\x82\xAC\"}");
  const Draft& read = reader_.read(text_);
  EXPECT_EQ(read.json(read.sub_block(0)), "{\"a\": \"x?\", \"b\": \"\xE2\x82\xAC\"}");
}

// Every way to cut a block short: what is whole before the cut is read as in the whole.
TEST_F(Reading, CutAnywhere) {
  const std::string whole = sample();
  for (size_t size = 0; size <= whole.size(); ++size) {
    text_ = whole.substr(0, size);
    const Draft& read = reader_.read(text_);
    EXPECT_EQ(read.found, size >= std::string("<Context_Manager>").size());
    for (uint32_t i = 0; i < 9; ++i) {
      const DraftSubBlock& s = read.sub_block(i);
      const size_t end = whole.find("</" + reader_.shape().sub_block(i)) + reader_.shape().sub_block(i).size() + 3;
      if (end <= size) {
        EXPECT_EQ(s.state, DraftState::valid);
        EXPECT_TRUE(s.faults.empty());
      }
      EXPECT_LE(s.whole.end, size);
    }
  }
}

TEST(Shape, OfARender) {
  RenderInfo render;
  render.name = "ContextManager";
  render.blocks = {{"Current_User", -1}, {"Goal", 0}};
  DraftReader reader(DraftShape::of(render, "Context_Manager"));
  const Draft& draft =
      reader.read("<Context_Manager><Current_User>{}</Current_User><Goal>[1]</Goal></Context_Manager>");
  EXPECT_TRUE(draft.issues.empty());
  EXPECT_EQ(draft.json(draft.sub_block(1)), "[1]");
  EXPECT_EQ(DraftShape::of(render).find("Context_Manager"), kTheBlock);
}

// ---- Time --------------------------------------------------------------------------------------------------------

double seconds_of(DraftReader& reader, const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  reader.read(text);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string repeat(const std::string& piece, size_t size) {
  std::string out;
  out.reserve(size + piece.size());
  while (out.size() < size) out += piece;
  return out;
}

// A megabyte of anything is read within a second: what takes time that is not linear takes minutes.
TEST(Time, IsLinear) {
  DraftReader reader(DraftShape::context_manager());
  const std::vector<const char*> kPieces = {"<",
                                            "<<A>",
                                            "<A>",
                                            "</",
                                            "<Current_User>",
                                            "<Current_User>[\"",
                                            "<C",
                                            "[",
                                            "{\"",
                                            "{'a':'",
                                            "\"",
                                            "\" ",
                                            "' ",
                                            "\\",
                                            "<Current_User>{\"a\":\"",
                                            "<Current_User>[1,\"",
                                            "<Current_User>[1,\"\",",
                                            "<a ",
                                            "<X>text</Y>",
                                            "<Current_User/>",
                                            ":",
                                            ",",
                                            "{]",
                                            "[}",
                                            "\xFF",
                                            "<Current_User>{'a':1}x",
                                            "<Current_User>{}",
                                            "</Context_Manager>",
                                            "<Context_Manager>",
                                            "{\"a\":",
                                            "a ",
                                            "\n",
                                            "<Current_User>[\"\",\"<Current_User>["};
  for (const char* piece : kPieces) {
    for (const char* start : {"", "<Context_Manager>", "<Context_Manager><Current_User>",
                              "<Context_Manager><Current_User>[", "<Context_Manager><Current_User>{a:'"}) {
      EXPECT_LT(seconds_of(reader, start + repeat(piece, 1'000'000)), 1.0) << start << " and " << piece;
    }
  }
}

}  // namespace
}  // namespace wend
