#include "runtime/synth/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wend::synth {

using tools::Pool;
using tools::PoolTool;

namespace {

constexpr std::array<std::string_view, 3> kKinds = {"tool", "clarify", "language"};
constexpr std::array<std::string_view, 6> kSignals = {"none",  "modified", "interrupted",
                                                      "reset", "clarify",  "accumulate"};

void put_text(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, start, i - start);
    start = i + 1;
    out += '\\';
    if (c == '"' || c == '\\') {
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += 'n';
    } else {
      out += "u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
    }
  }
  out.append(text, start, text.size() - start);
  out += '"';
}

void put_arguments(std::string& out, const PoolTool& tool, const Call& call) {
  out += '{';
  bool first = true;
  for (const Arg& arg : call.args) {
    if (!first) out += ',';
    first = false;
    put_text(out, tool.parameters[arg.parameter].name);
    out += ':';
    out += arg.value.json;
  }
  out += '}';
}

// One dialogue, up to `end` (a position and a step of the order).
class Writer {
 public:
  Writer(const Trace& trace, const Pool& pool, StepPlace end) : trace_(trace), pool_(pool), end_(end) {}

  void messages(std::string& out) {
    out += "\"messages\":[";
    bool first = true;
    const auto message = [&](std::string_view role) {
      if (!first) out += ',';
      first = false;
      out += "{\"role\":\"";
      out += role;
      out += "\",\"content\":";
    };
    if (!trace_.system.empty()) {
      message("system");
      put_text(out, trace_.system);
      out += '}';
    }
    uint32_t number = 0;
    for (uint32_t position = 0; position < trace_.order.size() && position <= end_.position; ++position) {
      const Turn& turn = trace_.turns[trace_.order[position]];
      message("user");
      put_text(out, turn.user);
      out += '}';
      for (uint32_t s = 0; s < turn.steps.size(); ++s) {
        if (position == end_.position && s >= end_.step) break;
        const Step& step = turn.steps[s];
        message("assistant");
        if (step.text.empty())
          out += "null";
        else
          put_text(out, step.text);
        if (!step.calls.empty()) {
          out += ",\"tool_calls\":[";
          for (size_t i = 0; i < step.calls.size(); ++i) {
            const Call& call = trace_.calls[step.calls[i]];
            const PoolTool& tool = pool_.tool(call.tool);
            if (i > 0) out += ',';
            out += fmt::format("{{\"id\":\"call_{}\",\"type\":\"function\",\"function\":{{\"name\":", number + i + 1);
            put_text(out, tool.name);
            out += ",\"arguments\":";
            std::string arguments;
            put_arguments(arguments, tool, call);
            put_text(out, arguments);
            out += "}}";
          }
          out += ']';
        }
        out += '}';
        for (const uint32_t c : step.calls) {
          if (!first) out += ',';
          out += fmt::format("{{\"role\":\"tool\",\"tool_call_id\":\"call_{}\",\"content\":", ++number);
          put_text(out, trace_.calls[c].result);
          out += '}';
        }
      }
    }
    out += ']';
  }

  void tools(std::string& out, const std::vector<uint32_t>& tools) const {
    out += "\"tools\":[";
    for (size_t i = 0; i < tools.size(); ++i) {
      if (i > 0) out += ',';
      out += pool_.tool(tools[i]).shown;
    }
    out += ']';
  }

  // Of all turns, or of the last one alone, with the calls of its steps up to `last`.
  void gold(std::string& out, bool last_alone, uint32_t last) {
    out += "\"gold\":{\"turns\":[";
    bool first = true;
    places_.assign(trace_.calls.size(), {kNone, 0});
    uint32_t goal = 0;
    for (uint32_t position = 0; position < trace_.order.size() && position <= end_.position; ++position) {
      const Turn& turn = trace_.turns[trace_.order[position]];
      if (!turn.keeps_goal) goal = position + 1;
      if (!turn.labelled || (last_alone && position != end_.position)) continue;
      if (!first) out += ',';
      first = false;
      gold_turn(out, turn, position, goal, last_alone ? last : kNone);
    }
    out += ']';
    chains(out);
    out += '}';
  }

 private:
  void gold_turn(std::string& out, const Turn& turn, uint32_t position, uint32_t goal, uint32_t last) {
    out += fmt::format("{{\"turn\":{},\"kind\":\"{}\",\"goal_of_turn\":{}", position + 1,
                       kKinds[static_cast<size_t>(turn.kind)], goal);
    if (turn.signal != Signal::none)
      out += fmt::format(",\"signal\":\"{}\"", kSignals[static_cast<size_t>(turn.signal)]);
    out += ",\"calls\":[";
    uint32_t number = 0;
    for (uint32_t s = 0; s < turn.steps.size() && (last == kNone || s <= last); ++s) {
      for (const uint32_t c : turn.steps[s].calls) {
        const Call& call = trace_.calls[c];
        if (!call.expected) continue;
        const PoolTool& tool = pool_.tool(call.tool);
        places_[c] = {position + 1, number};
        if (number++ > 0) out += ',';
        out += "{\"name\":";
        put_text(out, tool.name);
        out += ",\"arguments\":";
        put_arguments(out, tool, call);
        out += '}';
      }
    }
    out += ']';
    if (!turn.stale.empty()) {
      out += ",\"stale\":[";
      for (size_t i = 0; i < turn.stale.size(); ++i) {
        const StaleSlot& slot = turn.stale[i];
        const PoolTool& tool = pool_.tool(slot.tool);
        if (i > 0) out += ',';
        out += "{\"tool\":";
        put_text(out, tool.name);
        out += ",\"param\":";
        put_text(out, tool.parameters[slot.parameter].name);
        out += ",\"value\":" + slot.value.json + "}";
      }
      out += ']';
    }
    if (!turn.missing.empty()) {
      out += ",\"missing\":[";
      for (size_t i = 0; i < turn.missing.size(); ++i) {
        if (i > 0) out += ',';
        put_text(out, turn.missing[i]);
      }
      out += ']';
    }
    // What a good answer to a switch says: the scenario's words, else those of the dialogue.
    const std::string& reference = turn.reference.empty() ? answer_to_switch(turn) : turn.reference;
    if (!reference.empty()) {
      out += ",\"reference\":";
      put_text(out, reference);
    }
    out += '}';
  }

