// The primitives that renders write with, compiled natively, so that sanitizers see what they read and write.
#include "compiler/codegen/primitives/put.cpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace wend::test {
namespace {

// An output that has exactly the room that was asked for.
class TightOutput {
 public:
  TightOutput() {
    out_.grow = [](wend_output* out, size_t more) {
      auto& self = *reinterpret_cast<TightOutput*>(out);
      auto fresh = std::make_unique<char[]>(out->size + more);
      if (out->size > 0) memcpy(fresh.get(), out->data, out->size);
      self.bytes_ = std::move(fresh);
      out->data = self.bytes_.get();
      out->capacity = out->size + more;
    };
  }
  wend_output* get() { return &out_; }
  std::string until(const char* at) const { return {out_.data, static_cast<size_t>(at - out_.data)}; }

 private:
  wend_output out_{};  // first: grow gets its address
  std::unique_ptr<char[]> bytes_;
};

// A text with nothing before and behind it.
class TightText {
 public:
  explicit TightText(const std::string& text) : bytes_(std::make_unique<char[]>(text.size())) {
    if (!text.empty()) memcpy(bytes_.get(), text.data(), text.size());
    span_ = {bytes_.get(), text.size()};
  }
  const wend_bytes* get() const { return &span_; }

 private:
  std::unique_ptr<char[]> bytes_;
  wend_bytes span_{};
};

std::string escaped(const std::string& text, uint32_t limit = UINT32_MAX) {
  TightOutput output;
  const TightText tight(text);
  return output.until(wend_put_quoted(output.get(), nullptr, tight.get(), 0, INT64_MAX, limit));
}

std::string json(const std::string& text, uint8_t type, uint32_t limit) {
  TightOutput output;
  const TightText tight(text);
  const uint32_t row = 0;
  return output.until(wend_put_json(output.get(), nullptr, &type, &row, tight.get(), 0, limit));
}

TEST(Puts, EscapesAtEveryPlaceOfEveryLength) {
  const std::vector<std::pair<char, std::string>> escapes = {
      {'"', "\\\""}, {'\\', "\\\\"},    {'\n', "\\n"},       {'\t', "\\t"},    {'\r', "\\r"},    {'\b', "\\b"},
      {'\f', "\\f"}, {'\0', "\\u0000"}, {'\x1F', "\\u001f"}, {'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}};
  for (size_t size = 0; size < 70; ++size) {
    std::string plain;
    for (size_t i = 0; i < size; ++i) plain += " !'=%;/aZ[]~\x7F\xC3\xA9"[i % 15];
    EXPECT_EQ(escaped(plain), '"' + plain + '"');
    for (size_t place = 0; place < size; ++place) {
      const auto& [special, escape] = escapes[(size + place) % escapes.size()];
      std::string text = plain, wanted = plain;
      text[place] = special;
      wanted.replace(place, 1, escape);
      EXPECT_EQ(escaped(text), '"' + wanted + '"') << "length " << size << ", place " << place;
    }
    EXPECT_EQ(escaped(std::string(size, '<')).size(), 2 + 6 * size);
  }
}

TEST(Puts, BytesAsTheyAre) {
  for (size_t size = 0; size < 70; ++size) {
    std::string text;
    for (size_t i = 0; i < size; ++i) text += static_cast<char>('0' + i);
    TightOutput output;
    const TightText tight(text);
    char* at = wend_put_bytes(output.get(), nullptr, tight.get()->data, size);
    EXPECT_EQ(output.until(at), text);
  }
}

TEST(Puts, LimitsCountCharacters) {
  EXPECT_EQ(escaped("café", 4), "\"café\"");
  EXPECT_EQ(escaped("cafés", 4), "\"caf…\"");
  EXPECT_EQ(escaped("漢字漢字", 3), "\"漢字…\"");
  EXPECT_EQ(escaped("\"\"\"\"", 3), "\"\\\"\\\"…\"");
  EXPECT_EQ(escaped("a", 0), "\"…\"");
  EXPECT_EQ(escaped("", 0), "\"\"");
  EXPECT_EQ(json(R"({"longer key":"longer text","k":["<b>\n\"x",12345678]})", WEND_JSON_OBJECT, 4),
            R"({"longer key":"lon…","k":["\u003cb\u003e…",12345678]})");
  EXPECT_EQ(json("12345678", WEND_JSON_INT, 4), "12345678");
  EXPECT_EQ(json("12345678", WEND_JSON_TEXT, 4), "\"123…\"");
}

TEST(Puts, WhatIsWrittenIsCut) {
  TightOutput output;
  const std::string text = R"(abc\u003c\"d漢ef)";  // 9 characters
  char* at = wend_put_bytes(output.get(), nullptr, text.data(), text.size());
  at = wend_put_cut(output.get(), at, 1, 8);
  EXPECT_EQ(output.until(at), text);
  at = wend_put_cut(output.get(), at, 1, 7);
  EXPECT_EQ(output.until(at), R"(abc\u003c\"d漢…)");
  at = wend_put_cut(output.get(), at, 1, 4);
  EXPECT_EQ(output.until(at), R"(abc\u003c…)");
}

TEST(Puts, IntegersToTheLimits) {
  for (int64_t value : {std::numeric_limits<int64_t>::min(), int64_t{-10}, int64_t{0}, int64_t{7}, int64_t{10},
                        std::numeric_limits<int64_t>::max()}) {
    TightOutput output;
    EXPECT_EQ(output.until(wend_put_integer(output.get(), nullptr, value)), std::to_string(value));
  }
}

}  // namespace
}  // namespace wend::test
