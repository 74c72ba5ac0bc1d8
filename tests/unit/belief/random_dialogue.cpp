#include "tests/unit/belief/random_dialogue.h"

#include <fmt/format.h>

namespace wend::belief::testing {
namespace {

template <class T, size_t n>
T pick(std::mt19937& random, const T (&items)[n]) {
  return items[random() % n];
}

std::string value(std::mt19937& random) {
  constexpr const char* kValues[] = {"\"Oslo\"",  "\"rome\"", "\"19:00\"", "\"20:30\"",    "2",
                                     "4.0",       "\"2\"",    "true",      "null",         "[1,2]",
                                     "{\"a\":1}", "\"#W7\"",  "0.25",      "\"caf\u00e9\""};
  return pick(random, kValues);
}

std::string arguments(std::mt19937& random) {
  constexpr const char* kNames[] = {"city", "time", "people", "order_id", "reason", "note"};
  std::string json = "{";
  for (size_t n = random() % 4; n > 0; --n)
    json += fmt::format("{}\"{}\":{}", json.size() > 1 ? "," : "", pick(random, kNames), value(random));
  return json + "}";
}

std::string user_text(std::mt19937& random) {
  constexpr const char* kTexts[] = {"Book a table in Oslo at 7pm for 2 people.",
                                    "Actually, make it 8pm.",
                                    "Not Oslo but Rome, please.",
                                    "Never mind, forget it.",
                                    "Wait, first cancel the order #W7.",
                                    "Also, what about the second one?",
                                    "It is broken. The same as before, for 4 people.",
                                    "I am not sure, something like that one.",
                                    "Yes.",
                                    "time: 20:30",
                                    ""};
  return fmt::format("{} {}", pick(random, kTexts), random() % 3 == 0 ? fmt::format("Take {}.", random() % 50) : "");
}

std::string result_text(std::mt19937& random) {
  constexpr const char* kTexts[] = {"ok",
                                    "Error: no table",
                                    "{\"error\": \"no\"}",
                                    "[{\"id\": \"A1\", \"price\": 30}, {\"id\": \"B2\", \"price\": 20}]",
                                    "{\"order_id\": \"#W7\", \"status\": \"pending\"}",
                                    "",
                                    "not { JSON",
                                    "[]"};
  const std::string text = pick(random, kTexts);
  return random() % 8 == 0
             ? fmt::format("{{\"number\": {}, \"text\": \"{}\"}}", random() % 1000, std::string(random() % 4000, 'x'))
             : text;
}

}  // namespace

void apply(const Event& event, Dialogue& dialogue) {
  switch (event.kind) {
    case Event::user:
      return dialogue.user(event.text);
    case Event::call:
      return dialogue.call(event.id, event.text, event.arguments);
    case Event::result:
      return dialogue.result(event.id, event.text, event.error);
    case Event::reply:
      return dialogue.reply(event.text);
  }
}

std::vector<Event> random_events(std::mt19937& random, size_t count) {
  constexpr const char* kTools[] = {"book_table", "cancel_order", "unknown_tool"};
  constexpr const char* kIds[] = {"a", "b", "c", ""};
  constexpr const char* kReplies[] = {"Which city, and at what time?", "Done.", "What is the reason?",
                                      "How many people?"};
  std::vector<Event> events;
  for (size_t i = 0; i < count; ++i) {
    switch (random() % 5) {
      case 0:
      case 1:
        events.push_back({Event::user, "", user_text(random), "", {}});
        break;
      case 2:
        events.push_back({Event::call, pick(random, kIds), pick(random, kTools), arguments(random), {}});
        break;
      case 3:
        events.push_back({Event::result, pick(random, kIds), result_text(random), "",
                          random() % 6 == 0 ? std::optional<bool>(random() % 2 == 0) : std::nullopt});
        break;
      default:
        events.push_back({Event::reply, "", pick(random, kReplies), "", {}});
        break;
    }
  }
  return events;
}

}  // namespace wend::belief::testing
