#include <gtest/gtest.h>

#include "data_testing.h"
#include "runtime/data/number.h"
#include "runtime/data/python_literal.h"

namespace wend {
namespace {

std::string canonical(std::string_view token) {
  std::string text;
  Number number;
  return canonical_number(token, text, number) ? text : "none";
}

TEST(Number, OneFormForEqualNumbers) {
  for (const char* one : {"1", "1.0", "1e0", "10e-1", "0.1e1", "1.000"}) EXPECT_EQ(canonical(one), "1") << one;
  for (const char* zero : {"0", "-0", "0.0", "-0.0", "0e7", "-0e-5"}) EXPECT_EQ(canonical(zero), "0") << zero;
  EXPECT_EQ(canonical("1.50"), "1.5");
  EXPECT_EQ(canonical("-2.5e3"), "-2500");
  EXPECT_EQ(canonical("0.000000001"), "1e-09");
  EXPECT_EQ(canonical("8.854e-12"), "8.854e-12");
}

TEST(Number, LongIntegersKeepTheirDigits) {
  EXPECT_EQ(canonical("9007199254740993"), "9007199254740993");
  EXPECT_EQ(canonical("9876543210123456"), "9876543210123456");
  EXPECT_EQ(canonical("123456789012345678901234567890"), "123456789012345678901234567890");
  EXPECT_EQ(canonical("-18446744073709551616"), "-18446744073709551616");
  EXPECT_EQ(canonical("1e20"), "100000000000000000000");
  EXPECT_EQ(canonical("9007199254740992.0"), "9007199254740992");
}

TEST(Number, WhatIsNone) {
  for (const char* bad :
       {"", "-", "01", "1.", ".5", "+1", "1e", "1e+", "NaN", "Infinity", "0x10", "1 ", "1e999", "--1", "1a"}) {
    EXPECT_EQ(canonical(bad), "none") << bad;
  }
  EXPECT_EQ(canonical("1e-999"), "0");
}

TEST(Number, NearestDouble) {
  std::string text;
  Number number;
  ASSERT_TRUE(canonical_number("9007199254740993", text, number));
  EXPECT_EQ(number.value, 9007199254740992.0);
  ASSERT_TRUE(canonical_number(std::string(400, '9'), text, number));
  EXPECT_TRUE(number.value > 1e308 && number.type == WEND_JSON_INT);
}

class Values : public ::testing::Test {
 protected:
  uint32_t V(std::string_view json) {
    const uint32_t row = batch.intern_value(json);
    EXPECT_NE(row, WEND_NONE) << json;
    return row;
  }
  uint32_t F(std::string_view json) { return batch.columns().value_folded[V(json)]; }
  std::string text(std::string_view json) { return std::string(batch.text(batch.columns().value_text[V(json)])); }
  Batch batch;
};

TEST_F(Values, CanonicalEquality) {
  EXPECT_EQ(V("1"), V("1.0"));
  EXPECT_NE(V("1"), V("\"1\""));
  EXPECT_NE(V("true"), V("\"true\""));
  EXPECT_EQ(V(R"({"b": 1, "a": [1.0, "x"]})"), V(R"({ "a":[1,"x"],"b":1e0 })"));
  EXPECT_NE(V("[1,2]"), V("[2,1]"));
  EXPECT_NE(V("9007199254740993"), V("9007199254740992"));
  EXPECT_EQ(V(R"("e\u0301")"), V("\"é\""));
  EXPECT_NE(V("\"[1]\""), V("[1]"));
  EXPECT_EQ(V(R"({"e\u0301":1})"), V(R"({"\u00e9":1})"));
  EXPECT_NE(V("[]"), V("{}"));
  EXPECT_NE(V("\"\""), V("null"));
}

TEST_F(Values, FoldedEquality) {
  EXPECT_EQ(F("\"New  York\""), F("\" new york \""));
  EXPECT_EQ(F("\"10\u00a0Km\""), F("\"10 km\""));
  EXPECT_EQ(F("\"1.0\""), F("1"));
  EXPECT_EQ(F("\"1e2\""), F("100"));
  EXPECT_EQ(F("\"True\""), F("true"));
  EXPECT_NE(F("\"null\""), F("null"));
  EXPECT_NE(F("\"007\""), F("7"));
  EXPECT_EQ(F(R"(["A", "2", {"k": "FALSE"}])"), F(R"(["a", 2, {"k": false}])"));
  EXPECT_NE(F(R"({"K": 1})"), F(R"({"k": 1})"));
  EXPECT_NE(F("\"['a']\""), F("[\"a\"]"));
  EXPECT_NE(F("\"a\""), F("\"b\""));
}

TEST_F(Values, TypesTextsAndNeedles) {
  const Columns& c = batch.columns();
  EXPECT_EQ(c.value_type[V("1.0")], WEND_JSON_INT);
  EXPECT_EQ(c.value_type[V("1.5")], WEND_JSON_REAL);
  EXPECT_EQ(c.value_type[V("[]")], WEND_JSON_LIST);
  EXPECT_EQ(c.value_type[V("{}")], WEND_JSON_OBJECT);
  EXPECT_EQ(c.value_type[V("null")], WEND_JSON_NULL);
  EXPECT_EQ(c.value_number[V("2.5")], 2.5);
  EXPECT_EQ(text("\"As It Is\""), "As It Is");
  EXPECT_EQ(text(R"({"b":"q\"","a":[null,true]})"), R"({"a":[null,true],"b":"q\""})");
  const uint32_t needle = c.value_needle[V(R"("  As It\tIs ")")];
  EXPECT_EQ(batch.text(needle), "as it is");
  EXPECT_EQ(batch.folded(needle), "as it is");
  EXPECT_EQ(batch.text(c.value_needle[V("3.0")]), "3");
  EXPECT_EQ(c.value_needle[V("[3]")], WEND_NONE);
}

TEST_F(Values, Leaves) {
  const uint32_t row = V(R"({"a": ["x", 2], "b": {"c": true, "d": []}})");
  const Columns& c = batch.columns();
  std::string leaves;
  for (uint32_t k = c.value_leaves[row].begin; k < c.value_leaves[row].end; ++k) {
    leaves += std::string(batch.text(c.value_text[c.leaf_value[k]])) + " ";
  }
  EXPECT_EQ(leaves, "x 2 true ");
  const uint32_t scalar = V("\"x\"");
  ASSERT_EQ(c.value_leaves[scalar].end - c.value_leaves[scalar].begin, 1u);
  EXPECT_EQ(c.leaf_value[c.value_leaves[scalar].begin], scalar);
}

TEST_F(Values, TheLastOfEqualKeysCounts) { EXPECT_EQ(V(R"({"a": 1, "b": 2, "a": 3})"), V(R"({"a": 3, "b": 2})")); }

TEST_F(Values, WhatIsNoValue) {
  for (const char* bad :
       {"", "nul", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "1 2", "\"\\x\"", "NaN", "[1 2]", "{a:1}"}) {
    EXPECT_EQ(batch.intern_value(bad), WEND_NONE) << bad;
  }
  const std::string deep = std::string(600, '[') + std::string(600, ']');
  EXPECT_EQ(batch.intern_value(deep), WEND_NONE);
  const std::string fine = std::string(500, '[') + std::string(500, ']');
  EXPECT_NE(batch.intern_value(fine), WEND_NONE);
}

std::string python(std::string_view text) {
  std::string json;
  return python_literal_to_json(text, json) ? json : "none";
}

TEST(Python, Literals) {
  EXPECT_EQ(python("{'a': True, 'b': (1, 2), \"c\": None}"), R"({"a":true,"b":[1,2],"c":null})");
  EXPECT_EQ(python("'it\\'s'"), R"("it's")");
  EXPECT_EQ(python("\"it's \\\"x\\\"\""), R"("it's \"x\"")");
  EXPECT_EQ(python("(1,)"), "[1]");
  EXPECT_EQ(python("(1)"), "1");
  EXPECT_EQ(python("()"), "[]");
  EXPECT_EQ(python("[1, 2.5, -3, 1_000, .5, 5.]"), "[1,2.5,-3,1000,0.5,5.0]");
  EXPECT_EQ(python("'a' 'b'"), R"("ab")");
  EXPECT_EQ(python("'\\u20ac\\x41\\ud83d\\ude00'"), "\"€A😀\"");
  EXPECT_EQ(python("{1: 'x'}"), R"({"1":"x"})");
  EXPECT_EQ(python("'''a 'quoted' b'''"), R"("a 'quoted' b")");
  EXPECT_EQ(python("{}"), "{}");
}

TEST(Python, WhatIsNoLiteral) {
  for (const char* bad :
       {"", "{'a': }", "foo", "1 + 2", "'open", "[1", "{'a' 1}", "nan", "f(1)", "{'a': 1} x", "- 1"}) {
    EXPECT_EQ(python(bad), "none") << bad;
  }
  EXPECT_EQ(python(std::string(5000, '[')), "none");
}

TEST(Python, Calls) {
  PythonCall call;
  ASSERT_TRUE(read_python_call("spotify.play('x', n=2, deep={'a': [True]})", call));
  EXPECT_EQ(call.name, "spotify.play");
  ASSERT_EQ(call.arguments.size(), 3u);
  EXPECT_EQ(call.arguments[0].name, "");
  EXPECT_EQ(call.arguments[0].json, "\"x\"");
  EXPECT_EQ(call.arguments[1].name, "n");
  EXPECT_EQ(call.arguments[2].json, R"({"a":[true]})");
  ASSERT_TRUE(read_python_call(" ls( ) ", call));
  EXPECT_TRUE(call.arguments.empty());
  ASSERT_TRUE(read_python_call("f(a=1,)", call));
  for (const char* bad : {"f", "f(", "f(a=)", "f(x y)", "(1)", "f(1) g(2)", "f('it's')", "f(,)"}) {
    EXPECT_FALSE(read_python_call(bad, call)) << bad;
  }
}

}  // namespace
}  // namespace wend
