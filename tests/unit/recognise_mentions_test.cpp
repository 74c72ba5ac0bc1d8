// Values that messages give to parameters.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/recognise/entities.h"
#include "runtime/recognise/recognise.h"
#include "runtime/recognise/scratch.h"
#include "runtime/recognise/toolset.h"

namespace wend::recognise {
namespace {

// ---- Entities -----------------------------------------------------------------------------------------------------

std::string two(int n) { return (n < 10 ? "0" : "") + std::to_string(n); }

std::string show(const Entity& entity) {
  constexpr const char* kNames[] = {"quoted", "email",   "url",   "datetime", "date",   "time",
                                    "money",  "percent", "phone", "id",       "number", "name"};
  std::string out = std::string(kNames[static_cast<size_t>(entity.kind)]) + ":";
  switch (entity.kind) {
    case EntityKind::time:
      return out + two(entity.minutes / 60) + ":" + two(entity.minutes % 60) + (entity.open_time ? "?" : "");
    case EntityKind::date:
      if (entity.date.year == 0) return out + std::string(entity.said);
      return out + std::to_string(entity.date.year) + "-" + two(entity.date.month) + "-" + two(entity.date.day);
    case EntityKind::money:
    case EntityKind::percent:
    case EntityKind::number: {
      char number[32];
      std::snprintf(number, sizeof number, "%.10g", entity.number);
      return out + number;
    }
    default:
      return out + std::string(entity.said);
  }
}

std::string entities(std::string_view text, std::optional<Date> today = {}) {
  Scratch scratch;
  scratch.read(text);
  Scratch::State& state = scratch.state();
  state.know_words();
  find_entities({state.tokens, state.words, today}, state.entities);
  std::string out;
  for (const Entity& entity : state.entities) out += (out.empty() ? "" : " ") + show(entity);
  return out;
}

struct Case {
  const char *text, *expected;
};

TEST(Entities, Times) {
  for (const auto& [text, expected] : std::vector<Case>{
           {"at 7am", "time:07:00"},
           {"at 7 AM", "time:07:00"},
           {"at 6:30 pm", "time:18:30"},
           {"at 6:30pm.", "time:18:30"},
           {"at 7 p.m. sharp", "time:19:00"},
           {"12am and 12pm", "time:00:00 time:12:00"},
           {"6:30", "time:06:30?"},
           {"06:30", "time:06:30"},
           {"18:30", "time:18:30"},
           {"6.30 pm", "time:18:30"},
           {"6.30", "number:6.3"},
           {"noon or midnight", "time:12:00 time:00:00"},
           {"half past 7 in the evening", "time:19:30"},
           {"quarter to seven", "time:06:45?"},
           {"quarter past 11 pm", "time:23:15"},
           {"7 o'clock", "time:07:00?"},
           {"seven o\u2019clock tonight", "time:19:00 date:tonight"},
           {"morning 11:15", "time:11:15"},
           {"7 in the evening", "time:19:00"},
           {"9 at night", "time:21:00"},
           {"25:00", ""},
           {"7:75", ""},
           {"I am 7", "number:7"},
           {"10:15:30 am", "time:10:15"},
       }) {
    EXPECT_EQ(entities(text), expected) << text;
  }
}

TEST(Entities, Dates) {
  for (const auto& [text, expected] : std::vector<Case>{
           {"on 2024-05-12.", "date:2024-05-12"},
           {"2024/5/2", "date:2024-05-02"},
           {"5/25/2024", "date:2024-05-25"},
           {"25/5/2024", "date:2024-05-25"},
           {"5/12/2024", "date:5/12/2024"},
           {"5/5/2024", "date:2024-05-05"},
           {"12.5.2024", "date:2024-05-12"},
           {"5/12", "date:5/12"},
           {"March 3rd", "date:March 3rd"},
           {"March 3, 2024", "date:2024-03-03"},
           {"the 3rd of March 2024", "date:2024-03-03"},
           {"Mar. 3", "date:Mar. 3"},
           {"3 Sept", "date:3 Sept"},
           {"you may 3 times", "number:3"},
           {"next Friday", "date:next Friday"},
           {"Friday, March 3rd", "date:March 3rd"},
           {"the day after tomorrow", "date:day after tomorrow"},
           {"February 30", "number:30"},
           {"2024-13-12", ""},
           {"2024-05-12T10:30:00Z", "datetime:2024-05-12T10:30:00Z"},
       }) {
    EXPECT_EQ(entities(text), expected) << text;
  }
  const Date today{2026, 11, 30};  // a Monday
  for (const auto& [text, expected] : std::vector<Case>{
           {"tomorrow", "date:2026-12-01"},
           {"yesterday", "date:2026-11-29"},
           {"the day after tomorrow", "date:2026-12-02"},
           {"Monday", "date:2026-12-07"},
           {"Friday", "date:2026-12-04"},
           {"next Friday", "date:next Friday"},
           {"March 3rd", "date:2027-03-03"},
           {"December 24", "date:2026-12-24"},
           {"Nov 30", "date:2026-11-30"},
       }) {
    EXPECT_EQ(entities(text, today), expected) << text;
  }
}

TEST(Entities, Numbers) {
  for (const auto& [text, expected] : std::vector<Case>{
           {"2 guests", "number:2"},
           {"1,234.50", "number:1234.5"},
           {"12,34", "number:12"},
           {"-5 degrees", "number:-5"},
           {"20k", "number:20000"},
           {"5kg", "number:5"},
           {"2.5 million", "number:2500000"},
           {"twenty-five", "number:25"},
           {"two hundred and five", "number:205"},
           {"a hundred", "number:100"},
           {"a dozen", "number:12"},
           {"three thousand two hundred", "number:3200"},
           {"a book", ""},
           {"this one", ""},
           {"one bag", "number:1"},
           {"the 3rd one", ""},
           {"one thousand three hundred and ten", "number:1310"},
           {"two thousand and five", "number:2005"},
           {"1.2.3", ""},
           {"2-3 people", ""},
           {"$20", "money:20"},
           {"20 dollars", "money:20"},
           {"\u20ac1,000", "money:1000"},
           {"fifty bucks", "money:50"},
           {"15%", "percent:15"},
           {"15 percent", "percent:15"},
       }) {
    EXPECT_EQ(entities(text), expected) << text;
  }
}

TEST(Entities, SpokenHours) {
  for (const auto& [text, expected] : std::vector<Case>{
           {"one in the afternoon", "time:13:00"},
           {"seven at night", "time:19:00"},
           {"one in the box", "number:1"},
           {"quarter to 12 in the morning", "time:11:45"},
           {"quarter to one pm", "time:12:45"},
           {"3 o'clock p.m.", "time:15:00"},
           {"three o'clock am", "time:03:00"},
       }) {
    EXPECT_EQ(entities(text), expected) << text;
  }
}

TEST(Entities, DaysOfAMonth) {
  for (const auto& [text, expected] : std::vector<Case>{
           {"the 3rd", "date:the 3rd"},
           {"on 3rd, please", "date:3rd"},
           {"the 9th of this month", "date:9th of this month"},
           {"the 9th of next month", "date:9th of next month"},
           {"the 9th of every month", ""},
           {"our 3rd", ""},
           {"the 2nd option", ""},
           {"the 12th of March", "date:12th of March"},
           {"Wednesday next week", "date:Wednesday next week"},
           {"monday this week", "date:monday this week"},
           {"Monday next to it", "date:Monday"},
       }) {
    EXPECT_EQ(entities(text), expected) << text;
  }
}

TEST(Moments, OneDateOrTimeInTwoForms) {
  Scratch scratch;
  scratch.read("as it was");
  for (const auto& [one, other] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"March 11th", "2019-03-11"},
           {"11th of March", "Mar. 11"},
           {"the 11th", "2019-03-11"},
           {"Friday, March 11th", "11 March"},
           {"7pm", "19:00"},
           {"half past 6 pm", "18:30"},
       }) {
    EXPECT_TRUE(same_moment(one, other, scratch)) << one << " " << other;
    EXPECT_TRUE(same_moment(other, one, scratch)) << one << " " << other;
  }
  for (const auto& [one, other] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"March 11th", "March 12th"},
           {"2019-03-11", "2020-03-11"},
           {"the 11th of next month", "2019-03-11"},
           {"3/4/2024", "4/3/2024"},
           {"Friday", "Friday"},
           {"7pm", "7am"},
           {"the 11th of March or so", "2019-03-11"},
           {"3", "3"},
       }) {
    EXPECT_FALSE(same_moment(one, other, scratch)) << one << " " << other;
  }
  EXPECT_EQ(scratch.message(), "as it was");
}

