#include "bench/dialogues.h"

#include <fmt/format.h>

#include <algorithm>

namespace wend::bench {
namespace {

constexpr const char* kVerbs[] = {"find", "book", "cancel", "update", "list", "get", "create", "check"};
constexpr const char* kNouns[] = {"flight",      "hotel_room", "restaurant", "calendar_event", "order",  "alarm",
                                  "appointment", "rental_car", "payment",    "subscription",   "parcel", "playlist"};
// A kind of value: the parameter's name, its type, what it means.
struct Kind {
  const char *param, *type, *meaning;
};
constexpr Kind kKinds[] = {
    {"city", "string", "Name of the city, as the user writes it."},
    {"date", "string", "Day in the format YYYY-MM-DD, such as 2024-05-01."},
    {"count", "integer", "How many are wanted; at least 1."},
    {"customer_id", "string", "Id of the customer, such as anna_berg_4821."},
    {"reference", "string", "Booking reference, six letters and digits."},
    {"time", "string", "Time of day in the format HH:MM, 24 hours."},
    {"price_limit", "number", "Highest price in euros that is acceptable."},
    {"category", "string", "Class of service."},
    {"notify", "boolean", "Whether a confirmation is sent by e-mail."},
    {"tags", "array", "Labels to file it under."},
};
constexpr uint32_t kCategory = 7, kNotify = 8, kTags = 9, kKindCount = 10;
constexpr const char* kCities[] = {"Oslo",   "New York", "São Paulo", "Kyoto",   "Lisbon", "Vancouver", "Nairobi",
                                   "Zürich", "Hamburg",  "Melbourne", "Bologna", "Quito",  "Reykjavik", "Busan"};
constexpr const char* kFirst[] = {"anna", "liam", "mei", "omar", "sofia", "ivan", "noah", "yuki"};
constexpr const char* kLast[] = {"berg", "lopez", "tanaka", "brown", "ito", "kovacs", "silva", "moreau"};
constexpr const char* kCategories[] = {"basic", "standard", "premium"};
constexpr const char* kLabels[] = {"work", "family", "urgent", "holiday", "refundable", "reminder"};
constexpr const char* kSentences[] = {
    "Thank you for waiting while I looked into that for you.",
    "Please let me know if you would like me to change anything else.",
    "I have checked the details against your account and everything is in order.",
    "You will get a message with the confirmation within the next few minutes.",
    "The total includes all taxes and fees, and can be refunded until the day before.",
    "If the plan changes again, just tell me and I will take care of it.",
    "There were several options, and I picked the one that fits what you asked for.",
    "My sister recommended it to me last week, so I would like to try it.",
    "I am travelling with a friend and we would rather not be late.",
    "It does not have to be perfect, but it should be close to the station.",
};

template <size_t n>
const char* pick(Random& random, const char* const (&list)[n]) {
  return list[random.below(n)];
}

// A JSON value as people say it: without quotes and brackets.
std::string spoken(const std::string& json) {
  std::string text;
  for (char c : json) {
    if (c != '"' && c != '[' && c != ']') text += c;
  }
  return text;
}

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  return json + "\"";
}

}  // namespace

