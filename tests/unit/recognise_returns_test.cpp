// Tool returns, references to what they brought up, and replies.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/recognise/json_scanner.h"
#include "runtime/recognise/recognise.h"

namespace wend::recognise {
namespace {

bool is_json(std::string_view text) {
  JsonScanner scanner(text);
  for (;;) {
    const JsonScanner::Event event = scanner.next();
    if (event == JsonScanner::Event::done) return true;
    if (event == JsonScanner::Event::broken) return false;
  }
}

TEST(JsonScanner, Grammar) {
  for (const char* text :
       {"1", "-0.5e+3", "\"a\\u00e9\\\"\"", "[]", "{}", " [1, {\"a\": null}, [true,false]] ", "\"\""}) {
    EXPECT_TRUE(is_json(text)) << text;
  }
  for (const char* text : {"",           " ",     "01",      "1.",     "-",       "+1",        "[1,]", "{\"a\"}",
                           "{\"a\":1,}", "{a:1}", "[1 2]",   "\"\n\"", "\"\\x\"", "\"\\u12\"", "[}",   "nul",
                           "1 1",        "\"",    "{\"a\":", "[",      "]",       "tru",       "\"\\"}) {
    EXPECT_FALSE(is_json(text)) << text;
  }
  EXPECT_TRUE(is_json(std::string(1024, '[') + std::string(1024, ']')));
  EXPECT_FALSE(is_json(std::string(1025, '[') + std::string(1025, ']')));
}

struct Result {
  const char *text, *status, *id;
  bool json, error;
};

TEST(Results, StatusAndId) {
  for (const auto& [text, status, id, json, error] : std::vector<Result>{
           {"{\"order_id\": \"#W1\", \"status\": \"pending\", \"total\": 5}", "pending", "\"#W1\"", true, false},
           {"{\"name\": \"Ann\", \"id\": 7}", "ok", "7", true, false},
           {"{\"userId\": \"u1\", \"number\": 3}", "ok", "\"u1\"", true, false},
           {"{\"paid\": \"no\"}", "ok", "{\"paid\": \"no\"}", true, false},
           {"[]", "empty", "", true, false},
           {"{}", "empty", "{}", true, false},
           {"null", "empty", "", true, false},
           {"", "empty", "", false, false},
           {"[1, 2]", "ok", "", true, false},
           {"sara_doe_496", "ok", "\"sara_doe_496\"", false, false},
           {"all done", "ok", "", false, false},
           {"Error: user not found", "error", "", false, true},
           {"ValueError: bad", "error", "", false, true},
           {"Traceback (most recent call last)", "error", "", false, true},
           {"HTTP/1.1 404 Not Found", "error", "", false, true},
           {"500 Internal Server Error", "error", "", false, true},
           {"500", "error", "", true, false},
           {"no errors: fine", "ok", "", false, false},
           {"{\"error\": \"gone\"}", "error", "{\"error\": \"gone\"}", true, true},
           {"{\"error\": null, \"id\": 1}", "ok", "1", true, false},
           {"{\"errors\": [], \"id\": 1}", "ok", "1", true, false},
           {"{\"errors\": [{\"a\": 1}], \"id\": 1}", "error", "1", true, true},
           {"{\"success\": false}", "error", "{\"success\": false}", true, true},
           {"{\"status\": \"Failed\", \"id\": 1}", "Failed", "1", true, true},
           {"{\"status\": 404, \"id\": 1}", "error", "1", true, true},
           {"{\"status_code\": 200, \"id\": 1}", "ok", "1", true, false},
           {"{\"data\": {\"error\": \"inner\"}, \"id\": 1}", "ok", "1", true, false},
           {"\"Error: no\"", "error", "\"Error: no\"", true, true},
       }) {
    Scratch scratch;
    const ReturnInfo info = read_result(text, "get_order_details", scratch);
    EXPECT_EQ(info.json, json) << text;
    if (std::string_view(text) == "500") continue;
    EXPECT_EQ(info.status, status) << text;
    EXPECT_EQ(info.id, id) << text;
    EXPECT_EQ(info.error, error) << text;
  }
}

TEST(Results, Types) {
  Scratch scratch;
  for (const auto& [tool, type] : std::vector<std::pair<const char*, const char*>>{
           {"get_order_details", "order"},
           {"find_user_id_by_email", "user_id"},
           {"searchFlights", "flights"},
           {"calculate", "calculate"},
           {"book", "book"},
           {"list_all_product_types", "all_product_types"},
           {"transfer_to_human_agents", "transfer_to_human_agents"},
       }) {
    EXPECT_EQ(read_result("[1]", tool, scratch).object_type, type) << tool;
  }
  EXPECT_EQ(read_result("{\"type\": \"gift\"}", "get_order", scratch).object_type, "gift");
}

TEST(Results, Leaves) {
  Scratch scratch;
  const ReturnInfo info = read_result(
      "{\"order\": {\"id\": \"#W1\", \"item_ids\": [11, \"22\"]}, \"done\": true, \"none\": null}", "x", scratch);
  std::string out;
  for (const Leaf& leaf : info.leaves) out += std::string(leaf.attribute) + "=" + std::string(leaf.json) + " ";
  EXPECT_EQ(out, "id=\"#W1\" item_ids=11 item_ids=\"22\" done=true ");
}

TEST(Results, Hostile) {
  Scratch scratch;
  EXPECT_TRUE(read_result(std::string(1000, '[') + "1" + std::string(1000, ']'), "x", scratch).json);
  EXPECT_FALSE(read_result(std::string(1000000, '['), "x", scratch).json);
  std::string big = "[";
  for (int i = 0; i < 60000; ++i) big += "{\"id\": " + std::to_string(i) + "},";
  big.back() = ']';
  const ReturnInfo info = read_result(big, "x", scratch);
  EXPECT_TRUE(info.json);
  EXPECT_LE(info.leaves.size(), 64u);
  EXPECT_FALSE(read_result(std::string(1 << 20, 'a'), "x", scratch).json);
  EXPECT_TRUE(read_result("\"" + std::string(1 << 20, 'a') + "\"", "x", scratch).id.empty());
}

// ---- References -----------------------------------------------------------------------------------------------------

constexpr const char* kFlights =
    "[{\"flight_id\": \"F1\", \"price\": 120, \"departs\": \"09:00\", \"duration\": 90},"
    "{\"flight_id\": \"F2\", \"price\": 80.5, \"departs\": \"11:00\", \"duration\": 90},"
    "{\"flight_id\": \"F3\", \"price\": 300, \"departs\": \"07:30\", \"duration\": 60}]";
constexpr const char* kOrder = "{\"order_id\": \"#W1\", \"items\": [\"a\", \"b\"]}";

std::string refers(std::string_view text, const std::vector<ObjectView>& objects) {
  Scratch scratch;
  scratch.read(text);
  std::string out;
  for (const Reference& r : resolved(objects, scratch)) {
    out += (out.empty() ? "" : "; ") + std::string(r.phrase) + " = " + std::string(r.value);
  }
  return out;
}

TEST(References, Lists) {
  const std::vector<ObjectView> objects = {{"order", kOrder, "{\"order_id\":\"#W1\"}"}, {"flights", kFlights, "{}"}};
  for (const auto& [text, expected] : std::vector<std::pair<const char*, const char*>>{
           {"I'll take the second one", "the second one = \"F2\""},
           {"the last flight, please", "the last flight = \"F3\""},
           {"book the 3rd option", "the 3rd option = \"F3\""},
           {"the fourth one", ""},
           {"first of all", ""},
           {"option 2", "option 2 = \"F2\""},
           {"number two and #3", "number two = \"F2\"; #3 = \"F3\""},
           {"the cheapest", "the cheapest = \"F2\""},
           {"the cheapest flight", "the cheapest flight = \"F2\""},
           {"The Most Expensive one", "The Most Expensive one = \"F3\""},
           {"the shortest one", "the shortest one = \"F3\""},
           {"the longest one", ""},  // two are as long
           {"the highest rated", ""},
           {"something cheaper", ""},
           {"all of them", "all of them = [\"F1\",\"F2\",\"F3\"]"},
           {"both", ""},
           {"cancel it", ""},  // the newest is a list
           {"cancel that order", "that order = \"#W1\""},
           {"the same order", "the same order = \"#W1\""},
           {"that hotel", ""},
           {"\u7b2c\u4e8c\u4e2a", "\u7b2c\u4e8c\u4e2a = \"F2\""},
           {"\u6700\u4fbf\u5b9c\u7684", "\u6700\u4fbf\u5b9c\u7684 = \"F2\""},
           {"the second one, yes the second one", "the second one = \"F2\""},
       }) {
    EXPECT_EQ(refers(text, objects), expected) << text;
  }
}

TEST(References, Objects) {
  const std::vector<ObjectView> objects = {{"flights", kFlights, "{}"}, {"order", kOrder, "{\"order_id\":\"#W1\"}"}};
  EXPECT_EQ(refers("cancel it", objects), "it = \"#W1\"");
  EXPECT_EQ(refers("make it 7pm", objects), "");
  EXPECT_EQ(refers("that one", objects), "that one = \"#W1\"");
  EXPECT_EQ(refers("same as before", objects), "same as before = {\"order_id\":\"#W1\"}");
  EXPECT_EQ(refers("the second flight", objects), "the second flight = \"F2\"");
  EXPECT_EQ(refers("cancel it", {}), "");
  EXPECT_EQ(refers("cancel it", {{"user", "sara_doe_496", ""}}), "it = \"sara_doe_496\"");
  EXPECT_EQ(refers("cancel it", {{"user", "Error: none", ""}}), "");
  EXPECT_EQ(refers("both", {{"list", "{\"total\": 2, \"found\": [{\"id\": 1}, {\"id\": 2}]}", ""}}), "both = [1,2]");
  EXPECT_EQ(refers("the first one", {{"list", "{\"a\": [{\"id\": 1}], \"b\": [{\"id\": 2}]}", ""}}), "");
  EXPECT_EQ(refers("the first one", {{"list", "{\"a\": {\"b\": [{\"id\": 1}]}}", ""}}), "");
}

TEST(References, Dated) {
  const std::vector<ObjectView> objects = {
      {"slots", "[{\"id\": 1, \"time\": \"09:30\"}, {\"id\": 2, \"time\": \"08:15\"}]", ""}};
  EXPECT_EQ(refers("the earliest", objects), "the earliest = 2");
  EXPECT_EQ(refers("the later one", objects), "the later one = 1");
}

// ---- Replies --------------------------------------------------------------------------------------------------------

class Replies : public testing::Test {
 protected:
  Replies()
      : tools_(Toolset::compile(
            std::vector<ToolSchema>{{"book_table",
                                     {{"city", WEND_JSON_TEXT, {}},
                                      {"reservation_date", WEND_JSON_TEXT, {}},
                                      {"time", WEND_JSON_TEXT, {}},
                                      {"first_name", WEND_JSON_TEXT, {}},
                                      {"last_name", WEND_JSON_TEXT, {}}}},
                                    {"weather", {{"city", WEND_JSON_TEXT, {}}, {"day", WEND_JSON_TEXT, {}}}}})) {}