TEST(Agreement, ByTheFirstWords) {
  Scratch scratch;
  for (const std::string_view text : {"Yes, please.", "sounds good to me", "That's fine", "All right then", "Great!"}) {
    scratch.read(text);
    EXPECT_TRUE(agrees(scratch)) << text;
  }
  for (const std::string_view text :
       {"", "Yes, but not at 7", "no", "That one", "Great, what else is there?", "I want it"}) {
    scratch.read(text);
    EXPECT_FALSE(agrees(scratch)) << text;
  }
}

TEST(Entities, Forms) {
  for (const auto& [text, expected] : std::vector<Case>{
           {"mail me at Ann.Lee+x@mail.example.com.", "email:Ann.Lee+x@mail.example.com"},
           {"(bob@x.org)", "email:bob@x.org"},
           {"bob@x", ""},
           {"see https://a.b/c?d=1.", "url:https://a.b/c?d=1"},
           {"www.example.com", "url:www.example.com"},
           {"call 555-123-4567", "phone:555-123-4567"},
           {"+49 (0)30 123456", "phone:+49 (0)30 123456"},
           {"(555) 123 4567 please", "phone:(555) 123 4567"},
           {"order #W2378156", "id:#W2378156"},
           {"user sara_doe_496", "id:sara_doe_496"},
           {"flight HAT001?", "id:HAT001"},
           {"ABC-123", "id:ABC-123"},
           {"code 12345", "id:12345"},
           {"a 2-bedroom flat", "number:2"},
           {"titled \"Hello, World\"", "quoted:Hello, World"},
           {"titled 'Hello'", "quoted:Hello"},
           {"\"bob@x.org\"", "email:bob@x.org"},
           {"don't", ""},
           {"\u300c\u6771\u4eac\u300d", "quoted:\u6771\u4eac"},
           {"fly from San Jose to New York City", "name:San Jose name:New York City"},
           {"my name is Ann Lee.", "name:Ann Lee"},
           {"in May", ""},
       }) {
    EXPECT_EQ(entities(text), expected) << text;
  }
}

