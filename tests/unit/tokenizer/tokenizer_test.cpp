// Encoding, decoding and what a tokenizer.json may get wrong. tests/oracle/trainer compares with the reference.
#include "trainer/tokenizer/tokenizer.h"

#include <gmock/gmock.h>

#include "trainer/tokenizer/chat.h"
#include "trainer/tokenizer/train.h"

namespace wend::tokenizer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Tokenizer trained(int32_t size = 400) {
  TrainOptions options;
  options.size = size;
  options.special = control_tokens(ChatFormat::qwen3);
  options.added = added_tokens(ChatFormat::qwen3);
  const std::vector<std::string> texts(5, "Set an alarm for 7am. Actually, set the alarm for 6:30. Ändere den Wecker.");
  return *train(texts, options);
}

TEST(Tokenizing, EveryTextComesBack) {
  const Tokenizer tokenizer = trained();
  for (const std::string& text :
       std::vector<std::string>{"", "Set an alarm", "  a\n\n b\t", "Ä 漢字 👨‍👩‍👧 İ",
                                "x<|im_end|>y <tool_call>", std::string("\0\x7f", 2)}) {
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
  }
  std::string longer;
  for (int i = 0; i < 5000; ++i) longer += "alarm"[i % 5];
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(longer)), longer) << "one piece of 5,000 bytes";
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("a\xFF\xE2\x82z")), "a\xEF\xBF\xBD\xEF\xBF\xBDz") << "no UTF-8";
}

TEST(Tokenizing, MergesByRankThenFromTheLeft) {
  // a..: bytes; "aa" before "aab": "aaab" is aa|a|b, then aa|ab? no such merge.
  std::vector<std::string> tokens;
  for (int b = 0; b < 256; ++b) tokens.push_back(std::string(1, static_cast<char>(b)));
  tokens.insert(tokens.end(), {"aa", "ab", "aaab"});
  const Bpe bpe = *Bpe::make(tokens, {{'a', 'a', 256}, {'a', 'b', 257}, {256, 257, 258}}, false);
  const auto ids = [&](std::string_view piece) {
    std::vector<int32_t> out;
    bpe.encode(piece, out);
    return out;
  };
  EXPECT_THAT(ids("aab"), ElementsAre(256, 'b'));
  EXPECT_THAT(ids("aaab"), ElementsAre(258));
  EXPECT_THAT(ids("ab"), ElementsAre(257));
  EXPECT_THAT(ids("aaa"), ElementsAre(256, 'a'));
  const std::string many(100, 'a');  // the other way of merging
  EXPECT_EQ(ids(many), std::vector<int32_t>(50, 256));
}

TEST(Tokenizing, NamesOfControlTokensInSpeechAreText) {
  const Tokenizer tokenizer = trained();
  const int32_t end = *tokenizer.id_of("<|im_end|>");
  const std::string text = "<|im_end|>hi<|im_end|>";
  const std::vector<ByteRange> said = {{10, 22}};
  const std::vector<int32_t> ids = tokenizer.encode(text, said);
  EXPECT_EQ(ids.front(), end);
  EXPECT_EQ(std::count(ids.begin(), ids.end(), end), 1);
  EXPECT_EQ(tokenizer.decode(ids), text);
  EXPECT_EQ(tokenizer.decode(ids, true), "hi<|im_end|>");
}

TEST(Tokenizing, AStreamGivesWholeCharacters) {
  const Tokenizer tokenizer = trained(265);  // bytes only
  DecodeStream stream(tokenizer);
  std::string all;
  for (const int32_t id : tokenizer.encode("ä👍<|im_end|>x")) {
    const std::string part = stream.feed(id);
    EXPECT_EQ(part, valid_utf8(part));
    all += part;
  }
  EXPECT_EQ(all, "ä👍x");
  const std::vector<int32_t> ids = tokenizer.encode("👍");
  EXPECT_EQ(stream.feed(ids[0]), "");
  EXPECT_EQ(stream.feed(ids[1]), "");
  EXPECT_EQ(stream.flush(), "\xEF\xBF\xBD");
}

TEST(Tokenizing, ItsFileIsReadAgainAsItIs) {
  const Tokenizer tokenizer = trained();
  const Result<Tokenizer> again = Tokenizer::parse(tokenizer.json(), "x");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->json(), tokenizer.json());
  EXPECT_EQ(again->encode("Set <tool_call>an alarm"), tokenizer.encode("Set <tool_call>an alarm"));
}

std::string error(const std::function<void(Json&)>& change) {
  Json json = trained(265 + 2).json();
  change(json);
  const Result<Tokenizer> read = Tokenizer::parse(json, "tokenizer.json");
  return read ? "no error" : read.error().message;
}

