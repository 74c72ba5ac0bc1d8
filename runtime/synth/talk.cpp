#include "runtime/synth/talk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace wend::synth {

using tools::Parameter;
using tools::PoolTool;
using tools::Value;
using tools::ValueType;
using Form = ValueType::Form;

namespace {

constexpr double kPointsBack = 0.5;  // share of fed parameters that something stands for
constexpr size_t kMaxFacts = 4;      // of a summary
constexpr size_t kShortestMistyped = 5;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string capital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// Where the text says "a WORDS" as a whole; npos if it does not.
std::pair<size_t, size_t> place_of(std::string_view text, std::string_view words) {
  for (const std::string_view article : {"a ", "an ", "the ", "some ", "any "}) {
    const std::string phrase = std::string(article) + std::string(words);
    for (size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
      const size_t end = at + phrase.size();
      const bool starts = at > 0 && !is_word(text[at - 1]);
      // "a city hotel" and "the day's menu" do not name the city and the day.
      const bool ends = end == text.size() || text[end] == ',' || text[end] == '.' || text.substr(end, 4) == " in " ||
                        text.substr(end, 4) == " on " || text.substr(end, 4) == " at " ||
                        text.substr(end, 5) == " for " || text.substr(end, 5) == " and " ||
                        text.substr(end, 6) == " from " || text.substr(end, 4) == " to " ||
                        text.substr(end, 6) == " with ";
      if (starts && ends) return {at, phrase.size()};
    }
  }
  return {std::string_view::npos, 0};
}

}  // namespace