// ---- Mentions -----------------------------------------------------------------------------------------------------

ParamSchema param(std::string name, uint8_t type = WEND_JSON_TEXT, std::vector<std::string> choices = {}) {
  return {std::move(name), type, std::move(choices)};
}

class Mentions : public testing::Test {
 protected:
  Mentions()
      : tools_(Toolset::compile(std::vector<ToolSchema>{
            {"book_table",
             {param("restaurant_name"), param("city"), param("date"), param("time"), param("party_size", WEND_JSON_INT),
              param("seating", WEND_JSON_TEXT, {"\"indoor\"", "\"outdoor\"", "\"outdoor_terrace\""})}},
            {"search_flights",
             {param("origin"), param("destination"), param("departure_date"), param("return_date"),
              param("seatClass", WEND_JSON_TEXT, {"\"economy\"", "\"premium economy\"", "\"business\""}),
              param("max_price", WEND_JSON_REAL), param("include_insurance", WEND_JSON_BOOL),
              param("num_passengers", WEND_JSON_INT)}},
            {"cancel_order",
             {param("order_id"), param("reason", WEND_JSON_TEXT, {"\"no longer needed\"", "\"ordered by mistake\""})}},
            {"exchange_items", {param("order_id"), param("item_ids", WEND_JSON_LIST), param("email")}},
            {"schedule", {param("start_time"), param("end_time"), param("title"), param("contact_phone")}},
        })) {}

  uint32_t number(std::string_view tool, std::string_view name) const {
    return tools_.find_param(tools_.find_tool(tool), name);
  }