uint64_t Random::next() {
  uint64_t z = state_ += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

// One of a fixed set of tools that is not in the pool yet. Its params depend on its name alone, as in a real catalogue.
DialogueMaker::Tool DialogueMaker::draw_tool() {
  Tool tool;
  do {
    tool.verb = random_.below(std::size(kVerbs));
    tool.noun = random_.below(std::size(kNouns));
    tool.name = fmt::format("{}_{}", kVerbs[tool.verb], kNouns[tool.noun]);
  } while (std::any_of(tools_.begin(), tools_.end(), [&](const Tool& other) { return other.name == tool.name; }));
  Random of_name(tool.verb * 1000 + tool.noun);
  const uint32_t first = of_name.below(kKindCount), n = 1 + of_name.below(4);
  for (uint32_t i = 0; i < n; ++i) tool.params.push_back((first + 3 * i) % kKindCount);
  return tool;
}

std::string DialogueMaker::tool_json(const Tool& tool) {
  std::string properties, required;
  for (size_t i = 0; i < tool.params.size(); ++i) {
    const Kind& kind = kKinds[tool.params[i]];
    std::string extra;
    if (tool.params[i] == kCategory) extra = R"(, "enum": ["basic", "standard", "premium"], "default": "standard")";
    if (tool.params[i] == kNotify) extra = R"(, "default": true)";
    if (tool.params[i] == kTags) extra = R"(, "items": {"type": "string"})";
    properties += fmt::format(R"({}"{}": {{"type": "{}", "description": "{}"{}}})", i ? ", " : "", kind.param,
                              kind.type, kind.meaning, extra);
    if (extra.empty()) required += fmt::format(R"({}"{}")", required.empty() ? "" : ", ", kind.param);
  }
  return fmt::format(
      R"({{"type": "function", "function": {{"name": "{0}", "description": "Use this to {1} a {2} for the user. Fails if the {2} does not exist or the user is not allowed to {1} it.", "parameters": {{"type": "object", "properties": {{{3}}}, "required": [{4}]}}}}}})",
      tool.name, kVerbs[tool.verb], kNouns[tool.noun], properties, required);
}

std::string DialogueMaker::value(uint32_t kind) {
  switch (kind) {
    case 0:
      return fmt::format("\"{}\"", pick(random_, kCities));
    case 1:
      return fmt::format("\"2024-{:02}-{:02}\"", 1 + random_.below(12), 1 + random_.below(28));
    case 2:
      return std::to_string(1 + random_.below(9));
    case 3:
      return fmt::format("\"{}_{}_{}\"", pick(random_, kFirst), pick(random_, kLast), 1000 + random_.below(9000));
    case 4: {
      std::string text = "\"";
      for (int i = 0; i < 6; ++i) text += "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"[random_.below(32)];
      return text + "\"";
    }
    case 5:
      return fmt::format("\"{:02}:{:02}\"", random_.below(24), 5 * random_.below(12));
    case 6:
      return fmt::format("{}.5", 20 + random_.below(400));
    case kCategory:
      return fmt::format("\"{}\"", pick(random_, kCategories));
    case kNotify:
      return random_.chance(0.5) ? "true" : "false";
    default:
      return fmt::format(R"(["{}", "{}"])", pick(random_, kLabels), pick(random_, kLabels));
  }
}

DialogueMaker::Call DialogueMaker::make_call() {
  Call call;
  call.tool = &tools_[random_.below(static_cast<uint32_t>(tools_.size()))];
  for (uint32_t kind : call.tool->params) call.values.push_back(value(kind));
  return call;
}

std::string DialogueMaker::arguments(const Call& call) const {
  std::string json;
  for (size_t i = 0; i < call.values.size(); ++i) {
    if (call.values[i].empty()) continue;
    json += fmt::format(R"({}"{}": {})", json.empty() ? "" : ", ", kKinds[call.tool->params[i]].param, call.values[i]);
  }
  return "{" + json + "}";
}

// What the agent does in place of what is expected: mostly that.
DialogueMaker::Call DialogueMaker::mistaken(const Call& gold) {
  Call call = gold;
  const double dice = static_cast<double>(random_.below(1000)) / 1000;
  const size_t at = random_.below(static_cast<uint32_t>(call.values.size()));
  if (dice < 0.80) return call;
  if (dice < 0.86) {
    call.values[at] = value(call.tool->params[at]);  // invented
  } else if (dice < 0.92) {
    for (const Call& earlier : expected_) {  // stale: as it was said before
      if (earlier.tool == call.tool) call = earlier;
    }
  } else if (dice < 0.96 && !made_.empty()) {
    call = made_[random_.below(static_cast<uint32_t>(made_.size()))];  // again
  } else {
    call.values[at].clear();  // left out
  }
  return call;
}

std::string DialogueMaker::prose(uint32_t sentences) {
  std::string text;
  for (uint32_t i = 0; i < sentences; ++i) {
    if (i) text += ' ';
    text += pick(random_, kSentences);
  }
  return text;
}

void DialogueMaker::user(const std::string& text) {
  if (!messages_.empty()) messages_ += ", ";
  messages_ += fmt::format(R"({{"role": "user", "content": {}}})", quoted(text));
}

void DialogueMaker::assistant(const std::string& text) {
  messages_ += fmt::format(R"(, {{"role": "assistant", "content": {}}})", quoted(text));
}

// What a tool returns: some records, as JSON.
std::string DialogueMaker::result_json() {
  std::string items;
  const uint32_t n = 1 + random_.below(4);
  for (uint32_t i = 0; i < n; ++i) {
    items += fmt::format(
        R"({}{{"id": {}, "owner": {}, "city": {}, "date": {}, "price": {}, "rating": {}, "slots": [{}, {}], "note": "{}"}})",
        i ? ", " : "", value(4), value(3), value(0), value(1), value(6), value(2), value(5), value(5), prose(1));
  }
  return fmt::format(R"({{"status": "ok", "items": [{}], "next": {}}})", items, value(4));
}

// The calls of one message, and their results.
void DialogueMaker::perform(const std::vector<Call>& calls) {
  std::string list, results;
  for (const Call& call : calls) {
    const uint32_t id = ++ids_;
    list +=
        fmt::format(R"({}{{"id": "call_{:06}", "type": "function", "function": {{"name": "{}", "arguments": {}}}}})",
                    list.empty() ? "" : ", ", id, call.tool->name, quoted(arguments(call)));
    const std::string result = result_json();
    results += fmt::format(R"(, {{"role": "tool", "tool_call_id": "call_{:06}", "name": "{}", "content": {}}})", id,
                           call.tool->name, quoted(result));
    made_.push_back(call);
  }
  messages_ += fmt::format(R"(, {{"role": "assistant", "content": null, "tool_calls": [{}]}}{})", list, results);
}

std::string DialogueMaker::request(const Call& call) {
  std::string text = fmt::format("Could you {} a {}", kVerbs[call.tool->verb], spoken(kNouns[call.tool->noun]));
  for (size_t i = 0; i < call.values.size(); ++i) {
    if (call.values[i].empty()) continue;
    text += fmt::format("{} {} {}", i ? " and" : " with", kKinds[call.tool->params[i]].param, spoken(call.values[i]));
  }
  return text + "?";
}

void DialogueMaker::turn(uint32_t number) {
  if (!gold_.empty()) gold_ += ", ";
  if (number > 1 && random_.chance(0.1)) {  // something is missing: the agent has to ask
    const Tool& tool = tools_[random_.below(static_cast<uint32_t>(tools_.size()))];
    const char* missing = kKinds[tool.params[0]].param;
    user(fmt::format("I also need to {} a {}. {}", kVerbs[tool.verb], kNouns[tool.noun], prose(1)));
    if (random_.chance(0.8)) {
      assistant(fmt::format("Of course. Which {} should I use? {}", missing, prose(1)));
    } else {
      Call guess = make_call();
      perform({guess});
      assistant(prose(2));
    }
    gold_ +=
        fmt::format(R"({{"turn": {}, "kind": "clarify", "signal": "clarify", "missing": ["{}"]}})", number, missing);
    return;
  }
  std::vector<Call> calls;
  std::string signal = "none", stale;
  if (!expected_.empty() && random_.chance(0.25)) {  // a change of mind: one value of an earlier call
    signal = "modified";
    const Call& old = expected_[random_.below(static_cast<uint32_t>(expected_.size()))];
    Call call = old;
    const size_t at = random_.below(static_cast<uint32_t>(call.values.size()));
    call.values[at] = value(call.tool->params[at]);
    const char* param = kKinds[call.tool->params[at]].param;
    user(fmt::format("Actually, make the {} {} instead of {}. {}", param, spoken(call.values[at]),
                     spoken(old.values[at]), prose(1)));
    if (call.values[at] != old.values[at]) {
      stale = fmt::format(R"(, "stale": [{{"tool": "{}", "param": "{}", "value": {}}}])", call.tool->name, param,
                          old.values[at]);
    }
    calls.push_back(std::move(call));
  } else {
    if (number > 1 && random_.chance(0.15)) signal = "interrupted";
    const uint32_t n = random_.chance(0.25) ? 2 : 1;
    std::string text = signal == "interrupted" ? "Wait, first something else." : "";
    for (uint32_t i = 0; i < n; ++i) {
      calls.push_back(make_call());
      text += (text.empty() ? "" : " ") + request(calls.back());
    }
    user(text + " " + prose(random_.below(2)));
  }
  std::vector<Call> agent;
  for (const Call& call : calls) agent.push_back(mistaken(call));
  if (random_.chance(0.1)) agent.insert(agent.begin(), make_call());  // looks something up first
  if (random_.chance(0.7)) {
    perform(agent);
  } else {
    for (const Call& call : agent) perform({call});
  }
  assistant(fmt::format("Done: {}. {}", spoken(calls.back().values.back()), prose(1 + random_.below(4))) +
            (random_.chance(0.02) ? "</tool_call>" : ""));
  std::string list;
  for (uint32_t i = 0; i < calls.size(); ++i) {
    list +=
        fmt::format(R"({}{{"name": "{}", "arguments": {}}})", i ? ", " : "", calls[i].tool->name, arguments(calls[i]));
    places_.emplace_back(number, i);
    expected_.push_back(calls[i]);
  }
  gold_ +=
      fmt::format(R"({{"turn": {}, "kind": "tool", "signal": "{}", "calls": [{}]{}}})", number, signal, list, stale);
}

std::string DialogueMaker::next() {
  static constexpr const char* kFamilies[] = {"Baseline",      "Modification", "Interruption",
                                              "Clarification", "Chaining",     "Accumulation"};
  tools_.clear();
  made_.clear();
  expected_.clear();
  places_.clear();
  messages_.clear();
  gold_.clear();
  ids_ = 0;
  std::string tools;
  for (int i = 0; i < 8; ++i) {
    tools_.push_back(draw_tool());
    tools += (i ? ", " : "") + tool_json(tools_.back());
  }
  messages_ = fmt::format(R"({{"role": "system", "content": {}}})", quoted(prose(40)));  // the policy
  for (uint32_t number = 1; number <= kTurns; ++number) turn(number);
  std::string links;
  for (uint32_t i = 0; i < 4 && i < places_.size(); ++i) {
    links += fmt::format(
        R"({}{{"turn": {}, "call": {}{}}})", i ? ", " : "", places_[i].first, places_[i].second,
        i ? fmt::format(R"(, "needs": [{{"link": {}, "field": "id", "param": "reference"}}])", i - 1) : std::string());
  }
  return fmt::format(
             R"({{"id": "made-{}", "family": "{}", "profile": {{"name": "{} {}", "home_city": {}, "member_id": {}}}, "tools": [{}], "messages": [{}], "gold": {{"turns": [{}], "chains": [{{"links": [{}]}}]}}}})",
             ++count_, pick(random_, kFamilies), pick(random_, kFirst), pick(random_, kLast), value(0), value(3), tools,
             messages_, gold_, links) +
         "\n";
}

}  // namespace wend::bench