std::string spoken(const ValueType& type, const Value& value) {
  if (type.form == Form::boolean) return value.json == "true" ? "yes" : "no";
  std::string text = tools::said(value);
  if (type.form == Form::choice && value.text()) std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

Result<Talk> Talk::make(const Phrasebook& book, const tools::Pool& pool) {
  static constexpr std::array<std::string_view, k_names> kNames = {
      "open_casual", "open_polite", "open_terse",       "open_formal",     "next_casual",
      "next_polite", "next_terse",  "next_formal",      "personal",        "interrupt",
      "both",        "linked",      "fragment",         "answer",          "ask_ability",
      "ask_needs",   "small_talk",  "idle_task",        "system_prompt",   "ask_intent",
      "ask_param",   "ask_count",   "done_one",         "done_bare",       "fact",
      "ability",     "needs",       "small_talk_reply", "idle_task_reply", "value",
      "value_count", "value_true",  "value_false",      "deixis"};
  Talk talk(book, pool);
  for (size_t i = 0; i < kNames.size(); ++i) {
    talk.names_[i] = book.find(kNames[i]);
    if (talk.names_[i] == kNoPhrases) return Error{fmt::format("there are no phrases `{}`", kNames[i])};
  }
  talk.manners_.resize(pool.size());
  for (uint32_t t = 0; t < pool.size(); ++t) {
    const PoolTool& tool = pool.tool(t);
    std::vector<Manner>& manners = talk.manners_[t];
    for (const Parameter& parameter : tool.parameters) {
      Manner manner = talk.manner_of(tool, parameter);
      for (const Manner& other : manners)  // two parameters may want the same place
        if (other.place != kNone && manner.place != kNone && manner.place < other.place + other.length &&
            other.place < manner.place + manner.length)
          manner.place = kNone;
      manners.push_back(manner);
    }
  }
  return talk;
}

bool Talk::counts(const Parameter& parameter) {
  const std::string& words = parameter.words;
  return parameter.type.form == Form::integer && (words.ends_with("s") || words == "people" || words == "children");
}

Talk::Manner Talk::manner_of(const PoolTool& tool, const Parameter& parameter) const {
  Manner out;
  std::string name = parameter.words;
  std::replace(name.begin(), name.end(), ' ', '_');
  out.phrases = book_->find("value_" + name);
  const bool texts = parameter.type.form == Form::kind;
  if (out.phrases == kNoPhrases && texts)
    out.phrases = book_->find("value_" + pool_->values().name(parameter.type.kind));
  if (out.phrases == kNoPhrases && parameter.type.form == Form::date) out.phrases = book_->find("value_date");
  if (out.phrases == kNoPhrases && parameter.type.form == Form::time) out.phrases = book_->find("value_time");
  if (texts || parameter.type.form == Form::date || parameter.type.form == Form::time) {
    auto [place, length] = place_of(tool.task, parameter.words);
    if (place == std::string::npos && texts) {
      std::string kind = tools::words_of(pool_->values().name(parameter.type.kind));
      if (parameter.words.ends_with(" " + kind)) std::tie(place, length) = place_of(tool.task, kind);
    }
    if (place != std::string::npos) {
      out.place = static_cast<uint32_t>(place);
      out.length = static_cast<uint32_t>(length);
    }
  }
  return out;
}

std::string Talk::task(const Call& call, bool points_back, Random& random) const {
  const PoolTool& tool = pool_->tool(call.tool);
  const std::vector<Manner>& manners = manners_[call.tool];
  std::vector<const Arg*> in_place, behind;
  std::vector<std::string> clauses;
  for (const Arg& arg : call.args) {
    if (arg.implied) continue;
    const bool fed = std::any_of(call.needs.begin(), call.needs.end(),
                                 [&](const Need& need) { return need.parameter == arg.parameter; });
    if (fed) {
      if (!points_back || !random.chance(kPointsBack)) continue;
      std::string thing = tool.parameters[arg.parameter].words;
      if (thing.ends_with(" id")) thing.resize(thing.size() - 3);
      if (tool.task.find(thing) == std::string::npos) clauses.push_back(say(k_deixis, {thing}, random));
    } else {
      (manners[arg.parameter].place != kNone ? in_place : behind).push_back(&arg);
    }
  }
  std::string text = tool.task;
  std::sort(in_place.begin(), in_place.end(),
            [&](const Arg* a, const Arg* b) { return manners[a->parameter].place > manners[b->parameter].place; });
  for (const Arg* arg : in_place) {
    const Manner& manner = manners[arg->parameter];
    text.replace(manner.place, manner.length, spoken(tool.parameters[arg->parameter].type, arg->value));
  }
  for (const Arg* arg : behind) {
    const Parameter& parameter = tool.parameters[arg->parameter];
    const std::string value = spoken(parameter.type, arg->value);
    if (parameter.type.form == Form::boolean) {
      clauses.push_back(say(value == "true" ? k_value_true : k_value_false, {parameter.words}, random));
    } else if (manners[arg->parameter].phrases != kNoPhrases) {
      clauses.push_back(book_->say(manners[arg->parameter].phrases, {value}, random));
    } else {
      clauses.push_back(say(counts(parameter) ? k_value_count : k_value, {parameter.words, value}, random));
    }
  }
  random.shuffle(clauses);
  for (const std::string& clause : clauses) text += " " + clause;
  return text;
}

std::string Talk::linked(const std::vector<const Call*>& calls, Random& random) const {
  std::string text = task(*calls[0], true, random);
  for (size_t i = 1; i < calls.size(); ++i) text = say(k_linked, {text, task(*calls[i], true, random)}, random);
  return text;
}

std::string Talk::opening(std::string_view task, uint32_t style, Random& random) const {
  std::string text = say(static_cast<Name>(k_open_casual + style), {task}, random);
  return style == 2 ? text : capital(std::move(text));
}

std::string Talk::next(std::string_view task, uint32_t style, Random& random) const {
  return say(static_cast<Name>(k_next_casual + style), {task}, random);
}

std::string Talk::answer(const Parameter& parameter, const Value& value, Random& random) const {
  return say(k_answer, {parameter.words, spoken(parameter.type, value)}, random);
}

std::string Talk::summary(const std::vector<const Call*>& calls, Random& random) const {
  std::vector<std::pair<const PoolTool*, size_t>> known;
  std::vector<const Call*> of;
  for (const Call* call : calls) {
    if (call->scripted) continue;
    const PoolTool& tool = pool_->tool(call->tool);
    for (size_t f = 0; f < call->returned.size(); ++f) {
      if (tool.returns[f].type.form == Form::object || tool.returns[f].name.empty()) continue;
      known.emplace_back(&tool, f);
      of.push_back(call);
    }
  }
  // The latest are what was asked for.
  const size_t first = known.size() > kMaxFacts ? known.size() - kMaxFacts : 0;
  std::string facts;
  for (size_t i = first; i < known.size(); ++i) {
    const tools::Field& field = known[i].first->returns[known[i].second];
    if (!facts.empty()) facts += i + 1 == known.size() ? " and " : ", ";
    facts += say(k_fact, {tools::words_of(field.name), spoken(field.type, of[i]->returned[known[i].second])}, random);
  }
  return facts.empty() ? say(k_done_bare, {""}, random) : say(k_done_one, {facts}, random);
}

std::string Talk::needs(const PoolTool& tool, Random& random) const {
  std::vector<const Parameter*> required;
  for (const Parameter& parameter : tool.parameters)
    if (parameter.required) required.push_back(&parameter);
  std::string list;
  for (size_t i = 0; i < required.size(); ++i) {
    if (i > 0) list += i + 1 == required.size() ? " and the " : ", the ";
    list += required[i]->words;
  }
  return say(k_needs, {tool.task, list}, random);
}

std::string Talk::mistyped(std::string text, const std::vector<std::string>& values, Random& random) {
  std::vector<std::pair<size_t, size_t>> words;
  for (size_t i = 0; i < text.size();) {
    if (std::islower(static_cast<unsigned char>(text[i])) == 0) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && std::islower(static_cast<unsigned char>(text[end])) != 0) ++end;
    const bool alone = (i == 0 || text[i - 1] == ' ') && (end == text.size() || text[end] == ' ');
    const std::string_view word = std::string_view(text).substr(i, end - i);
    const bool free = std::none_of(values.begin(), values.end(),
                                   [&](const std::string& value) { return value.find(word) != std::string::npos; });
    if (alone && free && word.size() >= kShortestMistyped) words.emplace_back(i, end);
    i = end;
  }
  if (words.empty()) return text;
  const auto [begin, end] = words[random.below(static_cast<uint32_t>(words.size()))];
  const size_t at = begin + 1 + random.below(static_cast<uint32_t>(end - begin - 2));
  std::swap(text[at], text[at + 1]);
  return text;
}

}  // namespace wend::synth