  // What a message says: tool.param=value, by place.
  std::string says(std::string_view text) {
    scratch_.read(text);
    context_.slots = slots_;
    context_.asked = asked_;
    context_.seen = &seen_;
    std::string out;
    for (const Mention& m : mentioned(tools_, context_, scratch_)) {
      if (!out.empty()) out += " ";
      out += std::string(tools_.tool_name(tools_.tool_of(m.param))) + "." + std::string(tools_.param_name(m.param)) +
             "=" + std::string(m.value);
    }
    return out;
  }
  void act(std::string_view tool) { context_.tool = tools_.find_tool(tool); }
  void know(std::string_view tool, std::string_view name, std::string_view value) {
    slots_.push_back({number(tool, name), value});
  }

  Toolset tools_;
  Scratch scratch_;
  SeenValues seen_;
  MentionContext context_;
  std::vector<KnownSlot> slots_;
  std::vector<uint32_t> asked_;
};

TEST_F(Mentions, ByFormAndName) {
  EXPECT_EQ(says("Book a table for 4 people at 7pm on March 3rd"),
            "book_table.party_size=4 book_table.time=\"19:00\" book_table.date=\"March 3rd\"");
  EXPECT_EQ(says("I need a table in San Mateo, outdoor terrace please"),
            "book_table.city=\"San Mateo\" book_table.seating=\"outdoor_terrace\"");
  EXPECT_EQ(says("Search flights from San Jose to New York"),
            "search_flights.origin=\"San Jose\" search_flights.destination=\"New York\"");
  EXPECT_EQ(says("flights in premium economy with insurance"),
            "search_flights.seatClass=\"premium economy\" search_flights.include_insurance=true");
  EXPECT_EQ(says("a flight without insurance"), "search_flights.include_insurance=false");
  EXPECT_EQ(says("is insurance included in the flight?"), "");
  EXPECT_EQ(says("Please cancel my order #W2378156, no longer needed"),
            "cancel_order.order_id=\"#W2378156\" cancel_order.reason=\"no longer needed\"");
  EXPECT_EQ(says("exchange items AB-12, EF-5 and CD-34, mail bob@x.org"),
            "exchange_items.item_ids=[\"AB-12\",\"EF-5\",\"CD-34\"] exchange_items.email=\"bob@x.org\"");
  EXPECT_EQ(says("hello there, how are you?"), "");
  EXPECT_EQ(says(""), "");
}

TEST_F(Mentions, AmbiguousIsNone) {
  EXPECT_EQ(says("W2378156"), "");                // which tool's order?
  EXPECT_EQ(says("flights on March 3rd"), "");    // departure or return?
  EXPECT_EQ(says("a table at 7pm or 8pm"), "");   // one of two
  EXPECT_EQ(says("a table at 7pm, at 8pm"), "");  // both
  EXPECT_EQ(says("a table at 7pm, no, 8pm"), "book_table.time=\"20:00\"");
  EXPECT_EQ(says("a table at 7pm, yes 7pm"), "book_table.time=\"19:00\"");
  EXPECT_EQ(says("I have 3 dogs"), "");
}

TEST_F(Mentions, Roles) {
  EXPECT_EQ(says("schedule it from 9am to 5pm"), "schedule.start_time=\"09:00\" schedule.end_time=\"17:00\"");
  EXPECT_EQ(says("flights on March 3rd and return on March 10th"),
            "search_flights.departure_date=\"March 3rd\" search_flights.return_date=\"March 10th\"");
}

TEST_F(Mentions, OfTheAction) {
  act("book_table");
  know("book_table", "time", "\"19:00\"");
  know("book_table", "party_size", "4");
  EXPECT_EQ(says("make it 6:30"), "book_table.time=\"18:30\"");
  EXPECT_EQ(says("make it 06:30"), "book_table.time=\"06:30\"");
  EXPECT_EQ(says("actually 3"), "book_table.party_size=3");
  EXPECT_EQ(says("change 7pm to 8pm"), "book_table.time=\"20:00\"");
  EXPECT_EQ(says("not 7pm but 8pm"), "book_table.time=\"20:00\"");
  EXPECT_EQ(says("8pm instead of 7pm"), "book_table.time=\"20:00\"");
  EXPECT_EQ(says("8pm, not 7pm"), "book_table.time=\"20:00\"");
  EXPECT_EQ(says("not at 7pm"), "");
  EXPECT_EQ(says("not outdoor but indoor"), "book_table.seating=\"indoor\"");
  EXPECT_EQ(says("economy"), "");
}