  std::string asks(std::string_view text) {
    Scratch scratch;
    const ReplyInfo info = read_reply(text, tools_, context_, scratch);
    std::string out = info.asks ? "asks" : "says";
    for (const Missing& m : info.missing) {
      out += " " + (m.tool_known ? std::string(tools_.tool_name(tools_.tool_of(m.param))) + "." : "") +
             std::string(tools_.param_name(m.param));
    }
    return out;
  }

  Toolset tools_;
  MentionContext context_;
};

TEST_F(Replies, Questions) {
  EXPECT_EQ(asks("Done."), "says");
  EXPECT_EQ(asks(""), "says");
  EXPECT_EQ(asks("Is that right?"), "asks");
  EXPECT_EQ(asks("\u597d\u5417\uff1f"), "asks");
  EXPECT_EQ(asks("Please provide your id."), "asks");
  EXPECT_EQ(asks("Could you confirm."), "asks");
  EXPECT_EQ(asks("I booked it. Is there anything else I can help with?"), "says");
  EXPECT_EQ(asks("I can provide that."), "says");
}

TEST_F(Replies, Missing) {
  EXPECT_EQ(asks("Which city?"), "asks city");
  EXPECT_EQ(asks("In which city should I book the table?"), "asks book_table.city");
  EXPECT_EQ(asks("The city is nice. What date and time for the table?"),
            "asks book_table.reservation_date book_table.time");
  EXPECT_EQ(asks("What is your last name?"), "asks book_table.last_name");
  EXPECT_EQ(asks("What is your name?"), "asks");
  EXPECT_EQ(asks("Where should I book the table?"), "asks book_table.city");
  EXPECT_EQ(asks("When do you need the table?"), "asks book_table.reservation_date");
  context_.tool = tools_.find_tool("weather");
  EXPECT_EQ(asks("Which city?"), "asks weather.city");
  const std::vector<KnownSlot> slots = {{tools_.find_param(context_.tool, "city"), "\"Rome\""}};
  context_.slots = slots;
  EXPECT_EQ(asks("Which city?"), "asks");
}

}  // namespace
}  // namespace wend::recognise