  static const std::string& answer_to_switch(const Turn& turn) {
    static const std::string kNone;
    if (turn.signal != Signal::interrupted) return kNone;
    for (const Step& step : turn.steps)
      if (!step.text.empty()) return step.text;
    return kNone;
  }

  // Expected calls that feed one another, directly or not, in the order in which they are made.
  void chains(std::string& out) const {
    std::vector<uint32_t> chain(trace_.calls.size());
    for (uint32_t c = 0; c < chain.size(); ++c) chain[c] = c;
    const auto counts = [&](uint32_t c) { return places_[c].first != kNone; };
    const std::vector<uint32_t> order = trace_.calls_in_order();
    for (const uint32_t c : order) {
      for (const Need& need : trace_.calls[c].needs) {
        if (!counts(c) || !counts(need.fed_by)) continue;
        const uint32_t from = chain[c], to = chain[need.fed_by];
        for (uint32_t& one : chain)
          if (one == from) one = to;
      }
    }
    out += ",\"chains\":[";
    bool first = true;
    for (const uint32_t root : order) {
      std::vector<uint32_t> links;
      for (const uint32_t c : order)
        if (chain[c] == chain[root] && counts(c)) links.push_back(c);
      if (links.size() < 2 || links[0] != root) continue;
      if (!first) out += ',';
      first = false;
      out += "{\"links\":[";
      for (size_t i = 0; i < links.size(); ++i) {
        const Call& call = trace_.calls[links[i]];
        if (i > 0) out += ',';
        out += fmt::format("{{\"turn\":{},\"call\":{}", places_[links[i]].first, places_[links[i]].second);
        std::string needs;
        for (const Need& need : call.needs) {
          const auto at = std::find(links.begin(), links.end(), need.fed_by);
          if (at == links.end()) continue;
          if (!needs.empty()) needs += ',';
          needs += fmt::format("{{\"link\":{},\"field\":", at - links.begin());
          put_text(needs, pool_.tool(trace_.calls[need.fed_by].tool).returns[need.field].name);
          needs += ",\"param\":";
          put_text(needs, pool_.tool(call.tool).parameters[need.parameter].name);
          needs += '}';
        }
        if (!needs.empty()) out += ",\"needs\":[" + needs + "]";
        out += '}';
      }
      out += "]}";
    }
    out += ']';
  }

  const Trace& trace_;
  const Pool& pool_;
  StepPlace end_;
  std::vector<std::pair<uint32_t, uint32_t>> places_;  // of expected calls: turn and position; kNone: none
};

void put_labels(std::string& out, const Trace& trace, const Labels& labels) {
  out += "{\"id\":";
  put_text(out, labels.id);
  out += ",\"scenario\":";
  put_text(out, labels.scenario);
  out += ",\"family\":";
  put_text(out, labels.family);
  out += ",\"split\":";
  put_text(out, labels.split);
  if (!trace.profile.empty()) out += ",\"profile\":" + trace.profile;
  out += ',';
}

}  // namespace

std::string line_of(const Trace& trace, const Pool& pool, const std::vector<uint32_t>& tools, const Labels& labels,
                    Format format) {
  Writer writer(trace, pool, {kNone, 0});
  std::string out;
  out.reserve(8192);
  if (format == Format::native)
    put_labels(out, trace, labels);
  else
    out += '{';
  writer.messages(out);
  out += ',';
  writer.tools(out, tools);
  if (format == Format::native) {
    out += ',';
    writer.gold(out, false, kNone);
  }
  out += "}\n";
  return out;
}

std::vector<StepPlace> gold_steps(const Trace& trace) {
  std::vector<StepPlace> out;
  for (uint32_t position = 0; position < trace.order.size(); ++position) {
    const Turn& turn = trace.turns[trace.order[position]];
    if (!turn.labelled) continue;
    for (uint32_t s = 0; s < turn.steps.size(); ++s) {
      const Step& step = turn.steps[s];
      const bool expected =
          std::any_of(step.calls.begin(), step.calls.end(), [&](uint32_t c) { return trace.calls[c].expected; });
      const bool words = step.calls.empty() && !step.sums_up && turn.kind != Kind::tool;
      if (expected || words) out.push_back({position, s});
    }
  }
  return out;
}

std::string slice_of(const Trace& trace, const Pool& pool, const std::vector<uint32_t>& tools, const Labels& labels,
                     StepPlace place) {
  Writer writer(trace, pool, place);
  std::string out;
  out.reserve(8192);
  put_labels(out, trace, labels);
  writer.messages(out);
  out += ',';
  writer.tools(out, tools);
  out += ',';
  writer.gold(out, true, place.step);
  out += "}\n";
  return out;
}

}  // namespace wend::synth