TEST_F(Mentions, ChangesFollowTheOldValue) {
  act("schedule");
  know("schedule", "start_time", "\"09:00\"");
  know("schedule", "end_time", "\"17:00\"");
  EXPECT_EQ(says("move 9am to 10am"), "schedule.start_time=\"10:00\"");
  EXPECT_EQ(says("change 5pm to 6pm"), "schedule.end_time=\"18:00\"");
  EXPECT_EQ(says("make it 6pm"), "");
}

TEST_F(Mentions, ReplacementsOfTexts) {
  know("search_flights", "origin", "\"Oslo\"");
  know("search_flights", "destination", "\"Berlin\"");
  for (const char* text : {"Actually, make it Munich instead of Berlin.", "make it Munich rather than Berlin",
                           "I meant Munich, not Berlin.", "Not Berlin but Munich.", "not Berlin, but rather to Munich",
                           "Change Berlin to Munich.", "Replace Berlin with Munich", "switch berlin for Munich, please",
                           "Instead of Berlin, make it Munich", "Munich rather than Berlin",
                           "Book Munich instead of Berlin", "Change the destination from Berlin to Munich"}) {
    EXPECT_EQ(says(text), "search_flights.destination=\"Munich\"") << text;
  }
  EXPECT_EQ(says("New York, not Berlin"), "search_flights.destination=\"New York\"");
  EXPECT_EQ(says("make it munich instead of berlin"), "search_flights.destination=\"munich\"");
  EXPECT_EQ(says("not Oslo but Bergen and not Berlin but Rome"),
            "search_flights.origin=\"Bergen\" search_flights.destination=\"Rome\"");
  EXPECT_EQ(says("change Berlin to Munich, 4 passengers"),
            "search_flights.destination=\"Munich\" search_flights.num_passengers=4");
}

TEST_F(Mentions, NoReplacements) {
  know("search_flights", "origin", "\"Oslo\"");
  know("search_flights", "destination", "\"Berlin\"");
  for (const char* text :
       {"not bad", "not sure", "Berlin instead of waiting", "not sure about Berlin", "Sorry, not Berlin",
        "Why not Berlin?", "Not Berlin, please", "something else instead of Berlin", "not Berlin but something cheaper",
        "not berlin but i need a hotel", "change Berlin to Friday", "Munich. Not Berlin.", "not Berlins but Munich",
        "I want Munich and Rome instead of Berlin", "change Berlin to One Two Three Four Five Six Seven",
        "Change Berlin to Munich or Rome"}) {
    EXPECT_EQ(says(text), "") << text;
  }
}

TEST_F(Mentions, ReplacementsOfOneParameter) {
  know("search_flights", "origin", "\"Berlin\"");
  know("search_flights", "destination", "\"Berlin\"");
  EXPECT_EQ(says("make it Munich instead of Berlin"), "");  // which of the two?
  know("book_table", "city", "\"Berlin\"");
  EXPECT_EQ(says("a table: make it Munich instead of Berlin"), "book_table.city=\"Munich\"");
  act("book_table");
  EXPECT_EQ(says("make it Munich instead of Berlin"), "book_table.city=\"Munich\"");
}

TEST_F(Mentions, Answers) {
  asked_ = {number("book_table", "city")};
  EXPECT_EQ(says("San Mateo please"), "book_table.city=\"San Mateo\"");
  EXPECT_EQ(says("in \u6771\u4eac"), "book_table.city=\"\u6771\u4eac\"");
  EXPECT_EQ(says("I don't know"), "");
  EXPECT_EQ(says("Which ones are there?"), "");
  EXPECT_EQ(says("Let me think about it. Later"), "");
  asked_ = {number("book_table", "party_size")};
  EXPECT_EQ(says("two"), "book_table.party_size=2");
  asked_ = {number("cancel_order", "order_id")};
  EXPECT_EQ(says("It's #W2378156."), "cancel_order.order_id=\"#W2378156\"");
  asked_ = {number("search_flights", "include_insurance")};
  EXPECT_EQ(says("Yes, please"), "search_flights.include_insurance=true");
  EXPECT_EQ(says("No thanks"), "search_flights.include_insurance=false");
}

