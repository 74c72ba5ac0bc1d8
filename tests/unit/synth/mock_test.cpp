// Returns that are made up, and tools that only pretend.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runtime/include/wend/mock.h"
#include "runtime/mock/mock_tools.h"
#include "tests/unit/synth/testing.h"

namespace wend::mock {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json returned(MockTools& mock, std::string_view tool, std::string_view arguments) {
  const Reply reply = mock.call(tool, arguments);
  EXPECT_FALSE(reply.error) << reply.text;
  return json::parse(reply.text);
}

TEST(MockTools, ReturnsAreTheSameForTheSameCallAndEchoWhatWasGiven) {
  const tools::Pool pool = tools::some_pool();
  MockTools a(pool, Strictness::strict, 5), b(pool, Strictness::strict, 5), c(pool, Strictness::strict, 6);
  const char* call = R"({"city": "Oslo", "nights": 3})";
  const json first = returned(a, "search_hotels", call);
  EXPECT_EQ(first["city"], "Oslo");
  EXPECT_EQ(first, returned(a, "search_hotels", R"({"nights": 3, "city": "Oslo"})"));
  EXPECT_EQ(first, returned(b, "search_hotels", call));
  EXPECT_NE(first["hotel_id"], returned(c, "search_hotels", call)["hotel_id"]);
}

TEST(MockTools, AChangedBookingIsChanged) {
  const tools::Pool pool = tools::some_pool();
  MockTools mock(pool, Strictness::strict, 5);
  const json hotel = returned(mock, "search_hotels", R"({"city": "Oslo", "nights": 3})");
  const json booked = returned(mock, "book_hotel",
                               json({{"hotel_id", hotel["hotel_id"]}, {"guest", "Ann Li"}, {"room", "single"}}).dump());
  const json id = booked["booking_id"];
  EXPECT_EQ(returned(mock, "get_booking", json({{"booking_id", id}}).dump())["guest"], "Ann Li");
  returned(mock, "move_booking", json({{"booking_id", id}, {"date", "2026-05-01"}}).dump());
  EXPECT_EQ(returned(mock, "get_booking", json({{"booking_id", id}}).dump())["date"], "2026-05-01");
}

struct Case {
  const char *tool, *arguments;
  Refusal refusal;
  const char* says;
};
const Case kCases[] = {
    {"book_hotel", "no", Refusal::malformed, "not a JSON object"},
    {"book_hotel", "[]", Refusal::malformed, "not a JSON object"},
    {"book_hotels", "{}", Refusal::unknown_tool, "tool 'book_hotels' does not exist"},
    {"get_booking", R"({"booking_id": "BK-1111", "x": 1})", Refusal::undeclared_parameter,
     "'x' is not a parameter of get_booking"},
    {"search_hotels", R"({"city": "Oslo"})", Refusal::missing_parameter, "missing required parameter 'nights'"},
    {"search_hotels", R"({"city": "Oslo", "nights": "3"})", Refusal::wrong_type, "has the wrong type for 'nights'"},
    {"search_hotels", R"({"city": 4, "nights": 3})", Refusal::wrong_type, "has the wrong type for 'city'"},
    {"search_hotels", R"({"city": "Oslo", "nights": 30})", Refusal::bad_choice, "'nights' has to be from 1 to 9"},
    {"book_hotel", R"({"hotel_id": "HO-1234", "guest": "Ann Li", "room": "suite"})", Refusal::bad_choice, "allowed"},
    {"get_booking", R"({"booking_id": "BK-1112"})", Refusal::unknown_id, "there is no booking id"},
};

TEST(MockTools, StrictRefusesWhatARealApiRefuses) {
  const tools::Pool pool = tools::some_pool();
  MockTools mock(pool, Strictness::strict, 5);
  mock.hear("My booking is BK-1111, my hotel HO-1234.");
  for (const Case& one : kCases) {
    const Reply reply = mock.call(one.tool, one.arguments);
    EXPECT_TRUE(reply.error) << one.arguments;
    EXPECT_EQ(reply.would_refuse, one.refusal) << one.arguments;
    const json error = json::parse(reply.text)["error"];
    EXPECT_EQ(error["code"], name_of(one.refusal));
    EXPECT_THAT(error["message"].get<std::string>(), HasSubstr(one.says));
  }
  EXPECT_FALSE(mock.call("get_booking", R"({"booking_id": "BK-1111"})").error);
  EXPECT_EQ(mock.counts()[static_cast<size_t>(Refusal::none)], 1u);
  EXPECT_EQ(mock.counts()[static_cast<size_t>(Refusal::wrong_type)], 2u);
}

TEST(MockTools, ForgivingRefusesTwoThingsAndCountsTheRest) {
  const tools::Pool pool = tools::some_pool();
  MockTools mock(pool, Strictness::forgiving, 5);
  mock.hear("My booking is BK-1111, my hotel HO-1234.");
  for (const Case& one : kCases) {
    const Reply reply = mock.call(one.tool, one.arguments);
    const bool refused = one.refusal == Refusal::unknown_tool || one.refusal == Refusal::undeclared_parameter;
    EXPECT_EQ(reply.error, refused) << one.arguments;
    EXPECT_EQ(reply.would_refuse, one.refusal) << one.arguments;
    EXPECT_FALSE(json::parse(reply.text, nullptr, false).is_discarded());
  }
  EXPECT_EQ(mock.counts()[static_cast<size_t>(Refusal::unknown_id)], 1u);
}

TEST(MockTools, ExpectedCallsAreAnsweredAsRecorded) {
  const tools::Pool pool = tools::some_pool();
  MockTools mock(pool, Strictness::strict, 5);
  mock.expect("get_booking", R"({"booking_id": "BK-7777"})", "first");
  mock.expect("get_booking", R"({"booking_id": "BK-7777"})", "second");
  for (const char* text : {"first", "second", "second"}) {
    const Reply reply = mock.call("get_booking", R"({ "booking_id":"BK-7777" })");
    EXPECT_TRUE(reply.expected);
    EXPECT_EQ(reply.text, text);
  }
  EXPECT_FALSE(mock.call("get_booking", R"({"booking_id": "BK-7777"})").error);
  EXPECT_TRUE(mock.call("get_booking", R"({"booking_id": "BK-7778"})").error);
}

TEST(MockC, TheSameInC) {
  char error[64];
  const std::string values = R"({"hotel_id": "HO-####", "booking_id": "BK-####", "city": ["Oslo"], "person": ["Ann"]})";
  const auto bytes = [](std::string_view text) { return wend_bytes{text.data(), text.size()}; };
  wend_pool* pool = wend_pool_parse(tools::kSomeTools.data(), tools::kSomeTools.size(), values.data(), values.size(),
                                    error, sizeof error);
  ASSERT_NE(pool, nullptr) << error;
  wend_mock* mock = wend_mock_open(pool, 1, 3);
  wend_pool_close(pool);
  wend_mock_expect(mock, bytes("get_booking"), bytes(R"({"booking_id": "BK-7777"})"), bytes("there"));
  wend_mock_hear(mock, bytes("BK-1234"));
  wend_mock_reply reply;
  wend_mock_call(mock, bytes("get_booking"), bytes(R"({"booking_id": "BK-7777"})"), &reply);
  EXPECT_EQ(std::string_view(reply.text.data, reply.text.size), "there");
  EXPECT_EQ(reply.expected, 1);
  wend_mock_call(mock, bytes("get_booking"), bytes(R"({"booking_id": "BK-9"})"), &reply);
  EXPECT_EQ(reply.error, 1);
  EXPECT_EQ(reply.would_refuse, static_cast<uint32_t>(WEND_REFUSAL_UNKNOWN_ID));
  uint64_t counts[WEND_N_REFUSALS];
  wend_mock_counts(mock, counts);
  EXPECT_EQ(counts[WEND_REFUSAL_NONE], 1u);
  EXPECT_EQ(counts[WEND_REFUSAL_UNKNOWN_ID], 1u);
  wend_mock_close(mock);
  EXPECT_EQ(wend_pool_parse("{", 1, nullptr, 0, error, sizeof error), nullptr);
  EXPECT_STREQ(error, "the tools are no JSON");
  EXPECT_EQ(wend_pool_parse("[]", 2, nullptr, 0, error, 10), nullptr);
  EXPECT_EQ(std::string(error).size(), 9u);
}

TEST(MockC, IsC) {
  const std::string file = testing::TempDir() + "wend_mock_is_c.c";
  std::ofstream(file) << "#include <wend/mock.h>\nint main(void) { return WEND_N_REFUSALS == 8 ? 0 : 1; }\n";
  const std::string command = "cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I runtime/include -o " + file + ".out " +
                              file + " && " + file + ".out";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".out");
}

}  // namespace
}  // namespace wend::mock
