// Kinds of values, types of parameters, and what can be drawn of them.
#include <gmock/gmock.h>

#include <set>

#include "tests/unit/synth/testing.h"

namespace wend::tools {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using Form = ValueType::Form;

TEST(Values, AListGivesItsValuesAndAFormIsFilled) {
  const Values values = some_values();
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    EXPECT_THAT(values.draw(values.find("city"), random), AnyOf("Oslo", "Bergen", "Rome"));
    EXPECT_THAT(values.draw(values.find("person"), random), AnyOf("Ann Li", "Ann Ek", "Bo Li", "Bo Ek"));
    EXPECT_THAT(values.draw(values.find("hotel_id"), random), MatchesRegex("HO-[1-9][0-9][0-9][0-9]"));
  }
  EXPECT_TRUE(values.is_id(values.find("hotel_id")));
  EXPECT_FALSE(values.is_id(values.find("person")));
  EXPECT_TRUE(values.makes(values.find("hotel_id"), "HO-1234"));
  EXPECT_FALSE(values.makes(values.find("hotel_id"), "BK-1234"));
  EXPECT_FALSE(values.makes(values.find("hotel_id"), "HO-12345"));
}

TEST(Values, EachValueOfALongListIsRare) {
  Values values;
  Json list = Json::array();
  for (int i = 0; i < 100; ++i) list.push_back("value " + std::to_string(i));
  values.add({{"thing", list}}).value();
  std::map<std::string, int> counts;
  Random random(7);
  for (int i = 0; i < 100000; ++i) ++counts[values.draw(0, random)];
  EXPECT_EQ(counts.size(), 100u);
  for (const auto& [value, count] : counts) EXPECT_LT(count, 2000) << value;
}

TEST(Values, WhatIsNoKindIsRefused) {
  const auto error = [](const char* kinds) {
    Values values;
    const Result<void> added = values.add(Json::parse(kinds));
    return added ? std::string("fine") : added.error().message;
  };
  EXPECT_EQ(error(R"({"a": "{b} x"})"), "kind `a`: `b` is no kind of value");
  EXPECT_EQ(error(R"({"a": "{b", "b": ["x"]})"), "kind `a`: a brace is not closed in `{b`");
  EXPECT_EQ(error(R"({"a": "{b}", "b": "{a}"})"), "kind `a` is made of itself");
  EXPECT_EQ(error(R"({"a": []})"), "kind `a` has no value");
  EXPECT_EQ(error(R"({"a": [""]})"), "kind `a`: a value is a text that is not empty");
  EXPECT_THAT(error("[]"), HasSubstr("are an object"));
}

TEST(Pool, TypesComeFromKindsFormatsNamesAndBounds) {
  const Pool pool =
      pool_of(R"([{"name": "get_user", "description": "Get the user.", "parameters": {"type": "object", "properties": {
      "home_city": {"type": "string"}, "id": {"type": "string"}, "start": {"type": "string", "format": "date"},
      "pickup_time": {"type": "string"}, "count": {"type": "integer", "minimum": 3, "maximum": 4},
      "more": {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 6}, "odd": {"type": ["string", "null"]}},
      "required": []}}])");
  const PoolTool& tool = pool.tool(0);
  const auto type = [&](const char* name) -> const ValueType& {
    return tool.parameters[tool.find_parameter(name)].type;
  };
  EXPECT_EQ(pool.values().name(type("home_city").kind), "city");
  EXPECT_EQ(pool.values().name(type("id").kind), "user_id");
  EXPECT_TRUE(pool.is_id(type("id")));
  EXPECT_EQ(type("start").form, Form::date);
  EXPECT_EQ(type("pickup_time").form, Form::time);
  EXPECT_EQ(type("more").low, 4);
  EXPECT_EQ(type("more").high, 5);
  EXPECT_EQ(type("odd").form, Form::kind);
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(pool.draw(type("count"), random).json, AnyOf("3", "4"));
    EXPECT_THAT(pool.draw(type("start"), random).json, MatchesRegex("\"20[0-9][0-9]-[01][0-9]-[0-3][0-9]\""));
  }
  EXPECT_FALSE(pool.fits(type("count"), {"5"}));
  EXPECT_FALSE(pool.fits(type("count"), {"3.5"}));
  EXPECT_TRUE(pool.fits(type("count"), {"3"}));
  EXPECT_EQ(tool.task, "get the user");
  EXPECT_EQ(tool.topic, "user");
}

TEST(Pool, AToolOfWhichNoCallCanBeMadeUpSaysWhy) {
  const auto why = [](const char* schema, const char* required) {
    return pool_of(std::string(
                       R"([{"name": "t", "description": "", "parameters": {"type": "object", "properties": {"x": )") +
                   schema + "}, \"required\": [" + required + "]}}]")
        .tool(0)
        .unusable;
  };
  EXPECT_EQ(why(R"({"type": "integer", "minimum": 5, "maximum": 1})", "\"x\""),
            "parameter `x`: no number is from 5 to 1");
  EXPECT_EQ(why(R"({"enum": []})", "\"x\""), "parameter `x`: `enum` lists no value");
  EXPECT_EQ(why(R"({"$ref": "#"})", "\"x\""), "parameter `x`: its schema is inside itself, or nested too deep");
  EXPECT_EQ(why(R"({"$ref": "#"})", ""), "");  // it need not be given
}

TEST(Pool, AnotherValueIsNeitherTheSameNorAPartOfIt) {
  Values values;
  values.add(Json::parse(R"({"place": ["York", "New York", "Rome"]})")).value();
  ValueType type;
  type.kind = 0;
  const Pool pool({}, std::move(values));
  Random random(3);
  Value other;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(pool.draw_other(type, {text_value("York")}, random, other));
    EXPECT_EQ(other.json, "\"Rome\"");
  }
  EXPECT_FALSE(pool.draw_other(type, {text_value("York"), text_value("Rome")}, random, other));
}

TEST(Pool, AgentsAreNotShownKinds) {
  const Pool pool = some_pool();
  EXPECT_THAT(pool.tool(0).shown, testing::Not(HasSubstr("kind")));
  EXPECT_THAT(pool.tool(0).shown, HasSubstr(R"("nights":{"type":"integer","minimum":1,"maximum":9})"));
}

}  // namespace
}  // namespace wend::tools