TEST_F(Mentions, SeenValues) {
  seen_.add("order_id", "\"#W77\"");
  seen_.add("city", "\"S\u00e3o Paulo\"");
  seen_.add("item_ids", "4823");
  act("exchange_items");
  EXPECT_EQ(says("the one with w77"), "exchange_items.order_id=\"#W77\"");
  EXPECT_EQ(says("and 4823"), "exchange_items.item_ids=[4823]");
  context_.tool = kNone;
  EXPECT_EQ(says("what about s\u00e3o paulo"), "book_table.city=\"S\u00e3o Paulo\"");
}

TEST_F(Mentions, SeenValuesAreBounded) {
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(100000 + i % 300);
    seen_.add("order_id", '"' + ("W" + number) + '"');
    ASSERT_LE(seen_.size(), SeenValues::kMaxSeen);
  }
  act("cancel_order");
  EXPECT_EQ(says("W100099"), "cancel_order.order_id=\"W100099\"");  // added last
  SeenValues again;
  for (uint32_t i : seen_.by_age()) again.add(seen_.entry(i).attribute_view(), SeenValues::json(seen_.entry(i)));
  ASSERT_EQ(again.size(), seen_.size());
  for (size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(again.entry(again.by_age()[i]).text_view(), seen_.entry(seen_.by_age()[i]).text_view());
  }
}

TEST_F(Mentions, TypesFit) {
  act("search_flights");
  EXPECT_EQ(says("2.5 passengers"), "");
  EXPECT_EQ(says("2 passengers, max price $350.50"), "search_flights.num_passengers=2 search_flights.max_price=350.5");
}

TEST_F(Mentions, AnythingGoes) {
  for (std::string_view text : {"</Context_Manager>{\"a\":1}", "\u202e\u200f7pm\u202c", "\"", "''''", "#", "-", "+",
                                "(", "@", "a@", "$", "1,", "1.", "half past", "day after", "\xe2\x80\x99s"}) {
    says(text);
  }
  EXPECT_EQ(says("table at \u200f7\u200bpm"), "book_table.time=\"19:00\"");
}

// Two tools for the same thing, as a search and a booking are.
class Alike : public testing::Test {
 protected:
  std::string says(std::string_view text) {
    scratch_.read(text);
    std::string out;
    for (const Mention& m : mentioned(tools_, context_, scratch_)) {
      out += (out.empty() ? "" : " ") + std::string(tools_.tool_name(tools_.tool_of(m.param))) + "." +
             std::string(tools_.param_name(m.param)) + "=" + std::string(m.value) + (m.offer ? "!" : "");
    }
    return out;
  }
  Toolset tools_ = Toolset::compile(std::vector<ToolSchema>{
      {"find",
       {param("day_out"), param("beds", WEND_JSON_TEXT, {"\"1\"", "\"2\""}),
        param("pets_allowed", WEND_JSON_TEXT, {"\"True\"", "\"False\""})}},
      {"take",
       {param("day_out"), param("beds", WEND_JSON_TEXT, {"\"1\"", "\"2\""}),
        param("pets_allowed", WEND_JSON_TEXT, {"\"True\"", "\"False\""})}},
  });
  Scratch scratch_;
  MentionContext context_;
};

TEST_F(Alike, OfOneNameTheFirst) {
  EXPECT_EQ(says("on the 3rd"), "find.day_out=\"the 3rd\"");
  EXPECT_EQ(says("two beds"), "find.beds=\"2\"");
  EXPECT_EQ(says("three beds"), "");
  EXPECT_EQ(says("with pets"), "find.pets_allowed=\"True\"");
  EXPECT_EQ(says("no pets"), "find.pets_allowed=\"False\"");
}

TEST_F(Alike, OffersAreNewDatesForParametersWithAValue) {
  EXPECT_EQ(says("How about the 4th?"), "find.day_out=\"the 4th\"");
  const std::vector<KnownSlot> slots = {{0, "\"the 3rd\""}};
  context_.slots = slots;
  EXPECT_EQ(says("How about the 4th?"), "find.day_out=\"the 4th\"!");
}

}  // namespace
}  // namespace wend::recognise
