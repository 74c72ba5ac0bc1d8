// `wend draft`: what can be read from a drafted block, and how near it comes to the one that should have been drafted.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/files.h"
#include "compiler/driver/table.h"
#include "runtime/data/json_cursor.h"
#include "runtime/data/text.h"
#include "runtime/draft/compare.h"
#include "runtime/draft/reader.h"

namespace wend::driver {
namespace {

using Json = nlohmann::ordered_json;

struct DraftOptions {
  std::string file, oracle;
  bool continues = false, json = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend draft answer.txt                        sub-blocks, members and faults
  wend draft answer.txt --oracle block.txt     and the comparison with the block that is right
  wend draft - --continues --json < tail.txt   what a model wrote behind an open <Context_Manager>, as JSON
A draft with faults is no error: reading it is what the command is for.)";

const char* state_name(DraftState state) {
  switch (state) {
    case DraftState::missing:
      return "missing";
    case DraftState::unreadable:
      return "unreadable";
    case DraftState::repaired:
      return "repaired";
    case DraftState::valid:
      return "valid";
  }
  return "";
}

Json place(wend_span span) { return {span.begin, span.end}; }

// A key as it reads.
std::string unescaped(std::string_view key) {
  PaddedBuffer escaped, out;
  const Unescaped made = unescape_json(escaped.copy(key), out.room(key.size()));
  return {out.room(0), made.size};
}

Json field_json(const Draft& draft, const DraftSubBlock& s, const DraftField& field) {
  const bool keyed = field.key.begin != field.key.end;
  return {{"item", field.item == WEND_NONE ? Json(nullptr) : Json(field.item)},
          {"key", keyed ? Json(unescaped(draft.key(s, field))) : Json(nullptr)},
          {"json", draft.value(s, field)},
          {"at", place(field.value)}};
}

Json faults_json(const DraftShape& shape, const Draft& draft) {
  Json faults = Json::array();
  for (const DraftIssue& issue : draft.issues) {
    faults.push_back(
        {{"kind", name(issue.fault)},
         {"sub_block", issue.sub_block == kNoSubBlock ? Json(nullptr) : Json(shape.sub_block(issue.sub_block))},
         {"at", place(issue.at)},
         {"message", describe(issue.fault)}});
  }
  return faults;
}

Json draft_json(const DraftShape& shape, const Draft& draft) {
  Json sub_blocks = Json::array();
  for (uint32_t i = 0; i < shape.size(); ++i) {
    const DraftSubBlock& s = draft.sub_block(i);
    Json entry = {{"name", shape.sub_block(i)}, {"state", state_name(s.state)}};
    if (s.state != DraftState::missing) entry["at"] = place(s.whole);
    if (s.readable()) {
      entry["json"] = draft.json(s);
      entry["fields"] = Json::array();
      for (uint32_t f = s.fields.begin; f < s.fields.end; ++f) {
        entry["fields"].push_back(field_json(draft, s, draft.fields[f]));
      }
    }
    sub_blocks.push_back(std::move(entry));
  }
  return {{"found", draft.found},        {"closed", draft.closed},
          {"block", place(draft.block)}, {"trailing", place(draft.trailing)},
          {"sub_blocks", sub_blocks},    {"faults", faults_json(shape, draft)}};
}

Json counts_json(const DraftCounts& counts) {
  const auto share = [](std::optional<double> value) { return value ? Json(*value) : Json(nullptr); };
  return {{"drafted", counts.drafted},
          {"expected", counts.expected},
          {"right", counts.right},
          {"precision", share(counts.precision())},
          {"recall", share(counts.recall())},
          {"f1", share(counts.f1())}};
}

Json comparison_json(const DraftShape& shape, const DraftComparison& seen) {
  Json sub_blocks = Json::array();
  for (const SubBlockMatch& match : seen.sub_blocks) {
    sub_blocks.push_back({{"name", shape.sub_block(match.sub_block)},
                          {"readable", match.readable},
                          {"exact", match.exact},
                          {"loose", match.loose}});
  }
  return {{"sub_blocks", sub_blocks},
          {"slots", counts_json(seen.slots)},
          {"stale", counts_json(seen.stale)},
          {"goal", seen.goal},
          {"intent", seen.intent},
          {"relation", seen.relation}};
}

std::string bytes_text(wend_span span) { return fmt::format("{}..{}", span.begin, span.end); }

std::string fields_text(const Draft& draft, const DraftSubBlock& s) {
  std::string text;
  for (uint32_t f = s.fields.begin; f < s.fields.end; ++f) {
    const DraftField& field = draft.fields[f];
    const bool keyed = field.key.begin != field.key.end;
    text += "  ";
    if (field.item != WEND_NONE) text += fmt::format("{}{}", field.item, keyed ? "." : "");
    text += fmt::format("{} = {}\n", draft.key(s, field), draft.value(s, field));
  }
  return text;
}

std::string draft_text(const DraftShape& shape, const Draft& draft) {
  std::string text =
      draft.found ? fmt::format("{} {}{}\n", shape.block(), bytes_text(draft.block), draft.closed ? "" : ", not closed")
                  : "no block\n";
  for (uint32_t i = 0; draft.found && i < shape.size(); ++i) {
    const DraftSubBlock& s = draft.sub_block(i);
    const bool there = s.state != DraftState::missing;
    text += fmt::format("{} {}{}\n", shape.sub_block(i), there ? bytes_text(s.whole) + " " : "", state_name(s.state));
    text += fields_text(draft, s);
  }
  for (const DraftIssue& issue : draft.issues) {
    const std::string of = issue.sub_block == kNoSubBlock ? "" : shape.sub_block(issue.sub_block) + ": ";
    text += fmt::format("fault at {}: {}{} [{}]\n", issue.at.begin, of, describe(issue.fault), name(issue.fault));
  }
  return text;
}

std::string comparison_text(const DraftShape& shape, const DraftComparison& seen) {
  Table counts({false, true, true, true, true, true, true});
  counts.row({"", "drafted", "expected", "right", "precision", "recall", "F1"});
  const auto row = [&](const char* kind, const DraftCounts& c) {
    const auto share = [](std::optional<double> value) { return value ? fmt::format("{:.3f}", *value) : "-"; };
    counts.row({kind, std::to_string(c.drafted), std::to_string(c.expected), std::to_string(c.right),
                share(c.precision()), share(c.recall()), share(c.f1())});
  };
  row("active slots", seen.slots);
  row("stale slots", seen.stale);
  Table matches({});
  const auto verdict = [](bool right) { return right ? "right" : "wrong"; };
  matches.row({"goal", verdict(seen.goal)});
  matches.row({"intent", verdict(seen.intent)});
  matches.row({"relation", verdict(seen.relation)});
  for (const SubBlockMatch& match : seen.sub_blocks) {
    matches.row({shape.sub_block(match.sub_block), match.exact      ? "the same"
                                                   : match.loose    ? "loosely the same"
                                                   : match.readable ? "other"
                                                                    : "not there"});
  }
  return counts.text() + matches.text();
}

Exit read_draft(const DraftOptions& options) {
  if (options.file == "-" && options.oracle == "-") {
    return complain(Exit::usage, "only one of the two blocks can be standard input");
  }
  const Result<std::string> text = read_file(options.file);
  if (!text) return complain(Exit::input, text.error().message);
  const DraftShape& shape = DraftShape::context_manager();
  DraftReader drafts(shape), oracles(shape);
  const Draft& draft = drafts.read(*text, options.continues);
  std::string out = options.json ? "" : draft_text(shape, draft);
  Json json = options.json ? draft_json(shape, draft) : Json();
  if (!options.oracle.empty()) {
    const Result<std::string> right = read_file(options.oracle);
    if (!right) return complain(Exit::input, right.error().message);
    const Draft& oracle = oracles.read(*right);
    if (!oracle.found) return complain(Exit::input, fmt::format("{}: it holds no block", options.oracle));
    DraftComparer comparer(shape);
    const DraftComparison& seen = comparer.compare(draft, oracle);
    if (options.json) {
      json["comparison"] = comparison_json(shape, seen);
    } else {
      out += "\n" + comparison_text(shape, seen);
    }
  }
  if (options.json) out = json.dump(2) + "\n";
  options.json ? write_out(out) : show(out);
  return Exit::fine;
}

}  // namespace

void add_draft(CLI::App& app, Action& action) {
  auto options = std::make_shared<DraftOptions>();
  CLI::App& command = *app.add_subcommand("draft", "Read a drafted Context Manager block, and compare it");
  command.add_option("FILE", options->file, "A text with the block; `-` is standard input")->required();
  command.add_option("--oracle", options->oracle, "A text with the block that is right: compare with it");
  command.add_flag("--continues", options->continues, "The text goes on behind an opening tag that it does not have");
  command.add_flag("--json", options->json, "As JSON");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return read_draft(*options); }; });
}

}  // namespace wend::driver