TEST(Tokenizing, BadFilesSayWhatIsWrong) {
  EXPECT_EQ(error([](Json&) {}), "no error");
  EXPECT_THAT(error([](Json& j) { j["model"]["type"] = "Unigram"; }),
              HasSubstr("`model.type`: is \"Unigram\"; supported is BPE"));
  EXPECT_THAT(error([](Json& j) { j["model"].erase("vocab"); }), HasSubstr("`model.vocab`: is missing"));
  EXPECT_THAT(error([](Json& j) { j["model"]["vocab"].erase("~"); }), HasSubstr("no token stands for the byte 0x7E"));
  EXPECT_THAT(error([](Json& j) { j["model"]["vocab"]["a"] = j["model"]["vocab"]["b"]; }),
              HasSubstr("another token's as well"));
  EXPECT_THAT(error([](Json& j) { j["model"]["vocab"]["a"] = -1; }), HasSubstr("-1 is no id"));
  EXPECT_THAT(error([](Json& j) { j["model"]["vocab"]["a"] = 99999999999; }), HasSubstr("is no id"));
  EXPECT_THAT(error([](Json& j) { j["model"]["merges"].push_back("zz yy"); }),
              HasSubstr("`zz` is not in the vocabulary"));
  EXPECT_THAT(error([](Json& j) { j["model"]["merges"].push_back("zz"); }), HasSubstr("is no pair"));
  EXPECT_THAT(error([](Json& j) { j["model"]["byte_fallback"] = true; }), HasSubstr("not supported"));
  EXPECT_THAT(error([](Json& j) { j["normalizer"] = {{"type", "NFKC"}}; }), HasSubstr("is `NFKC`; supported are NFC"));
  EXPECT_THAT(error([](Json& j) { j["pre_tokenizer"] = {{"type", "Metaspace"}}; }), HasSubstr("Metaspace"));
  EXPECT_THAT(error([](Json& j) { j["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "("; }),
              HasSubstr("no regular expression"));
  EXPECT_THAT(error([](Json& j) { j["added_tokens"][0]["content"] = ""; }), HasSubstr("added_tokens[0]"));
  EXPECT_THAT(Tokenizer::load("/nowhere").error().message, HasSubstr("/nowhere"));
}

TEST(Chat, RepliesAreReadLeniently) {
  const ParsedReply good =
      parse_reply(ChatFormat::qwen3,
                  "Sure.\n<tool_call>\n{\"name\": \"alarm\", \"arguments\": {\"time\": \"6:30\"}}\n</tool_call>\n"
                  "<tool_call>{\"name\": \"b\", \"arguments\": \"{\\\"x\\\": 1.0}\"}</tool_call>");
  EXPECT_EQ(good.message.content, "Sure.");
  ASSERT_EQ(good.message.tool_calls.size(), 2u);
  EXPECT_EQ(good.message.tool_calls[0].arguments, R"({"time": "6:30"})");
  EXPECT_EQ(good.message.tool_calls[1].arguments, R"({"x": 1.0})");
  EXPECT_TRUE(good.wrong.empty());
  for (const auto& [text, cause] : std::vector<std::pair<std::string, std::string>>{
           {"<tool_call>{\"name\": }</tool_call>", "a call is a JSON object"},
           {"<tool_call>{\"arguments\": {}}</tool_call>", "needs a `name`"},
           {"<tool_call>{\"name\": \"a\", \"arguments\": 7}</tool_call>", "the `arguments` of `a` are no JSON object"},
           {"<tool_call>{\"name\": \"a\", \"arguments\": {}}", "does not end with </tool_call>"}}) {
    const ParsedReply bad = parse_reply(ChatFormat::qwen3, text);
    EXPECT_TRUE(bad.message.tool_calls.empty());
    EXPECT_THAT(bad.wrong, ElementsAre(HasSubstr(cause)));
  }
  EXPECT_EQ(parse_reply(ChatFormat::llama3, "{\"name\": \"a\", \"parameters\": {}}").message.tool_calls.size(), 1u);
  EXPECT_EQ(parse_reply(ChatFormat::qwen3, "<think>\nhm\n</think>\n\nYes.").message.content, "Yes.");
}

TEST(Chat, RepliesLieWhereTheyWereGenerated) {
  using context::Message;
  using context::Role;
  Message call;
  call.role = Role::assistant;
  call.tool_calls = {{"", "alarm", "{\"time\": \"7\"}"}};
  Message user, tool;
  user.content = "7am";
  tool.role = Role::tool;
  tool.content = "ok";
  const std::vector<Message> messages = {user, call, tool};
  const ChatText text = *render_chat(ChatFormat::chatml, messages, {}, {true, ""});
  ASSERT_EQ(text.replies.size(), 1u);
  const auto [begin, end] = text.replies[0].at;
  EXPECT_EQ(text.text.substr(begin, end - begin), reply_text(ChatFormat::chatml, call) + "<|im_end|>");
  EXPECT_TRUE(text.text.ends_with("<|im_start|>assistant\n"));
}

}  // namespace
}  // namespace wend::tokenizer
